"""The tables of docs/measuring.md, from the code: `python -m tests.hostile.tables` puts them there."""

import re
from pathlib import Path

from llm_benchmark.measure import connection, protocols
from llm_benchmark.measure.connection import BODY_LIMIT, ERROR_BODY_LIMIT, HEADERS_LIMIT
from llm_benchmark.measure.faults import FAULTS
from llm_benchmark.measure.gateway import Bounds
from llm_benchmark.measure.probing import checking, discovery
from llm_benchmark.measure.probing.health import judge
from llm_benchmark.measure.protocols import answers, streams
from llm_benchmark.measure.quality import runner
from llm_benchmark.measure.retries import POLICIES, RETRY_AFTER_CAP_SECONDS
from llm_benchmark.simulator import FAILURES

from .chaos import CHAOS

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "measuring.md"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def code(text):
    return f"`{text}`"


def protocol_table():
    rows = [
        (code(name), code(f"…/{protocol.path}"), "yes" if protocol.can_stream else "no", protocol.aiperf_type)
        for name, protocol in protocols.PROTOCOLS.items()
    ]
    return table(("Protocol", "Path", "Streams", "AIPerf's name"), rows)


def state_table():
    rows = [
        ("answered at once, four times", "active", code("answered")),
        ("answered, but only when asked again", "unstable", code("answered_after_retries")),
        ("answered, and then no more", "unstable", code("unstable_probes")),
        ("no probe for this kind of model", "unsupported", code("no_probe")),
    ]
    by_state = {}
    for name in FAULTS:
        verdict = judge([[name]])
        if name not in _OF_RUNS:
            by_state.setdefault((_state(verdict), verdict.stops_campaign), []).append(code(name))
    rows += [("never answered", state, ", ".join(names)) for (state, _), names in by_state.items()]
    return table(("The probes", "State", "Reason"), rows)


_OF_RUNS = {"request_bound_reached", "token_bound_reached", "model_changed"}


def _state(verdict):
    if verdict.state:
        return verdict.state.value
    return "stays; the campaign ends there" if verdict.stops_campaign else "stays"


def code_table():
    rows = [
        (code(name), fault.side.value, "yes" if fault.is_retryable else "no", fault.message)
        for name, fault in FAULTS.items()
    ]
    return table(("Code", "Side", "Asked again", "Says"), rows)


def retry_table():
    rows = [
        (code(name), kind.value, ", ".join(f"{pause:g}" for pause in policy.pauses[kind]))
        for name, policy in POLICIES.items()
        for kind in sorted(policy.pauses)
    ]
    return table(("Policy", "Kind of error", "Pauses before the next try, s"), rows)


def limit_table():
    bounds = Bounds()
    rows = [
        ("A document", _size(BODY_LIMIT)),
        ("A refusal's body (cut there)", _size(ERROR_BODY_LIMIT)),
        ("The head, and what stands around chunks", _size(HEADERS_LIMIT)),
        ("A stream on the wire", _size(streams.WIRE_LIMIT)),
        ("One event", _size(streams.EVENT_LIMIT)),
        ("Text of a stream", f"{streams.CONTENT_LIMIT // streams.MIB} Mi characters"),
        ("Events of a stream", f"{streams.MOST_BLOCKS:,}"),
        ("Values of a JSON document", f"{answers.MOST_VALUES:,}, a list or object counted as five"),
        ("Behind a finish reason", f"{connection.TAIL_SECONDS:g} s"),
        ("A streamed answer in all", f"{runner.STREAM_SECONDS:,.0f} s"),
        ("A probe", f"{checking.PROBE_SECONDS:g} s, {checking.PROBE_TOKENS} tokens"),
        ("A list of models", f"{discovery.MOST_PAGES} pages of {_size(discovery.PAGE_LIMIT)}, 60 s"),
        ("Models in it", f"{discovery.MOST_MODELS:,}"),
        ("Retry-After", f"{RETRY_AFTER_CAP_SECONDS:g} s"),
        ("An answer under load", _size(bounds.answer_bytes)),
        ("All answers under way in a load", f"{_size(bounds.held_bytes)}, or what such a load needs"),
    ]
    return table(("What", "At most"), rows)


def _size(count):
    return f"{count // streams.MIB} MiB" if count >= streams.MIB else f"{count // 1024} KiB"


def chaos_table():
    rows = [
        (_says(name), _mark(row.whole), _mark(row.streamed), _mark(row.load), _checked(row))
        for name, row in CHAOS.items()
    ]
    return table(("The provider", "A question", "A streamed question", "A load's request", "A check"), rows)


def _says(name):
    return f"status {name}" if name.isdecimal() else FAILURES[name]


def _mark(end):
    return end if " " in end or end == "ok" else code(end)


def _checked(row):
    end = code(row.check) if row.check else "answered"
    return f"{end}: {row.state.value if row.state else 'the state stays'}"


TABLES = {
    "protocols": protocol_table,
    "states": state_table,
    "codes": code_table,
    "retries": retry_table,
    "limits": limit_table,
    "misbehaviours": chaos_table,
}


def written(text):
    """The document with each table behind its mark."""
    for name, made in TABLES.items():
        mark = f"<!-- table: {name} -->\n"
        before, found, after = text.partition(mark)
        assert found, name
        rest = re.sub(r"\A(\|.*\n)*", "", after)
        text = before + mark + made() + rest
    return text


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
