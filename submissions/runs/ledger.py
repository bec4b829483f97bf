"""The sink of the platform's runs: PostgreSQL, every write guarded by the run's fence.

Each write is one statement and so one transaction: it prolongs the lease of exactly this owner and fence and
does its work only if that matched a row. A worker that lost its run can therefore write nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db import connection
from psycopg import Cursor

from exchange.core import liveness
from exchange.core.failpoints import failpoint
from exchange.core.liveness import Activity
from llm_benchmark.measure.plans import Answer
from llm_benchmark.measure.sink import Purpose, Reservation, SettledAs, Settlement

from .leases import Lease

_LARGEST = 2_147_483_647
_MODEL_LENGTH, _REASON_LENGTH = 256, 64

_FENCE = """
WITH fence AS (
  UPDATE runs_run
  SET lease_until = clock_timestamp() + make_interval(secs => %(seconds)s), updated_at = clock_timestamp(),
      done_count = least(planned_count, done_count + %(done)s)
  WHERE id = %(run)s AND fence = %(fence)s AND lease_owner = %(owner)s AND status = 'running'
  RETURNING id, cancel_requested_at
)"""
_HEARTBEAT = f"{_FENCE} SELECT cancel_requested_at IS NULL FROM fence"  # noqa: S608  (no part of them comes from outside)
_RESERVE = f"""{_FENCE}
INSERT INTO runs_attempt (run_id, fence, purpose, key, number, status, error)
SELECT fence.id, %(fence)s, item.purpose, item.key, item.number, 'reserved', ''
FROM fence, unnest(%(purposes)s::text[], %(keys)s::text[], %(numbers)s::int[]) AS item (purpose, key, number)
RETURNING id, purpose, key, number"""  # noqa: S608
_SENT = f"""{_FENCE}, marked AS (
  UPDATE runs_attempt AS attempt SET status = 'sent', sent_at = clock_timestamp()
  FROM fence
  WHERE attempt.run_id = fence.id AND attempt.id = ANY(%(ids)s::bigint[]) AND attempt.status = 'reserved'
)
SELECT true FROM fence"""  # noqa: S608
_SETTLE = f"""{_FENCE}, closed AS (
  UPDATE runs_attempt AS attempt
  SET status = item.status, http_status = item.http_status, error = item.error,
      input_tokens = item.input_tokens, output_tokens = item.output_tokens,
      cached_tokens = item.cached_tokens, settled_at = clock_timestamp()
  FROM fence, unnest(
    %(ids)s::bigint[], %(statuses)s::text[], %(http_statuses)s::int[], %(errors)s::text[],
    %(inputs)s::int[], %(outputs)s::int[], %(cached)s::int[]
  ) AS item (id, status, http_status, error, input_tokens, output_tokens, cached_tokens)
  WHERE attempt.id = item.id AND attempt.run_id = fence.id
), kept AS (
  INSERT INTO runs_response (
    run_id, key, text, raw, latency_ms, http_status, finish_reason, returned_model,
    input_tokens, output_tokens, cached_tokens, error, score_error
  )
  SELECT fence.id, item.*, ''
  FROM fence, unnest(
    %(a_keys)s::text[], %(a_texts)s::text[], %(a_raws)s::bytea[], %(a_latencies)s::float8[],
    %(a_statuses)s::int[], %(a_reasons)s::text[], %(a_models)s::text[],
    %(a_inputs)s::int[], %(a_outputs)s::int[], %(a_cached)s::int[], %(a_errors)s::text[]
  ) AS item
)
SELECT true FROM fence"""  # noqa: S608


class RunLedger:
    """The attempts and answers of one run, for the thread that made it.

    Raises Stop from every method once the run belongs to another worker.
    """

    def __init__(self, lease: Lease, *, is_performance: bool = False) -> None:
        self._lease = lease
        self._counted = Purpose.REQUEST if is_performance else Purpose.QUESTION
        self._is_performance = is_performance
        self._purposes: dict[int, Purpose] = {}
        self._open: set[int] = set()

    def reserve(self, batch: Sequence[Reservation]) -> Sequence[int]:
        rows = self._write(
            "reserve",
            _RESERVE,
            purposes=[item.purpose.value for item in batch],
            keys=[item.key for item in batch],
            numbers=[item.number for item in batch],
        )
        ids = {(purpose, key, number): id_ for id_, purpose, key, number in rows}
        found = [ids[item.purpose.value, item.key, item.number] for item in batch]
        self._purposes.update(zip(found, (item.purpose for item in batch), strict=True))
        self._open.update(found)
        failpoint("after_reserve")
        return found

    def sent(self, attempt_ids: Sequence[int]) -> None:
        self._write("sent", _SENT, ids=list(attempt_ids))
        if self._is_performance:
            if any(self._purposes[id_] is not Purpose.CANARY for id_ in attempt_ids):
                failpoint("aiperf_running")
        else:
            failpoint("after_send_started")

    def settled(self, batch: Sequence[Settlement]) -> None:
        failpoint("after_response_before_commit")
        answers = [
            item.answer for item in batch if item.answer and self._purposes[item.attempt_id] is self._counted
        ]
        done = sum(map(self._is_counted, batch)) if self._is_performance else len(answers)
        self._write("settled", _SETTLE, done=done, **_attempt_columns(batch), **_answer_columns(answers))
        self._open.difference_update(item.attempt_id for item in batch)
        if self._is_performance and not self._open:
            failpoint("aiperf_exited_before_parse")  # all requests are back, none of its exports was read

    def heartbeat(self) -> bool:
        """False: somebody asked for the run to be cancelled."""
        [(goes_on,)] = self._write("heartbeat", _HEARTBEAT)
        return bool(goes_on)

    def _is_counted(self, item: Settlement) -> bool:
        return self._purposes[item.attempt_id] is self._counted and item.state is SettledAs.SETTLED

    def _write(self, name: str, statement: str, *, done: int = 0, **columns: Any) -> list[tuple[Any, ...]]:
        guard = {
            "seconds": settings.RUN_LEASE_SECONDS,
            "run": self._lease.run_id,
            "fence": self._lease.fence,
            "owner": self._lease.owner,
            "done": done,
        }
        connection.ensure_connection()
        # Not Django's cursor: it would write every answer into the text of the statement.
        with Cursor(connection.connection) as cursor:
            cursor.execute(statement, {**guard, **columns}, prepare=True)
            rows = cursor.fetchall()
        if not rows:
            raise self._lease.reject(name)
        liveness.progressed(Activity.HEARTBEAT if statement is _HEARTBEAT else Activity.PROGRESS)
        return rows


def _attempt_columns(batch: Sequence[Settlement]) -> Mapping[str, list[Any]]:
    return {
        "ids": [item.attempt_id for item in batch],
        "statuses": [item.state.value for item in batch],
        "http_statuses": [item.http_status for item in batch],
        "errors": [item.error or "" for item in batch],
        "inputs": [_count(item.usage.input_tokens) for item in batch],
        "outputs": [_count(item.usage.output_tokens) for item in batch],
        "cached": [_count(item.usage.cached_tokens) for item in batch],
    }


def _answer_columns(answers: Sequence[Answer]) -> Mapping[str, list[Any]]:
    return {
        "a_keys": [answer.key for answer in answers],
        "a_texts": [_text(answer.text) for answer in answers],
        "a_raws": [answer.raw for answer in answers],
        "a_latencies": [answer.latency_ms for answer in answers],
        "a_statuses": [answer.http_status for answer in answers],
        "a_reasons": [_text(answer.finish_reason or "")[:_REASON_LENGTH] for answer in answers],
        "a_models": [_text(answer.returned_model or "")[:_MODEL_LENGTH] for answer in answers],
        "a_inputs": [_count(answer.usage.input_tokens) for answer in answers],
        "a_outputs": [_count(answer.usage.output_tokens) for answer in answers],
        "a_cached": [_count(answer.usage.cached_tokens) for answer in answers],
        "a_errors": [answer.error or "" for answer in answers],
    }


def _text(text: str | None) -> Any:
    """As PostgreSQL can keep it: without NUL and half surrogates. `raw` has the bytes as they came."""
    if text is None:
        return None
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def _count(tokens: int | None) -> int | None:
    """A provider may claim any number; one that no request can have is no count."""
    return tokens if tokens is not None and 0 <= tokens <= _LARGEST else None
