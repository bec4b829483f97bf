from django.shortcuts import render

from exchange.accounts import selectors
from exchange.accounts.api import serializers as s
from exchange.accounts.api.words import ROLE_MEANINGS
from exchange.web.pages import page


@page
def person(request, username):
    """What a person chose to show."""
    found = s.PersonSerializer(selectors.get_person_by_username(actor=request.actor, username=username)).data
    context = {
        "person": found,
        "role_meaning": ROLE_MEANINGS[found["role"]],
        "is_own": str(request.actor.user_id) == found["id"],
    }
    return render(request, "accounts/person.html", context)
