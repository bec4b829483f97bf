"""Starting a campaign: which endpoints, which of their deployments, and what load after the check."""

from collections import Counter

from django.shortcuts import redirect, render

from benchmarks import selectors as benchmarks
from benchmarks.api.serializers import BenchmarkSerializer
from exchange.api.forms import parse
from exchange.core.errors import DomainError
from exchange.web.campaign_words import MODE_MEANINGS, MODES
from exchange.web.pages import form_data, page, refused_fields, signed_in, told
from submissions.campaigns import selectors, services, standing
from submissions.campaigns.api import serializers as s
from submissions.endpoints import selectors as endpoints
from submissions.endpoints.api.serializers import EndpointSerializer

from .places import head_of, known_id, organization_of

SHOWN = 200
ASKING_FIRST = services.REFRESHING


@page
@signed_in
def start_campaign(request, slug):
    """The chooser; a POST starts what was chosen."""
    found = organization_of(request, slug)
    if request.method != "POST":
        return _chooser(request, found, {"endpoint_id": request.GET.get("endpoint", "")})
    data = form_data(request)
    try:
        form = parse(s.StartCampaignRequestSerializer, {**data, "organization_id": found.pk})
        made = services.start_campaign(actor=request.actor, via=s.CampaignVia.WEB, **form)
    except DomainError as refusal:
        return _chooser(request, found, data, refusal)
    return redirect("campaign", campaign_id=made.pk)


def _chooser(request, found, values, refusal=None):
    of = {"actor": request.actor, "organization_id": found.pk}
    counted, rows = standing.count_states(**of), endpoints.list_endpoints(**of)[:SHOWN]
    chosen = known_id(values.get("endpoint_id", ""))
    states = counted.get(chosen, {}) if chosen else sum(map(Counter, counted.values()), Counter())
    baseline = selectors.default_profile()
    context = {
        **head_of(request, found),
        "endpoints": EndpointSerializer(rows, many=True).data,
        "chosen": str(chosen or ""),
        "modes": [_mode(name, states) for name in MODES if name != "one"],
        "profiles": _profiles(request),
        "baseline": baseline.benchmark.name if baseline else "",
        "values": values,
        "errors": refused_fields(refusal) if refusal else [],
    }
    answer = render(request, "campaigns/start.html", context, status=refusal.http if refusal else 200)
    return told(answer, refusal) if refusal else answer


def _mode(name, states):
    """A mode that asks first what is served can always be chosen: there may be more than is known."""
    number = standing.number_chosen(name, states)
    asks = name in ASKING_FIRST
    return {
        "name": name,
        "title": MODES[name],
        "meaning": MODE_MEANINGS[name],
        "number": number,
        "asks": asks,
        "is_open": asks or number > 0,
    }


def _profiles(request):
    """Published loads as choices."""
    active = benchmarks.list_benchmarks(actor=request.actor, status="active", kind="performance")
    rows = BenchmarkSerializer(active[:SHOWN], many=True).data
    return [
        (row["current_version_id"], f"{row['name']} {row['current_version']}")
        for row in rows
        if row["current_version"]
    ]
