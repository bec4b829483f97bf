from django.shortcuts import render

from benchmarks import selectors
from benchmarks.api import serializers as s
from exchange.api.forms import parse, split_page
from exchange.api.shown import shown_page
from exchange.web.pages import asked, page


@page
def benchmarks(request):
    given = asked(request, s.ListBenchmarksRequestSerializer)
    filters, paging = split_page(parse(s.ListBenchmarksRequestSerializer, given))
    rows = selectors.list_benchmarks(actor=request.actor, **filters)
    shown = shown_page(s.BenchmarkSerializer, rows, paging)
    context = {
        "benchmarks": shown["items"],
        "next_page_token": shown["next_page_token"],
        "filters": filters,
        "is_narrowed": any(filters[name] for name in filters if name != "ordering"),
        "may_draft": request.actor.is_authenticated,
        "is_demo": any(benchmark["is_demo"] for benchmark in shown["items"]),
    }
    return render(request, "benchmarks/benchmarks.html", context)
