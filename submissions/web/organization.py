"""One organization: what it claims, for everybody; from inside also how its deployments stand."""

from collections import Counter

from django.shortcuts import render

from exchange.accounts import selectors as accounts
from exchange.accounts.api import serializers as s
from exchange.core import paging
from exchange.web.pages import page
from submissions import selectors as submissions
from submissions.api.serializers import SubmissionSerializer
from submissions.campaigns import standing
from submissions.endpoints import selectors as endpoints

SHOWN = 50


@page
def organization(request, slug):
    """Strangers see the profile and the public claims."""
    actor = request.actor
    found = accounts.get_organization_by_slug(actor=actor, slug=slug)
    claims = submissions.list_submissions(actor=actor, organization_id=found.pk)
    context = {
        "organization": s.OrganizationSerializer(found).data,
        "is_member": actor.belongs_to(found.pk),
        "submissions": SubmissionSerializer(paging.page(claims, size=SHOWN).items, many=True).data,
        "may_write": actor.works_for(found.pk),
        "may_administer": actor.administers(found.pk),
        **_endpoints(actor, found),
    }
    return render(request, "accounts/organization.html", context)


def _endpoints(actor, found):
    if not actor.belongs_to(found.pk):
        return {"has_endpoints": False, "states": {}}
    of = {"actor": actor, "organization_id": found.pk}
    states = standing.count_states(**of).values()
    return {
        "has_endpoints": endpoints.list_endpoints(**of).exists(),
        "states": dict(sum(map(Counter, states), Counter())),
    }
