"""How lists of benchmarks are narrowed and ordered, for REST, gRPC and pages alike."""

import django_filters
from django.contrib.postgres.search import SearchQuery
from django.db.models import QuerySet

from .models import SEARCHED, Benchmark, BenchmarkCategory, BenchmarkKind, BenchmarkStatus, LicenseType

DEFAULT_ORDER = "name"
ORDERS = ("name", "-name", "created_at", "-created_at", "updated_at", "-updated_at")


class BenchmarkFilter(django_filters.FilterSet):
    category = django_filters.ChoiceFilter(choices=BenchmarkCategory.choices)
    kind = django_filters.ChoiceFilter(choices=BenchmarkKind.choices)
    status = django_filters.ChoiceFilter(choices=BenchmarkStatus.choices)
    license = django_filters.ChoiceFilter(choices=LicenseType.choices)
    organization = django_filters.CharFilter(field_name="organization__slug")
    endorsed = django_filters.BooleanFilter(field_name="is_endorsed")
    query = django_filters.CharFilter(method="search")

    class Meta:
        model = Benchmark
        fields = ["category", "kind", "status", "license", "organization", "endorsed", "query"]

    def filter_queryset(self, queryset: QuerySet[Benchmark]) -> QuerySet[Benchmark]:
        """Besides: whoever names several tags wants what has all of them."""
        tags = [tag.strip().lower() for tag in self.data.get("tags", ())]
        rows = super().filter_queryset(queryset)
        return rows.filter(tags__contains=tags) if tags else rows

    def search(self, rows: QuerySet[Benchmark], _name: str, value: str) -> QuerySet[Benchmark]:
        """All the words, each of them also as the beginning of a longer one."""
        wanted = SearchQuery(_prefixes(value), search_type="raw", config="simple")
        return rows.annotate(words=SEARCHED).filter(words=wanted)


def _prefixes(text: str) -> str:
    """In to_tsquery's spelling; quoted, a word holds no operator."""
    quoted = (word.replace("\\", "\\\\").replace("'", "''") for word in text.split())
    return " & ".join(f"'{word}':*" for word in quoted)
