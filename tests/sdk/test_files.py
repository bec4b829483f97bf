import hashlib
import resource
from contextlib import contextmanager

import httpx
import pytest

from llm_benchmark import errors

from .stub import Stub, problem

CONTENT = bytes(range(256)) * 1024
SHA256 = hashlib.sha256(CONTENT).hexdigest()
EVIDENCE = {
    "id": "e", "name": "result.json", "media_type": "application/json", "size_bytes": len(CONTENT),
    "sha256": SHA256, "created_at": "2026-03-01T12:00:00Z",
}  # fmt: skip


@pytest.fixture
def result(tmp_path):
    path = tmp_path / "result.json"
    path.write_bytes(CONTENT)
    return path


def content(sha256=SHA256):
    return httpx.Response(200, content=CONTENT, headers={"X-Content-SHA256": sha256})


class TestAddingEvidence:
    def test_sends_the_file_its_name_and_its_digest(self, result):
        stub = Stub(EVIDENCE)

        evidence = stub.client.submissions.add_evidence("s", result)

        sent = stub.requests[0]
        assert evidence.sha256 == SHA256
        assert sent.headers["Content-Type"].startswith("multipart/form-data")
        assert CONTENT in sent.content
        assert SHA256.encode() in sent.content
        assert b'filename="result.json"' in sent.content

    def test_gives_it_another_name(self, result):
        stub = Stub(EVIDENCE)

        stub.client.submissions.add_evidence("s", result, name="mine.json")

        assert b'filename="mine.json"' in stub.requests[0].content

    def test_says_how_far_it_is(self, result):
        seen = []

        Stub(EVIDENCE).client.submissions.add_evidence("s", result, progress=lambda *at: seen.append(at))

        assert seen[-1] == (len(CONTENT), len(CONTENT))
        assert len(seen) > 2
        assert seen == sorted(seen)

    def test_starts_again_where_the_connection_breaks(self, result):
        stub = Stub(httpx.WriteError("broken pipe"), problem(503, "unavailable"), EVIDENCE)
        seen = []

        stub.client.submissions.add_evidence("s", result, progress=lambda *at: seen.append(at[0]))

        assert all(CONTENT in request.content for request in stub.requests)
        assert len({request.headers["Idempotency-Key"] for request in stub.requests}) == 1
        assert seen.count(len(CONTENT)) == 3

    def test_refuses_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(errors.InvalidInput, match=r"gone.json cannot be read: No such file"):
            Stub(EVIDENCE).client.submissions.add_evidence("s", tmp_path / "gone.json")

    def test_refuses_a_folder(self, tmp_path):
        with pytest.raises(errors.InvalidInput, match="cannot be read: Is a directory"):
            Stub(EVIDENCE).client.submissions.add_evidence("s", tmp_path)


class TestADownload:
    def test_writes_what_came(self, tmp_path):
        to = tmp_path / "bundle.zip"

        given = Stub(content()).client.verifications.download_bundle("r", to=str(to))

        assert given == to
        assert to.read_bytes() == CONTENT
        assert list(tmp_path.iterdir()) == [to]

    def test_says_how_far_it_is(self, tmp_path):
        seen = []

        Stub(content()).client.submissions.download_evidence(
            "e", to=tmp_path / "a", progress=lambda *at: seen.append(at)
        )

        assert seen[-1] == (len(CONTENT), len(CONTENT))

    def test_leaves_no_damaged_file(self, tmp_path):
        to = tmp_path / "bundle.zip"
        to.write_text("older")

        with pytest.raises(errors.NotReached, match="arrived damaged") as refusal:
            Stub(content("0" * 64)).client.verifications.download_bundle("r", to=to)
        assert refusal.value.code == "digest_mismatch"
        assert [path.name for path in tmp_path.iterdir()] == ["bundle.zip"]
        assert to.read_text() == "older"

    def test_is_tried_again_where_it_broke_off(self, tmp_path):
        def broken(_request):
            return httpx.Response(200, stream=Breaking())

        to = tmp_path / "bundle.zip"
        stub = Stub(broken, content())

        stub.client.verifications.download_bundle("r", to=to)

        assert to.read_bytes() == CONTENT
        assert len(stub.requests) == 2

    def test_refuses_a_place_that_is_none(self, tmp_path):
        with pytest.raises(errors.InvalidInput, match="cannot be written: No such file or directory"):
            Stub(content()).client.verifications.download_bundle("r", to=tmp_path / "no" / "a.zip")

    def test_leaves_nothing_on_a_full_disk(self, tmp_path):
        with a_disk_of(len(CONTENT) // 2), pytest.raises(errors.InvalidInput, match="cannot be written"):
            Stub(content()).client.verifications.download_bundle("r", to=tmp_path / "a.zip")
        assert list(tmp_path.iterdir()) == []

    def test_writes_into_no_file_that_was_put_in_its_way(self, tmp_path, monkeypatch):
        monkeypatch.setattr("secrets.token_hex", lambda _size: "guessed")
        other = tmp_path / "other"
        (tmp_path / ".guessed.part").symlink_to(other)

        with pytest.raises(errors.InvalidInput, match="cannot be written: File exists"):
            Stub(content()).client.verifications.download_bundle("r", to=tmp_path / "a.zip")
        assert not other.exists()

    def test_says_the_exchange_s_refusal(self, tmp_path):
        with pytest.raises(errors.NotFound, match="No such run"):
            Stub(problem(404, "run_not_found", "No such run.")).client.verifications.download_bundle(
                "r", to=tmp_path / "a.zip"
            )
        assert list(tmp_path.iterdir()) == []


@contextmanager
def a_disk_of(size):
    """No file gets longer."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class Breaking(httpx.SyncByteStream):
    def __iter__(self):
        yield CONTENT[:100]
        raise httpx.ReadError("connection reset")
