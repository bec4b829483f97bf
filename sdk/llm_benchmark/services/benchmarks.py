"""Benchmarks: found, written, published, reviewed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from llm_benchmark.models import Benchmark
from llm_benchmark.models.choices import BenchmarkKind, BenchmarkStatus, Category, License, Visibility
from llm_benchmark.paging import Pages

from .base import UNSET, Service, Unset, part


class Benchmarks(Service):
    def list(
        self,
        *,
        query: str | None = None,
        kind: BenchmarkKind | None = None,
        category: Category | None = None,
        status: BenchmarkStatus | None = None,
        tag: str | None = None,
        organization_id: str | None = None,
        ordering: str | None = None,
    ) -> Pages[Benchmark]:
        """Those that the token's owner may see.

        Args:
            query: words to find in name, description and tags.
            ordering: a field's name; `-` before it turns the order round.
        """
        return self._pages(
            "benchmarks", Benchmark, query=query, kind=kind, category=category, status=status, tag=tag,
            organization_id=organization_id, ordering=ordering,
        )  # fmt: skip

    def get(self, id_or_slug: str) -> Benchmark:
        """One benchmark, by its id or by its slug."""
        path = f"benchmarks/{id_or_slug}" if _is_id(id_or_slug) else f"benchmarks/slug/{part(id_or_slug)}"
        return self._transport.get(path, Benchmark)

    def create(
        self,
        *,
        organization_id: str,
        slug: str,
        name: str,
        kind: BenchmarkKind,
        category: Category,
        description: str | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        license: License | Unset = UNSET,
        citation: Mapping[str, Any] | Unset = UNSET,
        visibility: Visibility | Unset = UNSET,
    ) -> Benchmark:
        """A new draft; versions are added to it."""
        body = {
            "organization_id": organization_id, "slug": slug, "name": name, "kind": kind,
            "category": category, "description": description, "tags": tags, "license": license,
            "citation": citation, "visibility": visibility,
        }  # fmt: skip
        return self._transport.write("POST", "benchmarks", Benchmark, body)


def _is_id(given: str) -> bool:
    try:
        return str(UUID(given)) == given.lower()
    except ValueError:
        return False
