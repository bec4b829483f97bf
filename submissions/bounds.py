"""What a verification may cost at the submitter's endpoint, said before it begins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.models import BenchmarkKind, BenchmarkVersion, VerificationPolicy
from benchmarks.selectors import plan_questions
from llm_benchmark.measure.canonical import digest
from llm_benchmark.measure.configuration import CONCURRENCY
from llm_benchmark.measure.quality.budget import TEMPLATE_TOKENS
from submissions.runs.planning import CANARY_REQUESTS, SessionBound, generation_of, load_bound

# A worker of ours may be lost: the next one sends a canary, and asks again what was in flight.
RESTARTS = 2


@dataclass(frozen=True, slots=True)
class VerificationBound:
    """All runs of a verification. `accept_bound` is the digest of the numbers that are consented to."""

    session: SessionBound
    sessions: int
    accept_bound: str

    @property
    def requests(self) -> int:
        return self.session.requests * self.sessions

    @property
    def tokens(self) -> int:
        return self.session.tokens * self.sessions


def bound_of(
    version: BenchmarkVersion, configuration: Mapping[str, Any], policy: VerificationPolicy
) -> VerificationBound:
    """The bound by a policy. A run stops hard a fifth above its own."""
    is_load = version.benchmark.kind == BenchmarkKind.PERFORMANCE
    session = load_bound(version) if is_load else _question_bound(version, configuration)
    consent = digest(
        {
            "version": version.content_hash,
            "policy": policy.digest,
            "sessions": policy.sessions,
            "requests": session.requests,
            "tokens": session.tokens,
        }
    )
    return VerificationBound(session, policy.sessions, consent)


def _question_bound(version: BenchmarkVersion, configuration: Mapping[str, Any]) -> SessionBound:
    """No byte-level tokenizer makes more tokens of a text than it has bytes."""
    prompts = [len(question.prompt.encode()) for question in plan_questions(version)]
    system_prompt = version.system_prompt or configuration.get("system_prompt", "")
    answer = generation_of(version, configuration).max_tokens or 0
    around = len(system_prompt.encode()) + TEMPLATE_TOKENS + answer
    canary = around + TEMPLATE_TOKENS
    again = min(CONCURRENCY, len(prompts))
    restart = again * (max(prompts, default=0) + around) + canary
    requests = len(prompts) + CANARY_REQUESTS + RESTARTS * (again + CANARY_REQUESTS)
    tokens = sum(prompts) + len(prompts) * around + canary + RESTARTS * restart
    return SessionBound(len(prompts), requests, tokens)
