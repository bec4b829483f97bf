"""Claims and the files behind them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from llm_benchmark.errors import SdkError
from llm_benchmark.models import Evidence, EvidenceLink, EvidenceUpload, Submission, SubmissionCheck
from llm_benchmark.models.choices import Verdict, Visibility
from llm_benchmark.paging import Pages
from llm_benchmark.upload import Progress, WatchedFile, form_of, opened

from .base import UNSET, Given, Service, Unset, at

log = logging.getLogger("llm_benchmark")
DIRECT_FROM_BYTES = 16 * 1024 * 1024
# The last is an exchange's that is older than the direct way.
_NOT_DIRECTLY = {"direct_upload_not_offered", "too_many_uploads", "not_found"}


class Submissions(Service):
    def list(
        self,
        *,
        benchmark: str | None = None,
        version_id: str | None = None,
        model_id: str | None = None,
        organization_id: str | None = None,
        verdict: Verdict | None = None,
    ) -> Pages[Submission]:
        """Those that the token's owner may see, the newest first."""
        return self._pages(
            "submissions", Submission, version_id=version_id, model_id=model_id,
            benchmark_id=None if benchmark is None else self._benchmark_id(benchmark),
            organization_id=organization_id, verdict=verdict,
        )  # fmt: skip

    def get(self, submission_id: str) -> Submission:
        return self._transport.get(at("submissions", submission_id), Submission)

    def create(
        self,
        *,
        organization_id: str,
        benchmark: str,
        claims: Sequence[Given],
        version: str | Unset = UNSET,
        model: Given | Unset | None = UNSET,
        deployment_id: str | Unset | None = UNSET,
        cases: Sequence[Given] | Unset = UNSET,
        configuration: Given | Unset | None = UNSET,
        visibility: Visibility | Unset = UNSET,
        notes: str | Unset = UNSET,
    ) -> Submission:
        """Claim a result.

        Args:
            claims: `MetricClaim`s: what was measured, in the metrics' own units.
            version: the benchmark's, such as "1.0.0"; the current one when left out.
            model: a `ModelReference`; or `deployment_id`, which the platform can then measure.
            cases: `CaseClaim`s, one a test case.
            configuration: a `Configuration`: what the model was asked with.
        """
        body = {
            "organization_id": organization_id, "benchmark_id": self._benchmark_id(benchmark),
            "claims": claims, "version": version, "model": model, "deployment_id": deployment_id,
            "cases": cases, "configuration": configuration, "visibility": visibility, "notes": notes,
        }  # fmt: skip
        return self._transport.write("POST", "submissions", Submission, body)

    def check(
        self,
        *,
        organization_id: str,
        benchmark: str,
        claims: Sequence[Given],
        version: str | Unset = UNSET,
        model: Given | Unset | None = UNSET,
        deployment_id: str | Unset | None = UNSET,
        cases: Sequence[Given] | Unset = UNSET,
        configuration: Given | Unset | None = UNSET,
    ) -> SubmissionCheck:
        """What `create` would take this for, or its refusal. Nothing is kept."""
        body = {
            "organization_id": organization_id, "benchmark_id": self._benchmark_id(benchmark),
            "claims": claims, "version": version, "model": model, "deployment_id": deployment_id,
            "cases": cases, "configuration": configuration,
        }  # fmt: skip
        return self._transport.write("POST", "submissions/check", SubmissionCheck, body)

    def withdraw(self, submission_id: str, *, reason: str) -> Submission:
        """It leaves the boards, and stays readable with its reason."""
        path = at("submissions", submission_id, "withdraw")
        return self._transport.write("POST", path, Submission, {"reason": reason})

    def change_visibility(self, submission_id: str, visibility: Visibility) -> Submission:
        path = at("submissions", submission_id, "visibility")
        return self._transport.write("PATCH", path, Submission, {"visibility": visibility})

    def evidence(self, submission_id: str) -> Pages[Evidence]:
        return self._pages(at("submissions", submission_id, "evidence"), Evidence)

    def add_evidence(
        self,
        submission_id: str,
        path: Path | str,
        *,
        name: str | None = None,
        progress: Progress | None = None,
    ) -> Evidence:
        """Attach a file. It is read twice (for its SHA-256, then to send it) and never as a whole.

        A large one goes straight to the exchange's store, where clients reach it.

        Args:
            name: shown instead of the file's own.
            progress: called with the bytes sent so far and their total; from the start again on another try.
        """
        path = Path(path)
        if upload := self._sent_directly(submission_id, path, name or path.name, progress):
            return self.complete_evidence_upload(upload.id)
        url = at("submissions", submission_id, "evidence")
        with form_of(path, name=name, progress=progress) as form:
            return self._transport.write("POST", url, Evidence, **form)

    def _sent_directly(
        self, submission_id: str, path: Path, name: str, progress: Progress | None
    ) -> EvidenceUpload | None:
        """None where the file has to go through the exchange."""
        with opened(path, progress) as file:
            if file.size < DIRECT_FROM_BYTES:
                return None
            try:
                upload = self.begin_evidence_upload(
                    submission_id, name=name, size_bytes=file.size, sha256=file.sha256
                )
            except SdkError as refusal:
                if refusal.code in _NOT_DIRECTLY:
                    return None
                raise
            try:
                self._send_parts(upload, file)
            except SdkError as error:
                log.info("%s is sent through the exchange: %s", name, error)
                return None
        return upload

    def _send_parts(self, upload: EvidenceUpload, file: WatchedFile) -> None:
        for number, url in enumerate(upload.urls):
            start = number * upload.part_size_bytes
            length = min(upload.part_size_bytes, file.size - start)
            self._transport.put_elsewhere(url, partial(file.piece, start, length), length)

    def begin_evidence_upload(
        self, submission_id: str, *, name: str, size_bytes: int, sha256: str
    ) -> EvidenceUpload:
        """Where to send a large file. `add_evidence` does so by itself."""
        path = at("submissions", submission_id, "evidence-uploads")
        body = {"name": name, "size_bytes": size_bytes, "sha256": sha256}
        return self._transport.write("POST", path, EvidenceUpload, body)

    def complete_evidence_upload(self, upload_id: str) -> Evidence:
        """Have the exchange read what was sent, and take it in."""
        path = at("evidence-uploads", upload_id, "complete")
        return self._transport.write("POST", path, Evidence, {})

    def evidence_link(self, evidence_id: str) -> EvidenceLink:
        """A file's address in the exchange's store, for a few minutes. Compare what comes with `sha256`."""
        return self._transport.get(at("evidence", evidence_id, "link"), EvidenceLink)

    def download_evidence(
        self, evidence_id: str, *, to: Path | str, progress: Progress | None = None
    ) -> Path:
        """Write a file to `to`, once its bytes have been found to be those that were attached."""
        return self._transport.download(at("evidence", evidence_id, "content"), Path(to), progress=progress)
