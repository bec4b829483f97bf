"""Verifications: asked for with consent, followed to their verdict, read with what was measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from llm_benchmark.errors import Conflict
from llm_benchmark.models import CaseComparison, Run, Verification, VerificationBound
from llm_benchmark.models.choices import RepeatReason
from llm_benchmark.paging import Pages
from llm_benchmark.upload import Progress

from .base import UNSET, Service, Unset, at

BundlePart = Literal["public", "whole"]
OPEN = {"requested", "running"}


class Verifications(Service):
    def list(self, submission_id: str) -> Pages[Verification]:
        return self._pages(at("submissions", submission_id, "verifications"), Verification)

    def get(self, verification_id: str) -> Verification:
        return self._transport.get(at("verifications", verification_id), Verification)

    def bound(self, submission_id: str) -> VerificationBound:
        """The most that a verification will ask of the submitter's endpoint, who pays for it."""
        return self._transport.get(at("submissions", submission_id, "verification-bound"), VerificationBound)

    def request(
        self,
        submission_id: str,
        *,
        accept: Callable[[VerificationBound], bool] | None = None,
        accept_bound: str | Unset = UNSET,
        repeat_reason: RepeatReason | Unset = UNSET,
    ) -> Verification:
        """Have the platform measure a claim again.

        Args:
            accept: is asked whether the bound is all right; True consents to exactly that bound.
            accept_bound: the same consent, given before: `bound(…).accept_bound`.
            repeat_reason: why once more, where there is a verdict already.

        Raises:
            Conflict: `accept` said no (code `bound_not_accepted`); nothing was asked of anybody.
        """
        if accept is not None:
            bound = self.bound(submission_id)
            if not accept(bound):
                raise Conflict("Not verified: the bound was not accepted.", code="bound_not_accepted")
            accept_bound = bound.accept_bound
        body = {"accept_bound": accept_bound, "repeat_reason": repeat_reason}
        path = at("submissions", submission_id, "request-verification")
        return self._transport.write("POST", path, Verification, body)

    def cancel(self, verification_id: str) -> Verification:
        return self._transport.write("POST", at("verifications", verification_id, "cancel"), Verification)

    def wait(
        self,
        verification_id: str,
        *,
        progress: Callable[[Verification], None] | None = None,
        timeout: float | None = None,
    ) -> Verification:
        """Ask, less and less often, until it is decided, failed or cancelled.

        Args:
            progress: called with each answer.
            timeout: seconds; None waits for ever.

        Raises:
            TimedOut: it still goes on. Waiting again takes up where this stopped.
        """
        return self._wait(
            lambda: self.get(verification_id),
            is_open=lambda now: now.status in OPEN,
            still=lambda now: f"Verification {verification_id} is still {now.status}.",
            progress=progress,
            timeout=timeout,
        )

    def cases(self, verification_id: str) -> Pages[CaseComparison]:
        """What was claimed and what was measured, case by case."""
        return self._pages(at("verifications", verification_id, "cases"), CaseComparison)

    def run(self, run_id: str) -> Run:
        """One of a verification's `run_ids`: what a worker measured."""
        return self._transport.get(at("runs", run_id), Run)

    def download_bundle(
        self,
        run_id: str,
        *,
        to: Path | str,
        part: BundlePart | None = None,
        progress: Progress | None = None,
    ) -> Path:
        """Write a run's evidence to the file `to`, once its SHA-256 has been found to be the recorded one.

        Args:
            part: "public" (without secret references), or "whole" for those who may read it.
        """
        path = at("runs", run_id, "bundle")
        return self._transport.download(path, Path(to), progress=progress, part=part)
