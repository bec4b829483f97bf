"""What can go wrong between us and S3: on a real server, and behind one that lies."""

import hashlib
import logging
from base64 import b64encode
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from botocore.exceptions import ClientError

from exchange.embedded.ports import free_port
from exchange.storage import EvidenceDamaged, EvidenceMissing, EvidenceUnavailable, get_store
from exchange.storage.client import TRIES
from exchange.storage.location import Bucket
from exchange.storage.s3 import S3Store
from tests.s3 import SECRET, S3Server
from tests.storage.conftest import BUCKET
from tests.storage.lying import LyingServer, hands_on, says, stalls, stalls_within

pytestmark = pytest.mark.sockets
CONTENT = b"measured, not claimed\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
OTHER = "0" * 64
SLOW_DOWN = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    """boto3 waits for up to seconds between two tries."""
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _seconds: None))


def changed(body):
    return body[:-1] + bytes([body[-1] ^ 1]) if body else body


def acts(store):
    """Everything that asks the server."""
    return {
        "put_stream": lambda: store.put_stream([CONTENT]),
        "open": lambda: store.open(SHA256),
        "size": lambda: store.size(SHA256),
        "exists": lambda: store.exists(SHA256),
        "digests": lambda: list(store.digests()),
    }


ACTS = list(acts(None))


@contextmanager
def store_behind(*answers, server=None):
    """A store that asks a lying server, and does not wait for it for long."""
    with LyingServer(*answers) as lying:
        environment = server.environment if server else dict.fromkeys(S3Server.ENVIRONMENT, "none")
        client = S3Server.client_in({**environment, "AWS_ENDPOINT_URL_S3": lying.url}, read_seconds=0.5)
        yield S3Store(Bucket(BUCKET, ""), client), lying


class TestTheServer:
    """What is relied upon."""

    def test_checks_the_digest(self, in_bucket):
        wrong = b64encode(bytes(32)).decode()
        with pytest.raises(ClientError, match="BadDigest"):
            in_bucket.client.put_object(Bucket=BUCKET, Key="wrong", Body=CONTENT, ChecksumSHA256=wrong)

    def test_overwrites_nothing_under_a_condition(self, in_bucket):
        in_bucket.store.put_stream([CONTENT])
        key = f"{in_bucket.prefix}{SHA256[:2]}/{SHA256}"
        with pytest.raises(ClientError, match="PreconditionFailed"):
            in_bucket.client.put_object(Bucket=BUCKET, Key=key, Body=b"other", IfNoneMatch="*")


class TestPutting:
    def test_sends_the_digest_and_the_condition(self, in_bucket, monkeypatch):
        sent = []
        monkeypatch.setattr(in_bucket.client, "put_object", lambda **given: sent.append(given))
        in_bucket.store.put_stream([CONTENT])
        assert sent[0]["ChecksumSHA256"] == b64encode(bytes.fromhex(SHA256)).decode()
        assert sent[0]["IfNoneMatch"] == "*"

    def test_leaves_a_whole_object_as_it_is(self, in_bucket):
        in_bucket.store.put_stream([CONTENT])
        at = {"Bucket": BUCKET, "Key": f"{in_bucket.prefix}{SHA256[:2]}/{SHA256}"}
        in_bucket.client.put_object(**at, Body=CONTENT, Metadata={"mark": "first"})
        in_bucket.store.put_stream([CONTENT])
        assert in_bucket.client.head_object(**at)["Metadata"] == {"mark": "first"}

    def test_keeps_nothing_that_was_changed_on_its_way(self, s3_server, in_bucket):
        with (
            store_behind(hands_on(s3_server.url, changing=changed), server=s3_server) as (store, _),
            pytest.raises(EvidenceUnavailable),
        ):
            store.put_stream([b"to be changed"])
        sha256 = hashlib.sha256(b"to be changed").hexdigest()
        assert not S3Store(Bucket(BUCKET, ""), in_bucket.client).exists(sha256)

    def test_tries_again_when_asked_to_slow_down(self, s3_server):
        with store_behind(says(503, SLOW_DOWN), hands_on(s3_server.url), server=s3_server) as (store, lying):
            assert store.put_stream([b"in the end"]).size == 10
        assert lying.requests == ["PUT", "PUT"]


class TestReading:
    def test_hands_out_no_other_bytes(self):
        with store_behind(says(200, b"measured, not clainned")) as (store, _), pytest.raises(EvidenceDamaged):
            store.open(SHA256)

    def test_takes_no_word_for_a_digest(self, in_bucket):
        """The server's own checksum is that of the bytes it has, which are others."""
        in_bucket.store.put_stream([CONTENT])
        checksum = b64encode(hashlib.sha256(b"other").digest()).decode()
        key = f"{in_bucket.prefix}{SHA256[:2]}/{SHA256}"
        in_bucket.client.put_object(Bucket=BUCKET, Key=key, Body=b"other", ChecksumSHA256=checksum)
        with pytest.raises(EvidenceDamaged):
            in_bucket.store.open(SHA256)

    def test_asks_again_for_a_body_that_was_cut(self):
        cut, whole = says(200, CONTENT[:7], announced=len(CONTENT)), says(200, CONTENT)
        with store_behind(cut, whole) as (store, lying), store.open(SHA256) as file:
            assert file.read() == CONTENT
        assert lying.requests == ["GET", "GET"]

    def test_gives_up_a_body_that_is_cut_every_time(self):
        with (
            store_behind(says(200, CONTENT[:7], announced=len(CONTENT))) as (store, lying),
            pytest.raises(EvidenceUnavailable),
        ):
            store.open(SHA256)
        assert lying.requests == ["GET"] * TRIES

    def test_gives_up_a_body_that_stalls(self):
        with (
            store_behind(stalls_within(CONTENT[:7], announced=len(CONTENT))) as (store, lying),
            pytest.raises(EvidenceUnavailable),
        ):
            store.open(SHA256)
        assert lying.requests == ["GET"] * TRIES


class TestRefusals:
    @pytest.fixture(autouse=True)
    def reasons(self, caplog):
        caplog.set_level(logging.WARNING, logger="exchange.storage")
        return caplog

    @pytest.mark.parametrize("act", ACTS)
    def test_say_that_nobody_answers(self, s3_server, act, reasons):
        client = s3_server.client(AWS_ENDPOINT_URL_S3=f"http://127.0.0.1:{free_port()}")
        with pytest.raises(EvidenceUnavailable) as refusal:
            acts(S3Store(Bucket(BUCKET, ""), client))[act]()
        assert (refusal.value.http, refusal.value.code) == (503, "evidence_unavailable")
        assert refusal.value.retry_after_seconds > 0
        assert "Could not connect" in reasons.text

    @pytest.mark.parametrize("act", ACTS)
    def test_say_that_the_server_stalls(self, act, reasons):
        with store_behind(stalls) as (store, lying), pytest.raises(EvidenceUnavailable):
            acts(store)[act]()
        assert len(lying.requests) == TRIES
        assert "Read timeout" in reasons.text

    @pytest.mark.parametrize("act", ACTS)
    def test_say_that_the_server_is_overloaded(self, act):
        with store_behind(says(503, SLOW_DOWN)) as (store, lying), pytest.raises(EvidenceUnavailable):
            acts(store)[act]()
        assert len(lying.requests) == TRIES

    @pytest.mark.parametrize("act", ACTS)
    def test_say_that_the_secret_is_wrong_without_showing_it(self, s3_server, act, reasons):
        client = s3_server.client(AWS_SECRET_ACCESS_KEY=SECRET + "x")
        with pytest.raises(EvidenceUnavailable) as refusal:
            acts(S3Store(Bucket(BUCKET, ""), client))[act]()
        assert SECRET not in reasons.text + str(refusal.value)
        assert "403" in reasons.text or "SignatureDoesNotMatch" in reasons.text

    @pytest.mark.parametrize("act", ACTS)
    def test_say_that_there_is_no_bucket(self, s3_client, act):
        """That no object is there would be said of a bucket alone."""
        with pytest.raises(EvidenceUnavailable):
            acts(S3Store(Bucket("no-such-bucket", ""), s3_client))[act]()

    def test_say_that_the_address_is_none(self, s3_server):
        with pytest.raises(EvidenceUnavailable):
            s3_server.client(AWS_ENDPOINT_URL_S3="s3.example.org")

    def test_say_that_an_object_is_missing_where_the_bucket_is_not(self, in_bucket):
        with pytest.raises(EvidenceMissing):
            in_bucket.store.open(OTHER)
        with pytest.raises(EvidenceMissing):
            in_bucket.store.size(OTHER)


class TestGetStore:
    def test_follows_the_settings(self, settings, s3_server, in_bucket, monkeypatch):
        for name, value in s3_server.environment.items():
            monkeypatch.setenv(name, value)
        settings.EVIDENCE_URL = f"s3://{BUCKET}/{in_bucket.prefix}"
        get_store().put_stream([CONTENT])
        assert in_bucket.names() == [f"{SHA256[:2]}/{SHA256}"]
