"""Answers that are made to hurt: each is read by all that reads answers, ends with one code in bounded memory
and leaves no key behind."""

import json
import re
import threading
from pathlib import Path

import pytest

from llm_benchmark.measure.faults import FAULTS
from llm_benchmark.measure.gateway import Bounds, Gateway, read_bodies, read_journal
from llm_benchmark.measure.plans import EgressRules, Side, Target
from llm_benchmark.measure.redaction import is_echoed

from .lanes import ask
from .readers import codes, read_all
from .rogue import ANSWERS, KEY, MIB, Rogue

pytestmark = pytest.mark.sockets
MOST_MIB = 300

TOO_LARGE = {
    *("bottomless", "bottomless-length", "bottomless-stream", "stream-of-nothing", "one-endless-event"),
    *("endless-head", "endless-header", "many-headers", "endless-interim"),
    *("chunk-extension", "chunk-extensions", "endless-trailers"),
}
PACKED = {"gzip-bomb", "deflate-bomb"}
NO_ANSWER = {
    *("many-lists", "many-texts", "many-objects", "gzip-transfer", "bad-utf8", "bad-utf8-head"),
    *("not-http", "http-2", "switching", "two-lengths", "negative-length", "length-and-chunks", "bad-chunk"),
    *("nested-deeper", "long-number", "usage-infinite", "usage-nan"),
}
TAKEN = {
    *("honest", "padded", "padded-stream", "usage-negative"),
    *("key-in-text", "key-escaped", "key-as-name", "key-as-model", "key-in-head"),
}
CODES = {
    **dict.fromkeys(TOO_LARGE, "response_too_large"),
    **dict.fromkeys(PACKED, "encoding_refused"),
    **dict.fromkeys(NO_ANSWER, "invalid_response"),
    **dict.fromkeys(TAKEN),
    "nested": "provider_reported_error",
    "nested-event": "provider_reported_error",
    "key-in-refusal": "request_refused",
    "hoard": "response_too_large",
}
LISTED = {  # where a list of models ends otherwise than a question
    **dict.fromkeys(("nested", "nested-event"), "invalid_response"),
    **dict.fromkeys(("padded", "padded-stream"), "response_too_large"),
    **dict.fromkeys(("many-lists", "many-texts", "many-objects"), "too_many_models"),
    **dict.fromkeys(("usage-infinite", "usage-nan"), "invalid_response"),
    **dict.fromkeys(("key-in-text", "key-escaped", "key-as-name", "key-as-model"), "credential_echoed"),
}
# A load is asked for as a stream, and takes nothing else.
NO_STREAM = (
    *("padded", "many-lists", "many-texts", "many-objects", "bad-chunk", "nested", "nested-deeper"),
    *("bad-utf8", "long-number", "usage-infinite", "usage-nan", "usage-negative", "key-in-head"),
    *("key-in-text", "key-escaped", "key-as-name", "key-as-model"),
)
LOADED = {
    **CODES,
    **dict.fromkeys(NO_STREAM, "wrong_content_type"),
    "switching": "unexpected_status",
    "key-in-refusal": "http_error",
    "hoard": "idle_timeout",
}
HOARDERS = 16
HEAVY, HEAVY_TOKENS = ("many-lists", "many-texts", "many-objects"), 126
"""Documents of eight tokens a mebibyte: just below the gateway's limit."""


@pytest.fixture(scope="module")
def rogue():
    with Rogue() as running:
        yield running


def target(rogue):
    rules = EgressRules(allow=frozenset({rogue.host_and_port}))
    return Target(f"http://{rogue.host_and_port}/v1", "m", KEY, egress=rules)


def test_every_answer_has_its_code():
    assert set(CODES) == set(ANSWERS)
    assert set(filter(None, CODES.values())) <= set(FAULTS)


@pytest.fixture(scope="module")
def read(rogue):
    """What the readers made of each answer, all in one process."""
    return read_all({answer: rogue.url(answer) for answer in ANSWERS}, key=KEY)


class TestReaders:
    @pytest.mark.parametrize("answer", ANSWERS)
    def test_give_each_answer_its_code(self, read, answer):
        found = codes(read["found"][answer])

        usual, listed = CODES[answer], LISTED.get(answer, CODES[answer])
        assert found == {"questions": usual, "streams": usual, "check": usual, "list": listed}

    @pytest.mark.parametrize("answer", ANSWERS)
    def test_keep_no_key(self, read, answer):
        assert not is_echoed(json.dumps(read["found"][answer]), KEY)

    def test_need_little_memory_for_all_of_them_together(self, read):
        assert read["peak_mib"] < MOST_MIB


@pytest.fixture(scope="module")
def loaded(rogue, tmp_path_factory):
    """Each answer to a canary and to a load; then as many hoards at once."""
    folder = tmp_path_factory.mktemp("gateway")
    bounds = Bounds(idle_seconds=2.0, first_byte_seconds=10.0, total_seconds=60.0)
    with Gateway.start(target(rogue), bounds, folder) as gateway:
        for answer in ANSWERS:
            ask(gateway, answer, key=gateway.canary_key)
            ask(gateway, answer, key=gateway.key)
        for answer in HEAVY:
            ask(gateway, answer, stream=False, max_tokens=HEAVY_TOKENS)
        hoarders = [threading.Thread(target=ask, args=(gateway, "hoard")) for _ in range(HOARDERS)]
        for hoarder in hoarders:
            hoarder.start()
        for hoarder in hoarders:
            hoarder.join()
        peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{gateway.pid}/status").read_text())
    return folder, read_journal(gateway.journal_path), int(peak[1]) / 1024


class TestGateway:
    @pytest.mark.parametrize("answer", ANSWERS)
    def test_gives_each_answer_its_code(self, loaded, answer):
        canary, load, *_ = [entry.outcome for entry in loaded[1] if entry.request_id == answer]

        large = {"padded-stream", "hoard"}  # for a canary, which asks for eight tokens
        assert load == (LOADED[answer] or "ok")
        assert canary == ("response_too_large" if answer in large else load)

    def test_holds_no_more_than_it_may_however_many_answers_are_under_way(self, loaded):
        """What it holds of hoards, and what documents of many values would take."""
        hoards = [entry.outcome for entry in loaded[1] if entry.request_id == "hoard"][2:]

        assert len(hoards) == HOARDERS
        assert set(hoards) == {"response_too_large", "idle_timeout"}
        assert loaded[2] < MOST_MIB

    @pytest.mark.parametrize("answer", HEAVY)
    def test_takes_no_document_apart_that_would_fill_the_memory(self, loaded, answer):
        entry = [entry for entry in loaded[1] if entry.request_id == answer][-1]

        assert (entry.outcome, entry.byte_count > 15 * MIB) == ("invalid_response", True)

    def test_keeps_no_key(self, loaded):
        folder, _, _ = loaded
        kept = [body for _, _, body in read_bodies(folder / "bodies.jsonl.gz")]

        assert not any(is_echoed(text, KEY) for text in [*kept, (folder / "journal.jsonl").read_bytes()])

    def test_writes_no_traceback(self, loaded):
        assert (loaded[0] / "gateway.log").read_text() == ""

    def test_blames_the_provider(self):
        codes = {code for code in LOADED.values() if code not in {None, "http_error"}}
        assert {FAULTS[code].side for code in codes} == {Side.PROVIDER}
