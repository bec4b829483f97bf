"""One session of questions or of load, from the engine's plan to what is kept."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from llm_benchmark.measure.bundle import TooLarge, public_part
from llm_benchmark.measure.metrics import (
    CaseScore,
    MetricValue,
    quality_metrics,
    score_answers,
)
from llm_benchmark.measure.performance.runner import run_performance
from llm_benchmark.measure.performance.sessions import session_metrics
from llm_benchmark.measure.plans import (
    Failure,
    PerformanceOutcome,
    QualityOutcome,
    QualityPlan,
    Side,
    Target,
)
from llm_benchmark.measure.quality import is_unanswered, provider_failure, run_quality
from llm_benchmark.measure.tallies import scores_by_group, totals
from llm_benchmark.models import GroupScore

from . import settings
from .editions import Edition
from .errors import Cancelled, NotMeasured
from .folder import Folder, KeptCase, KeptMetric, KeptRun, now
from .progress import Phase, Progress, Watch, WatchedSink

TRIES = 3
"""Sessions of load that are begun before a fault of this machine's is given up on."""


@dataclass(frozen=True)
class Measurement:
    """A run while it goes on. `target` speaks the run's dialect."""

    folder: Folder
    edition: Edition
    target: Target
    run: KeptRun
    watch: Watch
    cancel: threading.Event

    def measure(self) -> KeptRun:
        """Raises NotMeasured or Cancelled; what was answered is kept."""
        done = self.measure_load() if self.edition.is_load else self.measure_questions()
        self.folder.drop_session()
        return done

    def measure_questions(self) -> KeptRun:
        plan = settings.quality_plan(self.edition, self.run.choices, seed=self.run.seed, limit=self.run.limit)
        with WatchedSink(self.folder.path, self.watch, planned=len(plan.questions)) as sink:
            answered = {key for key, error in sink.ends.items() if not (error and is_unanswered(error))}
            sink.start(len(answered))
            outcome = run_quality(plan, self.target, sink, self.cancel, answered=answered)
            _raise_for(outcome)
            _raise_for_missing(sink.ends.values(), len(plan.questions))
            self._say_keeping(sink)
            cases = score_answers(plan.questions, sink.answers)
            sha256 = self._write_answers(sink, plan, outcome)
            returned = next((answer.returned_model for answer in sink.answers if answer.returned_model), None)
            tokens = totals(sink.answers)
            groups = scores_by_group({question.key: question.group for question in plan.questions}, cases)
        return self._keep(
            sha256,
            quality_metrics(cases, kinds=self.edition.metric_kinds),
            cases=[_case(case) for case in cases],
            groups=[GroupScore(**asdict(group)) for group in groups],
            input_tokens=tokens.input_tokens,
            output_tokens=tokens.output_tokens,
            returned_model=returned,
        )

    def measure_load(self) -> KeptRun:
        plan = settings.performance_plan(self.edition, seed=self.run.seed)
        planned = (plan.warmup_requests + plan.requests) * max(1, len(plan.concurrencies))
        with WatchedSink(self.folder.path, self.watch, planned=planned) as sink:
            for _try in range(TRIES):
                sink.start()
                session = self.folder.fresh_session()
                outcome = run_performance(plan, self.target, sink, self.cancel, workdir=session)
                if not _may_pass(outcome):
                    break
            _raise_for(outcome)
            self._say_keeping(sink)
            sha256 = sink.write_performance_bundle(
                self.folder.bundle,
                plan=plan,
                outcome=outcome,
                configuration=self.run.configuration,
                snapshot=self._snapshot(),
                are_cases_public=self.edition.version.cases_public,
            )
        values = session_metrics(outcome.session)
        return self._keep(sha256, values, flags=sorted(outcome.flags), returned_model=outcome.returned_model)

    def _write_answers(self, sink: WatchedSink, plan: QualityPlan, outcome: QualityOutcome) -> str:
        try:
            return sink.write_quality_bundle(
                self.folder.bundle,
                plan=plan,
                outcome=outcome,
                configuration=self.run.configuration,
                snapshot={**self._snapshot(), "findings": dict(outcome.findings)},
                planned=len(self.edition.cases),
                kinds=self.edition.metric_kinds,
                are_cases_public=self.edition.version.cases_public,
            )
        except TooLarge as refused:
            raise NotMeasured(Failure(Side.PROVIDER, refused.code, str(refused))) from refused

    def _say_keeping(self, sink: WatchedSink) -> None:
        self.watch(Progress(sink.planned, sink.planned, Phase.KEEPING))

    def _snapshot(self) -> dict[str, Any]:
        """All that the measurement depended on, without URL and key."""
        return {
            "kind": self.run.kind,
            "benchmark": self.run.benchmark,
            "version": self.run.version,
            "content_hash": self.run.content_hash,
            "generation": self.edition.generation,
            "load_profile": self.edition.load_profile,
            "configuration": self.run.configuration,
            "dialect": self.run.dialect,
            "served_name": self.run.model,
            "exchange": self.run.exchange,
            "started_at": self.run.started_at.isoformat(),
            "is_full_set": self.run.is_full_set,
        }

    def _keep(self, sha256: str, values: Mapping[str, MetricValue], **found: Any) -> KeptRun:
        """Evidence is public: without its restricted part where the cases are not."""
        evidence = self.folder.bundle
        if not self.edition.version.cases_public:
            evidence = self.folder.public_bundle
            public_part(self.folder.bundle, evidence)
        done = msgspec.structs.replace(
            self.run,
            finished_at=now(),
            metrics=_metrics(self.edition, values),
            bundle_sha256=sha256,
            evidence=evidence.name,
            **found,
        )
        self.folder.write(done)
        return done


def _raise_for(outcome: QualityOutcome | PerformanceOutcome) -> None:
    if outcome.cancelled:
        raise Cancelled
    if outcome.failure:
        raise NotMeasured(outcome.failure)


def _raise_for_missing(errors: Collection[str | None], planned: int) -> None:
    failure = provider_failure(errors, planned)
    if failure is None and len(errors) < planned:
        message = f"{len(errors)} of {planned} questions were asked."
        failure = Failure(Side.PLATFORM, "incomplete", message)
    if failure:
        raise NotMeasured(failure)


def _may_pass(outcome: PerformanceOutcome) -> bool:
    """Whether the fault is this machine's, and another session may do without it."""
    failed = outcome.failure
    return failed is not None and failed.side is Side.PLATFORM and failed.code != "aiperf_missing"


def _metrics(edition: Edition, values: Mapping[str, MetricValue]) -> list[KeptMetric]:
    """Those of the version that the engine measures."""
    return [
        KeptMetric(
            name=metric.name,
            title=metric.title,
            unit=metric.unit or "",
            value=values[metric.name].value,
            low=values[metric.name].low,
            high=values[metric.name].high,
            confidence=values[metric.name].confidence,
            sample_count=values[metric.name].sample_count,
            is_stated=values[metric.name].is_stated,
        )
        for metric in edition.version.metrics
        if metric.name in values
    ]


def _case(case: CaseScore) -> KeptCase:
    return KeptCase(
        key=case.key,
        score=case.score,
        answered=case.answered,
        error=case.error,
        answer_sha256=case.answer_sha256,
    )
