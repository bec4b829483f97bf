"""One short request before any load: whether the endpoint answers at all, and how fast."""

import socket

from llm_benchmark.measure import protocols
from llm_benchmark.measure.gateway import Gateway, JournalEntry
from llm_benchmark.measure.plans import Generation, PerformancePlan, Target

from .aiperf import extra_inputs

PROMPT, TOKENS = "Say OK.", 8


def send(gateway: Gateway, target: Target, *, streaming: bool) -> socket.socket:
    """Ask one short question. The journal tells how it went, so the answer is left unread; close the
    connection when it has."""
    body = _body(target, streaming=streaming)
    head = (
        f"POST {gateway.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
        f"Authorization: Bearer {gateway.canary_key}\r\nX-Request-ID: canary\r\n\r\n"
    )
    connection = socket.create_connection(("127.0.0.1", gateway.port), timeout=10)
    connection.sendall(head.encode() + body)
    return connection


def expected_latency_seconds(entry: JournalEntry, plan: PerformancePlan) -> float:
    """How long a request of the plan may take, by the canary's time to first content and pace after it."""
    first, last = entry.first_content_after_ns, entry.last_content_after_ns
    if first is None or last is None:
        return entry.end_after_ns / 1e9
    gaps = max((entry.usage.output_tokens or TOKENS) - 1, 1)
    return (first + (last - first) / gaps * max(plan.output_tokens - 1, 0)) / 1e9


def _body(target: Target, *, streaming: bool) -> bytes:
    protocol = protocols.get(target.protocol)
    limit = protocol.generation(Generation(temperature=None, max_tokens=TOKENS), target)
    fields = {
        "model": target.model,
        **{name: value for name, value in limit.items() if value is not None},
        **extra_inputs(target),
        **(protocol.stream_fields() if streaming else {}),
    }
    return protocol.body(fields, prompt=PROMPT)
