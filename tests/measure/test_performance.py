import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from llm_benchmark.measure.bundle import check, public_part
from llm_benchmark.measure.faults import outcome_failure
from llm_benchmark.measure.gateway import JournalEntry, SentLine
from llm_benchmark.measure.home import HomeSink
from llm_benchmark.measure.performance.aiperf import Aiperf
from llm_benchmark.measure.performance.ledger import Ledger
from llm_benchmark.measure.performance.runner import run_performance
from llm_benchmark.measure.plans import EgressRules, PerformancePlan, Side, Target, Usage
from llm_benchmark.measure.redaction import is_echoed
from llm_benchmark.measure.sink import Stop

from .ledger import MemorySink
from .upstream import KEY, Upstream

PLAN = PerformancePlan(
    input_tokens=64, output_tokens=8, requests=4, seed=5, concurrency=2, request_timeout_seconds=2.0
)
WAITS = "#!/bin/sh\nexec sleep 60\n"


@pytest.fixture(scope="module")
def upstream():
    with Upstream() as running:
        yield running


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("tokenizer")


@pytest.fixture
def run(upstream, cache, tmp_path):
    def run(mode="ok", *, plan=PLAN, sink=None, cancel=None, url=None, model="m", api_key=KEY, **options):
        target = Target(
            url or upstream.url(mode), model, api_key=api_key, egress=EgressRules(allow=upstream.allow)
        )
        return run_performance(
            plan,
            target,
            sink or MemorySink(),
            cancel or threading.Event(),
            workdir=tmp_path / "run",
            tokenizer_cache=cache,
            **options,
        )

    return run


@pytest.fixture
def waiting(tmp_path):
    """A program in AIPerf's place that sends nothing."""
    return program(tmp_path, WAITS)


def program(folder, text):
    path = folder / "aiperf"
    path.write_text(text)
    path.chmod(0o755)
    return path


def sent(number, purpose="request"):
    return SentLine(number, f"id-{number}", purpose, 0)


def ended(number, purpose="request", outcome="ok", status=200):
    return JournalEntry(number, f"id-{number}", purpose, outcome, 0, status=status, usage=Usage(1, 2))


class TestLedger:
    @pytest.fixture
    def sink(self):
        return MemorySink()

    @pytest.fixture
    def ledger(self, sink):
        ledger = Ledger(sink)
        ledger.reserve(warmup=1, requests=2)
        return ledger

    def test_reserves_everything_before_anything_is_sent(self, ledger, sink):
        assert sink.counts() == {
            ("canary", "reserved"): 1,
            ("warmup", "reserved"): 1,
            ("request", "reserved"): 2,
        }

    def test_takes_the_warm_up_first(self, ledger, sink):
        ledger.record([sent(1, "canary"), ended(1, "canary"), sent(2), ended(2), sent(3)])

        assert sink.counts() == {
            ("canary", "settled"): 1,
            ("warmup", "settled"): 1,
            ("request", "sent"): 1,
            ("request", "reserved"): 1,
        }

    def test_loses_what_nobody_knows_about_and_releases_the_rest(self, ledger, sink):
        ledger.record(
            [sent(1, "canary"), ended(1, "canary"), sent(2), ended(2, outcome="reset", status=None)]
        )
        ledger.record([sent(3)])

        ledger.close()

        assert sink.counts() == {
            ("canary", "settled"): 1,
            ("warmup", "lost"): 1,
            ("request", "lost"): 1,
            ("request", "released"): 1,
        }

    def test_does_not_count_what_was_never_sent(self, ledger, sink):
        ledger.record([JournalEntry(1, "id-1", "request", "connect_failed", 0)])

        ledger.close()

        assert set(sink.states.values()) == {"released"}


class TestOutcomeFailure:
    @pytest.mark.parametrize(
        ("outcome", "status", "side"),
        [
            ("http_error", 401, Side.SUBMITTER),
            ("http_error", 404, Side.SUBMITTER),
            ("http_error", 429, Side.PROVIDER),
            ("http_error", 500, Side.PROVIDER),
            ("http_error", 418, Side.PROVIDER),
            ("redirect_refused", 307, Side.PROVIDER),
            ("empty_response", None, Side.MODEL),
            ("request_bound_reached", None, Side.PROVIDER),
            ("client_disconnected", 200, Side.PLATFORM),
        ],
    )
    def test_names_a_side_for_every_outcome(self, outcome, status, side):
        assert outcome_failure(outcome, status).side is side


@pytest.mark.sockets
class TestRunPerformance:
    @pytest.mark.parametrize(
        ("mode", "side", "code"),
        [
            ("status-401", Side.SUBMITTER, "authentication_failed"),
            ("status-404", Side.SUBMITTER, "model_not_found"),
            ("status-429", Side.PROVIDER, "rate_limited"),
            ("status-500", Side.PROVIDER, "provider_error"),
            ("redirect", Side.PROVIDER, "redirect_refused"),
            ("truncated", Side.PROVIDER, "incomplete_stream"),
            ("echoes-key", Side.PROVIDER, "credential_echoed"),
            ("silent", Side.PROVIDER, "first_byte_timeout"),
        ],
    )
    def test_ends_with_the_canary(self, run, waiting, mode, side, code):
        sink = MemorySink()

        outcome = run(mode, sink=sink, aiperf=waiting)

        assert (outcome.failure.side, outcome.failure.code) == (side, code)
        assert set(sink.counts()) <= {
            ("canary", "settled"),
            ("canary", "lost"),
            ("warmup", "released"),
            ("request", "released"),
        }

    @pytest.mark.parametrize("mode", ["echoes-key-in-base64", "echoes-key-in-pieces"])
    def test_keeps_no_answer_of_a_provider_that_says_the_key(self, run, waiting, tmp_path, mode):
        outcome = run(mode, aiperf=waiting)

        assert outcome.failure.code == "credential_echoed"
        assert set(outcome.files) == set(outcome.digests) == {"gateway/journal.jsonl"}
        left = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
        assert not any(is_echoed(content, KEY) for content in left)

    @pytest.mark.parametrize(
        ("options", "side", "code"),
        [
            ({"url": "http://169.254.169.254/v1"}, Side.SUBMITTER, "address_not_public"),
            ({"url": "http://127.0.0.1:1/v1"}, Side.SUBMITTER, "port_refused"),
            ({"url": "http://nowhere.invalid/v1"}, Side.PROVIDER, "host_unknown"),
            ({"api_key": "a b"}, Side.SUBMITTER, "key_characters"),
            ({"model": "a,b"}, Side.SUBMITTER, "model_name"),
            ({"aiperf": Path("/nowhere/aiperf")}, Side.PLATFORM, "aiperf_missing"),
        ],
    )
    def test_reserves_nothing_for_what_cannot_be_measured(self, run, options, side, code):
        sink = MemorySink()

        outcome = run(sink=sink, **options)

        assert (outcome.failure.side, outcome.failure.code) == (side, code)
        assert not sink.reservations

    @pytest.mark.parametrize(
        "url",
        ["http://10.7.7.7/v1", "http://db7.local/v1", "http://host7.invalid/v1", "http://host7.com:25/v1"],
    )
    def test_tells_nobody_the_host(self, run, url):
        message = run(url=url).failure.message

        assert not any(part in message for part in ("7", "db", "host7", "25"))

    def test_blames_the_platform_for_a_tool_that_fails(self, run, tmp_path):
        sink = MemorySink()

        outcome = run(sink=sink, aiperf=program(tmp_path, "#!/bin/sh\nsleep 1\nexit 3\n"))

        assert (outcome.failure.side, outcome.failure.code) == (Side.PLATFORM, "aiperf_failed")
        assert sink.counts()["request", "released"] == 4

    def test_blames_the_platform_for_a_tool_that_leaves_nothing(self, run, tmp_path):
        outcome = run(aiperf=program(tmp_path, "#!/bin/sh\nsleep 1\n"))

        assert (outcome.failure.side, outcome.failure.code) == (Side.PLATFORM, "export_broken")
        assert outcome.failure.message == "FileNotFoundError: No such file or directory"

    def test_stops_a_tool_that_takes_too_long(self, run, waiting):
        outcome = run(plan=replace(PLAN, wall_seconds=1.0), aiperf=waiting)

        assert (outcome.failure.side, outcome.failure.code) == (Side.PLATFORM, "aiperf_stalled")

    def test_sends_nothing_when_the_bound_is_zero(self, run, upstream, waiting):
        before = len(upstream.requests)

        outcome = run(plan=replace(PLAN, request_bound=0), aiperf=waiting)

        assert outcome.failure.code == "request_bound_reached"
        assert len(upstream.requests) == before

    def test_stops_when_the_lease_is_gone(self, run, waiting):
        sink = MemorySink(beats=3)

        outcome = run(sink=sink, aiperf=waiting, heartbeat_seconds=0.1)

        assert (outcome.cancelled, outcome.failure, sink.beats) == (True, None, 3)
        assert sink.counts()["request", "released"] == 4

    def test_stops_when_asked_to(self, run, waiting):
        cancel = threading.Event()
        cancel.set()

        assert run(cancel=cancel, aiperf=waiting).cancelled

    def test_writes_nothing_more_after_stop(self, run, waiting, monkeypatch):
        started, stopped = [], []
        monkeypatch.setattr(Aiperf, "__init__", noting(Aiperf.__init__, started))
        monkeypatch.setattr(Aiperf, "stop", noting(Aiperf.stop, stopped))

        class Fenced(MemorySink):
            def heartbeat(self):
                if started:
                    raise Stop
                return True

        sink = Fenced()
        with pytest.raises(Stop):
            run(sink=sink, aiperf=waiting, heartbeat_seconds=0.1)

        assert "released" not in sink.states.values()
        assert [process.exit_code for process in stopped] == [-2]

    def test_counts_a_providers_errors_among_the_answers(self, run, upstream):
        sink = MemorySink()

        outcome = run("every-3-status-500", plan=replace(PLAN, requests=6), sink=sink)

        assert outcome.failure is None
        assert outcome.metrics["error_rate"] == pytest.approx(outcome.findings["errors"]["http_error"] / 6)
        assert "provider_errors" in outcome.flags
        assert {settlement.http_status for settlement in sink.settlements} == {200, 500}

    @pytest.mark.parametrize("mode", ["redirect", "reset"])
    def test_never_blames_the_platform_for_a_provider_that_fails_now_and_then(self, run, mode):
        plan = replace(PLAN, requests=24, request_rate=200.0)

        outcome = run(f"every-3-{mode}", plan=plan)

        assert outcome.failure is None
        assert "provider_errors" in outcome.flags
        assert sum(outcome.findings["errors"].values()) >= 7

    def test_leaves_at_home_what_the_platform_checks(self, run, tmp_path):
        path, public = tmp_path / "run.zip", tmp_path / "public.zip"
        with HomeSink(tmp_path / "home") as sink:
            outcome = run(sink=sink)
            sha256 = sink.write_performance_bundle(path, plan=PLAN, outcome=outcome, configuration={})

        report = check(path, sha256=sha256)
        assert (report.ok, report.problems) == (True, ())
        public_part(path, public)
        assert check(public).ok
        assert b"127.0.0.1" not in public.read_bytes()
        assert str(tmp_path).encode() not in public.read_bytes()

    def test_does_not_measure_past_the_bound(self, run):
        outcome = run(plan=replace(PLAN, requests=6, request_bound=6))

        assert (outcome.failure.side, outcome.failure.code) == (Side.PROVIDER, "request_bound_reached")

    def test_measures_an_endpoint_that_does_not_stream(self, run):
        outcome = run(plan=replace(PLAN, streaming=False))

        assert outcome.failure is None
        assert outcome.metrics["ttft_p50"] is None
        assert outcome.metrics["request_latency_p50"] > 0


def noting(method, seen):
    def noted(self, *arguments, **named):
        method(self, *arguments, **named)
        seen.append(self)

    return noted


@pytest.mark.sockets
class TestKilledParent:
    def test_leaves_no_process_and_no_load(self, upstream, cache, tmp_path):
        script = f"""
import threading
from pathlib import Path
from llm_benchmark.measure.performance.runner import run_performance
from llm_benchmark.measure.plans import EgressRules, PerformancePlan, Target
from tests.measure.ledger import MemorySink
plan = PerformancePlan(input_tokens=64, output_tokens=64, requests=500, seed=1, concurrency=2)
target = Target({upstream.url("ok")!r}, "m", egress=EgressRules(allow=frozenset({set(upstream.allow)!r})))
run_performance(
    plan, target, MemorySink(), threading.Event(),
    workdir=Path({str(tmp_path)!r}), tokenizer_cache=Path({str(cache)!r}),
)
"""
        before = len(upstream.requests)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["", *filter(None, sys.path)])}
        with subprocess.Popen([sys.executable, "-c", script], env=environment) as parent:
            until(lambda: len(upstream.requests) > before + 4, parent)
            assert processes_in(tmp_path)

            parent.send_signal(signal.SIGKILL)
            parent.wait()

        until(lambda: not processes_in(tmp_path))
        after = len(upstream.requests)
        time.sleep(0.5)
        assert len(upstream.requests) == after


def processes_in(folder):
    """Processes that work in this folder or have a file of it open."""
    others = (
        path for path in Path("/proc").iterdir() if path.name.isdigit() and path.name != str(os.getpid())
    )
    return [process.name for process in others if mentions(process, str(folder))]


def mentions(process, text):
    try:
        links = [process / "cwd", *(process / "fd").iterdir()]
        places = [str(link.readlink()) for link in links]
        return any(text in place for place in places)
    except OSError:
        return False


def until(condition, parent=None, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert parent is None or parent.poll() is None, "the run ended early"
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
