"""Files between clients and a real S3 server, without passing through us."""

import hashlib
import time
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from exchange.storage import DigestMismatch, EvidenceMissing, EvidenceTooLarge, FilesystemStore
from exchange.storage.direct import PART_BYTES

pytestmark = pytest.mark.sockets
CONTENT = b"measured, not claimed\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
HOUR = 3600
PATIENCE_SECONDS = 60
TOMORROW = datetime(2100, 1, 1, tzinfo=UTC)


@pytest.fixture
def direct(in_bucket):
    return in_bucket.store.direct


@pytest.fixture
def client():
    with httpx.Client(trust_env=False, timeout=PATIENCE_SECONDS) as client:
        yield client


@pytest.fixture
def sent(direct, client):
    """`sent(content)`: the handle of an upload that a client has sent whole."""

    def send(content, announced=None):
        upload = direct.begin_upload(len(content if announced is None else announced), seconds=HOUR)
        for number, url in enumerate(upload.urls):
            part = content[number * upload.part_size :][: upload.part_size]
            client.put(url, content=part).raise_for_status()
        return upload.handle

    return send


def opened(direct, handle, content=CONTENT):
    with direct.open_upload(handle, size=len(content), sha256=hashlib.sha256(content).hexdigest()) as file:
        return file.read()


class TestUpload:
    @pytest.mark.parametrize("size", [0, 1, PART_BYTES, PART_BYTES + 1])
    def test_brings_files_of_every_size(self, direct, sent, size):
        content = b"x" * size
        assert opened(direct, sent(content), content) == content

    def test_is_cut_into_parts(self, direct):
        assert [
            len(direct.begin_upload(size, seconds=HOUR).urls) for size in (1, PART_BYTES, PART_BYTES + 1)
        ] == [
            1,
            1,
            2,
        ]

    def test_is_no_object_before_we_have_put_it_there(self, in_bucket, direct, sent):
        opened(direct, sent(CONTENT))
        assert not in_bucket.store.exists(SHA256)
        assert list(in_bucket.store.digests()) == []

    def test_may_be_opened_again_until_it_is_discarded(self, in_bucket, direct, sent):
        handle = sent(CONTENT)
        assert opened(direct, handle) == opened(direct, handle) == CONTENT
        direct.discard_upload(handle)
        direct.discard_upload(handle)
        assert in_bucket.names() == []
        with pytest.raises(EvidenceMissing):
            opened(direct, handle)

    def test_with_other_bytes_is_refused_and_gone(self, in_bucket, direct, sent):
        with pytest.raises(DigestMismatch):
            opened(direct, sent(CONTENT.swapcase()))
        assert in_bucket.names() == []

    @pytest.mark.parametrize("announced", [CONTENT + b"!", CONTENT[:-1]])
    def test_of_another_size_is_refused_before_it_is_read(
        self, in_bucket, direct, sent, announced, monkeypatch
    ):
        handle = sent(CONTENT, announced=CONTENT)
        monkeypatch.setattr("exchange.storage.direct.fetch", lambda *_, **__: pytest.fail("it was read"))
        with pytest.raises(DigestMismatch):
            opened(direct, handle, announced)
        assert in_bucket.names() == []

    def test_that_grew_meanwhile_is_read_no_further_than_announced(
        self, in_bucket, direct, sent, monkeypatch
    ):
        handle = sent(CONTENT)
        monkeypatch.setattr(type(direct), "_complete", lambda *_: True)
        in_bucket.overwrite(handle.partition("?")[0].removeprefix(in_bucket.prefix), CONTENT * 2)
        with pytest.raises(EvidenceTooLarge):
            opened(direct, handle)
        assert in_bucket.names() == []

    def test_takes_no_more_bytes_than_were_announced(self, direct, client):
        url = direct.begin_upload(len(CONTENT), seconds=HOUR).urls[0]
        assert client.put(url, content=CONTENT + b"!").status_code == 403

    def test_with_a_part_sent_twice_has_it_once(self, direct, client):
        upload = direct.begin_upload(len(CONTENT), seconds=HOUR)
        for _ in range(2):
            client.put(upload.urls[0], content=CONTENT).raise_for_status()
        assert opened(direct, upload.handle) == CONTENT

    def test_takes_nothing_more_once_it_was_read(self, direct, client):
        upload = direct.begin_upload(len(CONTENT), seconds=HOUR)
        client.put(upload.urls[0], content=CONTENT)
        opened(direct, upload.handle)
        assert client.put(upload.urls[0], content=CONTENT.swapcase()).status_code == 404
        assert opened(direct, upload.handle) == CONTENT

    def test_is_refused_when_its_time_is_over(self, direct, client):
        upload = direct.begin_upload(len(CONTENT), seconds=1)
        until(lambda: client.put(upload.urls[0], content=CONTENT).status_code == 403)


class TestForgetting:
    def test_takes_away_what_nobody_has_finished_and_nothing_else(self, in_bucket, direct, sent):
        in_bucket.store.put_stream([CONTENT])
        opened(direct, sent(b"came and was not taken in"), b"came and was not taken in")
        begun = direct.begin_upload(len(CONTENT), seconds=HOUR)
        assert direct.forget_uploads(before=TOMORROW) == 2
        assert in_bucket.names() == [f"{SHA256[:2]}/{SHA256}"]
        with pytest.raises(EvidenceMissing):
            opened(direct, begun.handle)

    def test_leaves_those_that_are_under_way(self, direct, sent):
        handle = sent(CONTENT)
        assert direct.forget_uploads(before=datetime.now(UTC) - timedelta(hours=1)) == 0  # noqa: TID251
        assert opened(direct, handle) == CONTENT


class TestDownloadUrl:
    def test_brings_the_file_under_its_name(self, in_bucket, direct, client):
        in_bucket.store.put_stream([CONTENT])
        answer = client.get(direct.download_url(SHA256, filename="my answers (1).txt", seconds=HOUR))
        assert answer.content == CONTENT
        assert answer.headers["Content-Disposition"] == 'attachment; filename="my answers (1).txt"'

    def test_brings_nothing_else(self, in_bucket, direct, client):
        in_bucket.store.put_stream([CONTENT])
        other = in_bucket.store.put_stream([b"of somebody else"]).sha256
        url = direct.download_url(SHA256, filename="a.txt", seconds=HOUR)
        assert client.get(url.replace(SHA256, other)).status_code == 403
        assert client.put(url, content=b"inflated").status_code == 403

    def test_brings_nothing_when_its_time_is_over(self, in_bucket, direct, client):
        in_bucket.store.put_stream([CONTENT])
        url = direct.download_url(SHA256, filename="a.txt", seconds=1)
        until(lambda: client.get(url).status_code == 403)

    def test_is_for_the_address_that_clients_reach(self, s3_server, in_bucket):
        from exchange.storage.s3 import S3Store

        public = s3_server.client_in(s3_server.environment, endpoint="https://s3.example.org")
        bucket = in_bucket.store._bucket
        store = S3Store(bucket, in_bucket.client, public=public)
        assert store.direct.download_url(SHA256, filename="a", seconds=9).startswith(
            "https://s3.example.org/"
        )
        assert store.direct.begin_upload(1, seconds=9).urls[0].startswith("https://s3.example.org/")


def test_there_is_no_direct_way_to_a_folder_nor_to_a_bucket_that_only_we_reach(tmp_path, in_bucket):
    from exchange.storage.s3 import S3Store

    assert FilesystemStore(tmp_path).direct is None
    assert S3Store(in_bucket.store._bucket, in_bucket.client).direct is None


def until(condition):
    """Wait for a state of the world; the limit only keeps a broken test from hanging."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.2)
