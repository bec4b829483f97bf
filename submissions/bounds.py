"""What a verification may cost at the submitter's endpoint, said before it begins."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.models import BenchmarkKind, BenchmarkVersion, VerificationPolicy
from benchmarks.selectors import plan_questions
from llm_benchmark.measure.canonical import digest
from llm_benchmark.measure.configuration import CONCURRENCY
from llm_benchmark.measure.loads import input_tokens_of, levels
from llm_benchmark.measure.quality.budget import TEMPLATE_TOKENS
from submissions.runs.planning import generation_of

CANARY_REQUESTS = 1
# A worker of ours may be lost: the next one sends a canary, and asks again what was in flight.
RESTARTS = 2
# A provider's tokenizer may need more tokens for AIPerf's prompts than o200k does.
PROMPT_SPREAD = 2


@dataclass(frozen=True, slots=True)
class SessionBound:
    """One run: counted items (`planned`), HTTP requests with warm-up and canary, tokens in and out."""

    planned: int
    requests: int
    tokens: int


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
    session = _load_bound(version) if is_load else _question_bound(version, configuration)
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


def _load_bound(version: BenchmarkVersion) -> SessionBound:
    """A sweep is as many loads as it has levels."""
    profile = version.load_profile or {}
    loads = len(levels(profile))
    requests = loads * (profile["requests"] + profile.get("warmup_requests", 0) + CANARY_REQUESTS)
    each = PROMPT_SPREAD * input_tokens_of(profile) + TEMPLATE_TOKENS + profile["output_tokens"]
    return SessionBound(loads * profile["requests"], requests, requests * each)


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
