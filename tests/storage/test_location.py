from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from exchange.settings.evidence import evidence_url
from exchange.storage.location import Bucket, Folder, parse


class TestParse:
    @pytest.mark.parametrize(
        ("url", "place"),
        [
            ("file:///evidence", Folder(Path("/evidence"))),
            ("file:///srv/our%20evidence/", Folder(Path("/srv/our evidence"))),
            ("s3://evidence", Bucket("evidence", "")),
            ("s3://evidence/", Bucket("evidence", "")),
            ("s3://evidence.example.org/the/exchange", Bucket("evidence.example.org", "the/exchange/")),
            ("s3://evidence/the%20exchange/", Bucket("evidence", "the exchange/")),
            (
                "s3://evidence/x?public=https://s3.example.org:9000",
                Bucket("evidence", "x/", "https://s3.example.org:9000"),
            ),
        ],
    )
    def test_knows_folders_and_buckets(self, url, place):
        assert parse(url) == place

    @pytest.mark.parametrize(
        "url",
        [
            "",
            "/evidence",
            "http://evidence/x",
            "S3",
            "s3:evidence",
            "s3://",
            "s3:///prefix",
            "s3://E",
            "s3://ev",
            "s3://key:secret@evidence/x",
            "s3://evidence:9000/x",
            "s3://evidence/x?region=eu",
            "s3://evidence#x",
            "s3://evidence?public",
            "s3://evidence?public=s3.example.org",
            "s3://evidence?public=https://s3.example.org/evidence",
            "s3://evidence?public=https://s3.example.org&region=eu",
            "file:evidence",
            "file://",
            "file:///",
            "file://evidence/x",
            "file:///evidence?x",
        ],
    )
    def test_refuses_everything_else_at_the_start(self, url):
        with pytest.raises(ImproperlyConfigured, match="EXCHANGE_EVIDENCE_URL"):
            evidence_url(url)
