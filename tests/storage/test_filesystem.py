import hashlib
import stat
import threading

import pytest

from exchange.storage import (
    DigestMismatch,
    EvidenceDamaged,
    EvidenceMissing,
    EvidenceTooLarge,
    FilesystemStore,
    get_store,
)

CONTENT = b"measured, not claimed\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def root(tmp_path):
    return tmp_path / "evidence"


@pytest.fixture
def store(root):
    return FilesystemStore(root)


def files_in(root):
    return [path for path in root.rglob("*") if path.is_file()]


def read(store, sha256):
    with store.open(sha256) as file:
        return file.read()


class TestPutStream:
    def test_keeps_the_bytes_under_their_digest(self, store, root):
        stored = store.put_stream([CONTENT[:5], CONTENT[5:]])
        assert (stored.sha256, stored.size) == (SHA256, len(CONTENT))
        assert read(store, SHA256) == CONTENT
        assert files_in(root) == [root / SHA256[:2] / SHA256]

    def test_only_the_owner_may_read(self, store, root):
        store.put_stream([CONTENT])
        modes = {stat.S_IMODE(path.stat().st_mode) for path in files_in(root)}
        assert modes == {0o600}

    def test_keeps_the_same_bytes_once(self, store, root):
        assert store.put_stream([CONTENT]) == store.put_stream([CONTENT])
        assert len(files_in(root)) == 1

    def test_refuses_more_than_the_limit_and_leaves_nothing(self, store, root):
        with pytest.raises(EvidenceTooLarge):
            store.put_stream([CONTENT], limit=len(CONTENT) - 1)
        assert files_in(root) == []

    def test_takes_exactly_the_limit(self, store):
        assert store.put_stream([CONTENT], limit=len(CONTENT)).size == len(CONTENT)

    def test_reads_no_further_than_the_limit(self, store):
        taken = []

        def endless():
            while True:
                taken.append(1)
                yield b"x" * 1000

        with pytest.raises(EvidenceTooLarge):
            store.put_stream(endless(), limit=5000)
        assert len(taken) == 6

    def test_refuses_another_digest_and_leaves_nothing(self, store, root):
        with pytest.raises(DigestMismatch) as refusal:
            store.put_stream([CONTENT], expect="0" * 64)
        assert [(error.field, error.code) for error in refusal.value.errors] == [
            ("sha256", "digest_mismatch")
        ]
        assert files_in(root) == []

    def test_leaves_nothing_of_a_stream_that_breaks(self, store, root):
        def broken():
            yield CONTENT
            raise ConnectionError

        with pytest.raises(ConnectionError):
            store.put_stream(broken())
        assert files_in(root) == []

    def test_many_at_once_keep_one_whole_object(self, store, root):
        threads = [threading.Thread(target=store.put_stream, args=([CONTENT] * 3,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(files_in(root)) == 1
        assert read(store, hashlib.sha256(CONTENT * 3).hexdigest()) == CONTENT * 3


class TestPutFile:
    def test_keeps_a_copy(self, store, tmp_path):
        path = tmp_path / "bundle.zip"
        path.write_bytes(CONTENT)
        assert store.put_file(path).sha256 == SHA256
        path.unlink()
        assert read(store, SHA256) == CONTENT


class TestOpen:
    @pytest.mark.parametrize(
        "name", ["", "ab", "../" * 4 + "etc/passwd", SHA256.upper(), SHA256 + "\n", "/" + SHA256, "٠" * 64]
    )
    def test_refuses_what_is_no_digest(self, store, name):
        store.put_stream([CONTENT])
        with pytest.raises(EvidenceMissing):
            store.open(name)
        assert not store.exists(name)
        with pytest.raises(EvidenceMissing):
            store.size(name)

    def test_says_that_there_is_none(self, store):
        with pytest.raises(EvidenceMissing):
            store.open(SHA256)
        assert not store.exists(SHA256)

    def test_does_not_hand_out_changed_bytes(self, store, root):
        store.put_stream([CONTENT])
        (root / SHA256[:2] / SHA256).write_bytes(b"inflated")
        with pytest.raises(EvidenceDamaged):
            store.open(SHA256)

    def test_knows_the_size(self, store):
        store.put_stream([CONTENT])
        assert store.size(SHA256) == len(CONTENT)
        assert store.exists(SHA256)


class TestGetStore:
    def test_follows_the_settings(self, settings, root):
        settings.EVIDENCE_URL = root.as_uri()
        get_store().put_stream([CONTENT])
        assert len(files_in(root)) == 1
