"""Benchmarks: found, written, published, reviewed."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from llm_benchmark.identifiers import is_id
from llm_benchmark.models import (
    Benchmark,
    BenchmarkStatusChange,
    BenchmarkVersion,
    TestCase,
    VerificationPolicy,
)
from llm_benchmark.models.choices import (
    BenchmarkKind,
    BenchmarkOrder,
    BenchmarkStatus,
    Category,
    License,
    Visibility,
)
from llm_benchmark.paging import Pages

from .base import UNSET, Given, Service, Unset, at


class Benchmarks(Service):
    def list(
        self,
        *,
        query: str | None = None,
        kind: BenchmarkKind | None = None,
        category: Category | None = None,
        status: BenchmarkStatus | None = None,
        tags: Sequence[str] | None = None,
        license: License | None = None,
        organization: str | None = None,
        endorsed: bool | None = None,
        ordering: BenchmarkOrder | None = None,
    ) -> Pages[Benchmark]:
        """Those that the token's owner may see.

        Args:
            query: words to find in name, description and tags.
            tags: only what has all of these.
            organization: the slug of the one that maintains them.
            ordering: a field's name; `-` before it turns the order round.
        """
        return self._pages(
            "benchmarks", Benchmark, query=query, kind=kind, category=category, status=status, tags=tags,
            license=license, organization=organization, endorsed=endorsed, ordering=ordering,
        )  # fmt: skip

    def get(self, id_or_slug: str) -> Benchmark:
        if is_id(id_or_slug):
            return self._transport.get(at("benchmarks", id_or_slug), Benchmark)
        return self._benchmark_of_slug(id_or_slug)

    def create(
        self,
        *,
        organization_id: str,
        slug: str,
        name: str,
        kind: BenchmarkKind,
        category: Category,
        description: str | Unset = UNSET,
        long_description: str | Unset = UNSET,
        visibility: Visibility | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        license: License | Unset | None = UNSET,
        custom_license: str | Unset = UNSET,
        citation: Given | Unset | None = UNSET,
        documentation_url: str | Unset = UNSET,
        source_url: str | Unset = UNSET,
        maintainers: Sequence[str] | Unset = UNSET,
    ) -> Benchmark:
        """A new draft; versions are added to it.

        Args:
            citation: a `Citation`.
            maintainers: names of users.
        """
        body = {
            "organization_id": organization_id, "slug": slug, "name": name, "kind": kind,
            "category": category, "description": description, "long_description": long_description,
            "visibility": visibility, "tags": tags, "license": license, "custom_license": custom_license,
            "citation": citation, "documentation_url": documentation_url, "source_url": source_url,
            "maintainers": maintainers,
        }  # fmt: skip
        return self._transport.write("POST", "benchmarks", Benchmark, body)

    def update(
        self,
        benchmark: str,
        *,
        name: str | Unset = UNSET,
        description: str | Unset = UNSET,
        long_description: str | Unset = UNSET,
        category: Category | Unset = UNSET,
        visibility: Visibility | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        license: License | Unset | None = UNSET,
        custom_license: str | Unset = UNSET,
        citation: Given | Unset | None = UNSET,
        documentation_url: str | Unset = UNSET,
        source_url: str | Unset = UNSET,
        maintainers: Sequence[str] | Unset = UNSET,
    ) -> Benchmark:
        """Change what is named; the rest stays."""
        body = {
            "name": name, "description": description, "long_description": long_description,
            "category": category, "visibility": visibility, "tags": tags, "license": license,
            "custom_license": custom_license, "citation": citation, "documentation_url": documentation_url,
            "source_url": source_url, "maintainers": maintainers,
        }  # fmt: skip
        return self._transport.write(
            "PATCH", at("benchmarks", self._benchmark_id(benchmark)), Benchmark, body
        )

    def submit_for_review(
        self, benchmark: str, *, expected_status: BenchmarkStatus | Unset = UNSET
    ) -> Benchmark:
        return self._move(benchmark, "submit-for-review", expected_status)

    def take_back(
        self,
        benchmark: str,
        *,
        reason: str | Unset = UNSET,
        expected_status: BenchmarkStatus | Unset = UNSET,
    ) -> Benchmark:
        """From review, to a draft again."""
        return self._move(benchmark, "take-back", expected_status, reason=reason)

    def approve(
        self,
        benchmark: str,
        *,
        reason: str | Unset = UNSET,
        expected_status: BenchmarkStatus | Unset = UNSET,
    ) -> Benchmark:
        return self._move(benchmark, "approve", expected_status, reason=reason)

    def reject(
        self, benchmark: str, *, reason: str, expected_status: BenchmarkStatus | Unset = UNSET
    ) -> Benchmark:
        return self._move(benchmark, "reject", expected_status, reason=reason)

    def deprecate(
        self, benchmark: str, *, reason: str, expected_status: BenchmarkStatus | Unset = UNSET
    ) -> Benchmark:
        return self._move(benchmark, "deprecate", expected_status, reason=reason)

    def reactivate(
        self,
        benchmark: str,
        *,
        reason: str | Unset = UNSET,
        expected_status: BenchmarkStatus | Unset = UNSET,
    ) -> Benchmark:
        return self._move(benchmark, "reactivate", expected_status, reason=reason)

    def archive(
        self,
        benchmark: str,
        *,
        reason: str | Unset = UNSET,
        expected_status: BenchmarkStatus | Unset = UNSET,
    ) -> Benchmark:
        return self._move(benchmark, "archive", expected_status, reason=reason)

    def status_changes(self, benchmark: str) -> Pages[BenchmarkStatusChange]:
        path = at("benchmarks", self._benchmark_id(benchmark), "status-changes")
        return self._pages(path, BenchmarkStatusChange)

    def versions(self, benchmark: str) -> Pages[BenchmarkVersion]:
        return self._pages(at("benchmarks", self._benchmark_id(benchmark), "versions"), BenchmarkVersion)

    def get_version(self, version_id: str) -> BenchmarkVersion:
        return self._transport.get(at("benchmark-versions", version_id), BenchmarkVersion)

    def create_version(
        self,
        benchmark: str,
        *,
        version: str,
        metrics: Sequence[Given],
        changelog: str | Unset = UNSET,
        migration_notes: str | Unset = UNSET,
        system_prompt: str | Unset = UNSET,
        prompt_template: str | Unset = UNSET,
        cases_public: bool | Unset = UNSET,
        generation: Given | Unset | None = UNSET,
        load_profile: Given | Unset | None = UNSET,
        test_cases: Sequence[Given] | Unset = UNSET,
        policy: Given | Unset | None = UNSET,
    ) -> BenchmarkVersion:
        """A draft of an edition. Once published, it never changes.

        Args:
            version: as in semver.org, such as "1.0.0".
            metrics: `Metric`s; one of them is primary.
            prompt_template: how a case becomes a prompt; `{prompt}` stands for the case's own.
            generation, load_profile, policy: a `Generation`, a `LoadProfile`, a `PolicyDraft`.
            test_cases: `TestCase`s of a quality benchmark.
        """
        body = {
            "version": version, "metrics": metrics, "changelog": changelog,
            "migration_notes": migration_notes, "system_prompt": system_prompt,
            "prompt_template": prompt_template, "cases_public": cases_public, "generation": generation,
            "load_profile": load_profile, "test_cases": test_cases, "policy": policy,
        }  # fmt: skip
        path = at("benchmarks", self._benchmark_id(benchmark), "versions")
        return self._transport.write("POST", path, BenchmarkVersion, body)

    def update_version(
        self,
        version_id: str,
        *,
        changelog: str | Unset = UNSET,
        migration_notes: str | Unset = UNSET,
        system_prompt: str | Unset = UNSET,
        prompt_template: str | Unset = UNSET,
        cases_public: bool | Unset = UNSET,
        generation: Given | Unset | None = UNSET,
        load_profile: Given | Unset | None = UNSET,
        metrics: Sequence[Given] | Unset = UNSET,
        test_cases: Sequence[Given] | Unset = UNSET,
        policy: Given | Unset | None = UNSET,
    ) -> BenchmarkVersion:
        """Change what is named in a draft; the rest stays. Lists are replaced as a whole."""
        body = {
            "changelog": changelog, "migration_notes": migration_notes, "system_prompt": system_prompt,
            "prompt_template": prompt_template, "cases_public": cases_public, "generation": generation,
            "load_profile": load_profile, "metrics": metrics, "test_cases": test_cases, "policy": policy,
        }  # fmt: skip
        return self._transport.write("PATCH", at("benchmark-versions", version_id), BenchmarkVersion, body)

    def publish_version(self, version_id: str) -> BenchmarkVersion:
        """For good: its content gets a hash that every claim refers to."""
        return self._transport.write(
            "POST", at("benchmark-versions", version_id, "publish"), BenchmarkVersion
        )

    def test_cases(self, version_id: str) -> Pages[TestCase]:
        return self._pages(at("benchmark-versions", version_id, "test-cases"), TestCase)

    def policies(self, version_id: str) -> Pages[VerificationPolicy]:
        """What decided and decides verifications of a version."""
        return self._pages(at("benchmark-versions", version_id, "policies"), VerificationPolicy)

    def add_policy(
        self,
        version_id: str,
        *,
        delta: float | Unset | None = UNSET,
        alpha: float | Unset | None = UNSET,
        gamma: float | Unset | None = UNSET,
        tolerances: dict[str, float] | Unset = UNSET,
        deciding_metrics: builtins.list[str] | Unset = UNSET,
        sessions: int | Unset | None = UNSET,
        quality_gate: Given | Unset | None = UNSET,
        effective_at: str | Unset | None = UNSET,
    ) -> VerificationPolicy:
        """A policy for verifications from `effective_at` on; what is left out is the exchange's default.

        Args:
            delta, alpha, gamma, tolerances, sessions: as in `VerificationPolicy`.
            deciding_metrics: their names; all of them must hold.
            quality_gate: a `QualityGate`, for a performance benchmark.
            effective_at: ISO 8601; now when left out.
        """
        body = {
            "delta": delta, "alpha": alpha, "gamma": gamma, "tolerances": tolerances,
            "deciding_metrics": deciding_metrics, "sessions": sessions, "quality_gate": quality_gate,
            "effective_at": effective_at,
        }  # fmt: skip
        path = at("benchmark-versions", version_id, "policies")
        return self._transport.write("POST", path, VerificationPolicy, body)

    def _move(
        self,
        benchmark: str,
        move: str,
        expected_status: BenchmarkStatus | Unset,
        *,
        reason: str | Unset = UNSET,
    ) -> Benchmark:
        """`expected_status`: refuse where someone has moved it since."""
        path = at("benchmarks", self._benchmark_id(benchmark), move)
        body = {"expected_status": expected_status, "reason": reason}
        return self._transport.write("POST", path, Benchmark, body)
