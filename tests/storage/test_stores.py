"""What every store does: on disk, and on a real S3 server."""

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
from exchange.storage.streams import CHUNK_BYTES

CONTENT = b"measured, not claimed\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
NAME = f"{SHA256[:2]}/{SHA256}"


def read(store, sha256):
    with store.open(sha256) as file:
        return file.read()


class TestPutStream:
    def test_keeps_the_bytes_under_their_digest(self, store, place):
        stored = store.put_stream([CONTENT[:5], CONTENT[5:]])
        assert (stored.sha256, stored.size) == (SHA256, len(CONTENT))
        assert read(store, SHA256) == CONTENT
        assert place.names() == [NAME]

    @pytest.mark.parametrize("size", [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 5 * CHUNK_BYTES])
    def test_keeps_files_of_every_size(self, store, size):
        content = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
        stored = store.put_stream([content])
        assert store.size(stored.sha256) == size
        assert read(store, stored.sha256) == content

    def test_keeps_the_same_bytes_once(self, store, place):
        assert store.put_stream([CONTENT]) == store.put_stream([CONTENT])
        assert place.names() == [NAME]

    def test_mends_a_damaged_object_by_its_own_bytes(self, store, place):
        store.put_stream([CONTENT])
        place.overwrite(NAME, b"inflated")
        store.put_stream([CONTENT])
        assert read(store, SHA256) == CONTENT

    def test_refuses_more_than_the_limit_and_leaves_nothing(self, store, place):
        with pytest.raises(EvidenceTooLarge):
            store.put_stream([CONTENT], limit=len(CONTENT) - 1)
        assert place.names() == []

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

    def test_refuses_another_digest_and_leaves_nothing(self, store, place):
        with pytest.raises(DigestMismatch) as refusal:
            store.put_stream([CONTENT], expect="0" * 64)
        assert [(error.field, error.code) for error in refusal.value.errors] == [
            ("sha256", "digest_mismatch")
        ]
        assert place.names() == []

    def test_leaves_nothing_of_a_stream_that_breaks(self, store, place):
        def broken():
            yield CONTENT
            raise ConnectionError

        with pytest.raises(ConnectionError):
            store.put_stream(broken())
        assert place.names() == []

    def test_many_at_once_keep_one_whole_object(self, store, place):
        threads = [threading.Thread(target=store.put_stream, args=([CONTENT] * 3,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(place.names()) == 1
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

    def test_does_not_hand_out_changed_bytes(self, store, place):
        store.put_stream([CONTENT])
        place.overwrite(NAME, b"inflated")
        with pytest.raises(EvidenceDamaged):
            store.open(SHA256)

    def test_knows_the_size(self, store):
        store.put_stream([CONTENT])
        assert store.size(SHA256) == len(CONTENT)
        assert store.exists(SHA256)


class TestDigests:
    def test_are_those_of_all_objects_and_nothing_else(self, store, place):
        kept = {store.put_stream([CONTENT * count]).sha256 for count in range(3)}
        place.overwrite(NAME.replace(SHA256, "notes.txt"), b"no evidence")
        assert set(store.digests()) == kept


class TestFilesystemStore:
    def test_lets_only_the_owner_read(self, tmp_path):
        FilesystemStore(tmp_path).put_stream([CONTENT])
        assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600

    def test_is_found_by_the_settings(self, settings, tmp_path):
        settings.EVIDENCE_URL = (tmp_path / "spaced out").as_uri()
        get_store().put_stream([CONTENT])
        assert (tmp_path / "spaced out" / NAME).is_file()
