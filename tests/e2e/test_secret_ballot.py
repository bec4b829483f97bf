"""While a vote is open, no door tells anybody else that somebody voted, how, or how many did.

Everything that can be read is read before and after, at every door: not a byte may differ.
"""

import copy
import re
from contextlib import contextmanager

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from exchange.core import clock
from exchange.core.actors import SiteRole
from governance import services
from tests.contract.doors import page_views
from tests.e2e import worlds
from tests.e2e.test_foreign_ids import ask, body_of
from tests.e2e.worlds import own
from tests.factories import governance as make
from tests.factories.accounts import UserFactory, token_for

pytestmark = pytest.mark.usefixtures("undone")

READS = ("Get", "List", "Search", "Compare", "Export")
ROUTES = [route for route in worlds.routes() if route.method == "get"]
CALLS = [call for call in worlds.calls() if call.name.startswith(READS)]
PAGES = [pattern for pattern, _view in page_views()]
OWN_HEADERS = {"X-Request-ID", "Expires"}
# A request's own number, and a form's own token.
OF_THE_REQUEST = re.compile(rb'req_[0-9a-f]{20}|name="csrfmiddlewaretoken" value="\w+"')
SHOWN = {"GetProposal", "ListProposals", "ListBallots", "get /api/v1/proposals", "/proposals"}
CHOICES = ("approve", "reject", "abstain", "approve", "reject")


class Reader:
    """Somebody at all doors; `user` is None for nobody in particular."""

    def __init__(self, user=None):
        self.browser, self.api, self.secret = Client(), APIClient(), ""
        if user is not None:
            self.secret = token_for(user)
            self.browser.force_login(user)
            self.api.credentials(HTTP_AUTHORIZATION=f"Bearer {self.secret}")

    def everything(self, world):
        """Door → all that it says, with every filter and with none."""
        found = {}
        for door in (*ROUTES, *CALLS):
            asked = {f"{door}": own(door.form, world), f"{door} unfiltered": unfiltered(door, world)}
            if len({repr(data) for data in asked.values()}) == 1:
                asked.popitem()
            found |= {name: self._answer(door, data) for name, data in asked.items()}
        pages = self.pages(worlds.page_of(world, pattern)[1] for pattern in PAGES)
        return {door: _plain(said) for door, said in found.items()} | pages

    def pages(self, paths):
        return {path: _plain(self._said(self.browser.get(path))) for path in paths}

    def _answer(self, door, data):
        is_rpc = isinstance(door, worlds.Call)
        return ask(door, data, self.secret)[-1] if is_rpc else self._said(door.send(self.api, data))

    def _said(self, answer):
        headers = sorted((name, value) for name, value in answer.items() if name not in OWN_HEADERS)
        return repr((answer.status_code, headers)).encode() + body_of(answer)


def unfiltered(door, world):
    """Without what may be left out."""
    fields, path = door.form().fields, getattr(door, "pattern", "")
    data = own(door.form, world)
    needed = [name for name in data if fields[name].required or f"<{name}>" in path]
    return {name: data[name] for name in needed or list(data)[: path.count("<")]}


def _plain(said):
    return OF_THE_REQUEST.sub(b"", said if isinstance(said, bytes) else said.encode())


@contextmanager
def standing_still(patch):
    """Nothing differs by the time that is left, or since a token was used."""
    now = clock.now()
    with patch.context() as patched:
        patched.setattr("exchange.accounts.selectors._USED_STEP_SECONDS", 86_400)
        patched.setattr(clock, "now", lambda: now)
        yield


@pytest.fixture
def vote():
    return make.voting_proposal(voters=len(CHOICES))


@pytest.fixture
def world(mine, vote):
    """`mine`, in which the proposal is the one that is voted on."""
    world = copy.copy(mine)
    comment = make.CommentFactory(proposal=vote)
    world.ids = {**mine.ids, "proposal": vote.pk, "comment": comment.pk}
    return world


@pytest.fixture
def readers(mine, vote):
    return {
        "nobody": Reader(),
        "proposer": Reader(vote.proposer),
        "another voter": Reader(mine.person),
    }


def cast(vote, voters):
    """Everybody votes, and the first one thinks again."""
    for actor, choice in (*zip(voters, CHOICES, strict=True), (voters[0], "reject")):
        services.cast_vote(actor=actor, proposal_id=vote.pk, choice=choice, reason="It is time.")


def test_nothing_differs_at_any_door(vote, world, readers, mine, monkeypatch):
    others = {vote.proposer_id, mine.person.pk}
    voters = [actor for actor in make.voters_of(vote) if actor.user_id not in others][: len(CHOICES)]

    with standing_still(monkeypatch):
        before = {who: reader.everything(world) for who, reader in readers.items()}
        cast(vote, voters)
        after = {who: reader.everything(world) for who, reader in readers.items()}

    assert differing(before, after) == set()


def test_nothing_differs_for_operators(vote, monkeypatch):
    operator = Reader(UserFactory(role=SiteRole.ADMIN))
    lists = [reverse("admin:governance_proposal_changelist"), reverse("admin:accounts_user_changelist")]
    paths = [*lists, reverse("admin:governance_proposal_change", args=[vote.pk])]

    with standing_still(monkeypatch):
        before = operator.pages(paths)
        cast(vote, make.voters_of(vote)[: len(CHOICES)])
        after = operator.pages(paths)

    assert all(said.startswith(b"(200") for said in before.values())
    assert before == after


def test_the_count_would_be_noticed(vote, world, monkeypatch):
    """So that the test above can fail."""
    reader = Reader()
    cast(vote, make.voters_of(vote)[: len(CHOICES)])

    with standing_still(monkeypatch):
        before = {"": reader.everything(world)}
    make.move_end(vote)
    services.finalise_due()
    with standing_still(monkeypatch):
        after = {"": reader.everything(world)}

    doors = {door.removesuffix(" unfiltered") for _who, door in differing(before, after)}
    assert {*SHOWN, "get /api/v1/proposals/<pk>", f"/proposals/{vote.pk}"} <= doors


def differing(before, after):
    return {
        (who, door) for who, said in before.items() for door in said if said[door] != after[who].get(door)
    }
