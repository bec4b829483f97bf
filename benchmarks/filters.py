"""How lists of benchmarks are narrowed, for REST, gRPC and pages alike."""

import django_filters
from django.db.models import Q, QuerySet

from .models import Benchmark, BenchmarkCategory, BenchmarkKind, BenchmarkStatus


class BenchmarkFilter(django_filters.FilterSet):
    category = django_filters.ChoiceFilter(choices=BenchmarkCategory.choices)
    kind = django_filters.ChoiceFilter(choices=BenchmarkKind.choices)
    status = django_filters.ChoiceFilter(choices=BenchmarkStatus.choices)
    query = django_filters.CharFilter(method="search")

    class Meta:
        model = Benchmark
        fields = ["category", "kind", "status"]

    def search(self, rows: QuerySet[Benchmark], _name: str, value: str) -> QuerySet[Benchmark]:
        named = Q(name__icontains=value) | Q(slug__icontains=value)
        return rows.filter(named | Q(description__icontains=value) | Q(tags__contains=[value.lower()]))
