"""Large files past the exchange, straight to its store."""

import hashlib
import logging

import httpx
import pytest

from llm_benchmark import errors
from llm_benchmark.services import submissions

from .stub import Stub, problem

CONTENT = bytes(range(256)) * 10
SHA256 = hashlib.sha256(CONTENT).hexdigest()
PART = 1000
STORE = "https://s3.example.org/part"
EVIDENCE = {
    "id": "e", "name": "large.bin", "media_type": "application/zip", "size_bytes": len(CONTENT),
    "sha256": SHA256, "created_at": "2026-03-01T12:00:00Z",
}  # fmt: skip
BEGUN = {
    "id": "u", "part_size_bytes": PART, "urls": [f"{STORE}?{n}" for n in range(3)],
    "expires_at": "2026-03-01T13:00:00Z",
}  # fmt: skip
TAKEN = httpx.Response(200)
BUSY = httpx.Response(503, content=b"<Error><Code>SlowDown</Code></Error>")


@pytest.fixture
def large(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "DIRECT_FROM_BYTES", len(CONTENT))
    path = tmp_path / "large.bin"
    path.write_bytes(CONTENT)
    return path


def paths(stub):
    return [request.url.path.removeprefix("/api/v1/") for request in stub.requests]


def add(stub, path, **options):
    return stub.client.submissions.add_evidence("s", path, **options)


class TestALargeFile:
    def test_goes_to_the_store_part_by_part(self, large):
        stub = Stub(BEGUN, TAKEN, TAKEN, TAKEN, EVIDENCE)

        assert add(stub, large).id == "e"

        assert paths(stub) == [
            "submissions/s/evidence-uploads",
            *["/part"] * 3,
            "evidence-uploads/u/complete",
        ]
        assert b"".join(request.content for request in stub.requests[1:4]) == CONTENT
        assert [request.headers["Content-Length"] for request in stub.requests[1:4]] == [
            "1000",
            "1000",
            "560",
        ]

    def test_is_announced_by_its_name_size_and_digest(self, large):
        stub = Stub(BEGUN, TAKEN, TAKEN, TAKEN, EVIDENCE)

        add(stub, large, name="mine.bin")

        assert b'"name":"mine.bin"' in stub.requests[0].content
        assert f'"size_bytes":{len(CONTENT)},"sha256":"{SHA256}"'.encode() in stub.requests[0].content

    def test_takes_no_token_to_the_store(self, large):
        stub = Stub(BEGUN, TAKEN, TAKEN, TAKEN, EVIDENCE, token="lbx_pat_secret")

        add(stub, large)

        assert ["Authorization" in request.headers for request in stub.requests] == [True, *[False] * 3, True]

    def test_says_how_far_it_is(self, large):
        seen = []

        add(Stub(BEGUN, TAKEN, TAKEN, TAKEN, EVIDENCE), large, progress=lambda *at: seen.append(at))

        assert seen == [(1000, len(CONTENT)), (2000, len(CONTENT)), (len(CONTENT), len(CONTENT))]

    def test_sends_a_part_again_that_was_not_taken(self, large):
        stub = Stub(BEGUN, BUSY, TAKEN, httpx.WriteError("broken pipe"), TAKEN, TAKEN, EVIDENCE)

        add(stub, large)

        sent = [request.content for request in stub.requests[1:6]]
        assert sent == [CONTENT[:1000]] * 2 + [CONTENT[1000:2000]] * 2 + [CONTENT[2000:]]

    @pytest.mark.parametrize("code", ["direct_upload_not_offered", "too_many_uploads", "not_found"])
    def test_goes_through_the_exchange_where_there_is_no_other_way(self, large, code):
        stub = Stub(problem(409, code), EVIDENCE)

        add(stub, large)

        assert paths(stub) == ["submissions/s/evidence-uploads", "submissions/s/evidence"]
        assert CONTENT in stub.requests[1].content

    @pytest.mark.parametrize("trouble", [httpx.ConnectTimeout("unreachable"), httpx.Response(403)])
    def test_goes_through_the_exchange_where_the_store_does_not_take_it(self, large, trouble, caplog):
        caplog.set_level(logging.INFO, logger="llm_benchmark")
        stub = Stub(BEGUN, trouble, EVIDENCE)

        add(stub, large)

        assert paths(stub)[-1] == "submissions/s/evidence"
        assert "large.bin is sent through the exchange" in caplog.text

    def test_is_not_sent_at_all_where_it_would_be_refused(self, large):
        stub = Stub(problem(409, "evidence_name_taken"))

        with pytest.raises(errors.Conflict):
            add(stub, large)

        assert paths(stub) == ["submissions/s/evidence-uploads"]

    def test_that_arrived_damaged_is_refused(self, large):
        stub = Stub(BEGUN, TAKEN, TAKEN, TAKEN, problem(400, "digest_mismatch"))

        with pytest.raises(errors.InvalidInput):
            add(stub, large)


def test_a_smaller_file_goes_through_the_exchange(large):
    large.write_bytes(CONTENT[:-1])
    stub = Stub(EVIDENCE)

    add(stub, large)

    assert paths(stub) == ["submissions/s/evidence"]
