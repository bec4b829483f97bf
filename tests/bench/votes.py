"""What voting costs over HTTP, and whether its deadline is exact: `python -m tests.bench.votes`.

A stack in a folder of its own. First 2,500 people on the roll vote four times each and 200 others once, in
random order over 64 keep-alive connections; the same people then ask for their own profile, which shows what
of it is the voting. Then 200 people a second vote across the deadline of a vote while it is being counted, 50
times: whoever was told 2xx is in the count, and nobody else.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import uvloop

from exchange.supervisor.stack import Stack
from llm_benchmark.measure.egress import Pinned
from llm_benchmark.measure.wire import Connections, render_request
from tests.bench.processes import below

ELIGIBLE, INELIGIBLE, REPEATS = 2500, 200, 4
CONNECTIONS, PATIENCE_SECONDS = 64, 120
ROUNDS, RATE, VOTERS = 50, 200, 500
BEFORE_SECONDS = 1.25  # of the votes of a round, half come before its deadline
LONG_SECONDS, SHORT_SECONDS = 3600, 2
SHORT_VOTES = {"EXCHANGE_GOVERNANCE_VOTING_SECONDS": "1,604800,2592000"}
PER_SECOND = 300
WEB, DATABASE = b"granian", b"postgres"


class Doors:
    """The website's address, and requests to it as bytes."""

    def __init__(self, base_url):
        host, port = urlsplit(base_url).hostname, urlsplit(base_url).port
        self._host = f"{host}:{port}"
        self._pinned = Pinned("http", host, port, host, None)

    def vote(self, token, proposal, choice):
        body = json.dumps({"choice": choice}).encode()
        path = f"/api/v1/proposals/{proposal.pk}/vote"
        return render_request("POST", path, host=self._host, api_key=token, body=body)

    def profile(self, token):
        return render_request("GET", "/api/v1/users/me", host=self._host, api_key=token)

    def all_at_once(self, requests):
        """Seconds, and (who, status) of each of the (who, request): as fast as the connections carry them."""
        waiting, answers = iter(requests), []

        async def slot(connections):
            for who, request in waiting:
                answers.append((who, await _status(connections, request)))

        async def ask(connections):
            await asyncio.gather(*(slot(connections) for _ in range(CONNECTIONS)))

        began = time.perf_counter()
        self._run(ask)
        return time.perf_counter() - began, answers

    def at_a_rate(self, requests, *, begins):
        """The same, RATE a second from the moment `begins` (seconds since the epoch)."""

        async def later(connections, number, request):
            await asyncio.sleep(begins + number / RATE - time.time())
            return await _status(connections, request)

        async def ask(connections):
            sent = (later(connections, number, request) for number, (_who, request) in enumerate(requests))
            return await asyncio.gather(*sent)

        statuses = self._run(ask)
        return [(who, status) for (who, _request), status in zip(requests, statuses, strict=True)]

    def _run(self, ask):
        async def run():
            connections = Connections(self._pinned)
            try:
                return await ask(connections)
            finally:
                await connections.close()

        return uvloop.run(run())


async def _status(connections, request):
    return (await connections.send(request, seconds=PATIENCE_SECONDS)).status


class People:
    """Users with tokens, made in bulk: `tokens` by user id."""

    def __init__(self, name, count, role):
        from exchange.accounts import secrets
        from exchange.accounts.models import Token, TokenKind, User
        from exchange.core.actors import ALL_SCOPES

        users = User.objects.bulk_create(
            User(username=f"{name}-{n}", email=f"{name}-{n}@example.org", role=role, password="!")
            for n in range(count)
        )
        self.tokens = {user.pk: secrets.new_secret(TokenKind.PERSONAL) for user in users}
        Token.objects.bulk_create(
            Token(
                user_id=user_id, kind=TokenKind.PERSONAL, name="bench", scopes=sorted(ALL_SCOPES),
                prefix=secrets.shown_prefix(secret), digest=secrets.digest_of(secret),
            )
            for user_id, secret in self.tokens.items()
        )  # fmt: skip
        self.first = users[0]


class Poll:
    """Opens votes on which everybody eligible is on the roll."""

    def __init__(self):
        from exchange.core.actors import SiteRole

        self.eligible = People("voter", ELIGIBLE - 1, SiteRole.CONTRIBUTOR)
        self.reviewer = People("reviewer", 1, SiteRole.REVIEWER)
        self.eligible.tokens |= self.reviewer.tokens
        self.ineligible = People("reader", INELIGIBLE, SiteRole.REGISTERED)

    def open(self, voting_seconds):
        from exchange.accounts.selectors import actor_for_user
        from governance import services

        _rule(voting_seconds)
        proposer, reviewer = actor_for_user(self.eligible.first), actor_for_user(self.reviewer.first)
        rules = {
            "proposal_type": "new_benchmark", "quorum_percent": 20, "quorum_minimum": 5,
            "threshold_numerator": 2, "threshold_denominator": 3, "voting_seconds": 7 * 86400,
            "timelock_seconds": 86400, "expiry_seconds": 30 * 86400,
        }  # fmt: skip
        proposal = services.create_proposal(
            actor=proposer, type="policy_change", title="A larger quorum", description="For the bench.",
            rationale="For the bench.", action={"kind": "set_voting_rules", "set_voting_rules": rules},
        )  # fmt: skip
        services.submit_proposal_for_review(actor=proposer, proposal_id=proposal.pk)
        services.review_proposal(actor=reviewer, proposal_id=proposal.pk, decision="approve")
        return services.open_voting(actor=proposer, proposal_id=proposal.pk)


def _rule(voting_seconds):
    """How long the next votes take."""
    from django.db import transaction

    from governance import voting
    from governance.models import Procedure

    rules = Procedure.objects.get(pk="policy_change").rules
    given = {name: getattr(rules, name) for name in voting.RULE_FIELDS}
    with transaction.atomic():
        voting.add_rules("policy_change", {**given, "voting_seconds": voting_seconds})


class Closer(threading.Thread):
    """Counts what is due without a pause, beside the platform's own beat."""

    def __init__(self):
        super().__init__(daemon=True)
        self._stopped = threading.Event()

    def run(self):
        from django.db import connection

        from governance import services

        while not self._stopped.wait(0.01):
            services.finalise_due()
        connection.close()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._stopped.set()
        self.join()


def counted(proposal):
    """Who is in the count of a vote that is over; the count itself has to agree."""
    from governance.models import Ballot

    deadline = time.monotonic() + PATIENCE_SECONDS
    while proposal.tally is None and time.monotonic() < deadline:
        time.sleep(0.01)
        proposal.refresh_from_db()
    ballots = Ballot.objects.filter(proposal=proposal, choice__isnull=False)
    voters = set(ballots.values_list("voter", flat=True))
    if proposal.tally is None or proposal.tally["ballot_count"] != len(voters):
        sys.exit(f"counted {proposal.tally}, cast {len(voters)}")
    return voters


def cpu_seconds(root):
    """CPU time of the website's and the database's processes below `root`, with those that have ended."""
    processes = below(root).values()
    return {
        name: sum(seconds for seconds, command in processes if name in command) for name in (WEB, DATABASE)
    }


def cost(root, act):
    """What `act` gave, and the CPU seconds that it took the two servers."""
    before = cpu_seconds(root)
    answer = act()
    after = cpu_seconds(root)
    return answer, {name: after[name] - before[name] for name in before}


def flood(stack, doors, poll):
    """Everybody at once."""
    eligible, ineligible = poll.eligible.tokens, poll.ineligible.tokens
    proposal = poll.open(LONG_SECONDS)
    choices = itertools.cycle(["approve", "reject", "abstain"])
    votes = [
        (who, doors.vote(token, proposal, next(choices)))
        for tokens, times in ((eligible, REPEATS), (ineligible, 1))
        for who, token in tokens.items()
        for _ in range(times)
    ]
    profiles = [(who, doors.profile(token)) for who, token in eligible.items() for _ in range(REPEATS)]
    random.shuffle(votes)
    random.shuffle(profiles)
    doors.all_at_once(profiles[: 10 * CONNECTIONS])
    (seconds, told), read = cost(stack.status.pid, lambda: doors.all_at_once(profiles))
    print(
        f"the same people ask for their profile: {len(told) / seconds:.0f} a second, {_ms(read, len(told))}"
    )
    (seconds, told), spent = cost(stack.status.pid, lambda: doors.all_at_once(votes))
    print(f"answers: {dict(Counter(status for _who, status in told))} in {seconds:.1f} s")
    voters = _closed(proposal)
    accepted = [who for who, status in told if status < 300]
    if set(accepted) != voters:
        sys.exit(f"{len(set(accepted) ^ voters)} voters were told something else than what was counted")
    print(f"a vote: {_ms(spent, len(told))}")
    print(f"FIGURE votes_counted {len(voters)} count  target = {ELIGIBLE}")
    print(f"FIGURE votes_per_s {len(accepted) / seconds:.0f} 1/s  target ≥ {PER_SECOND}")
    print(f"FIGURE vote_cpu_ms {sum(spent.values()) / len(told) * 1000:.2f} ms")
    print(f"FIGURE votes_ineligible_counted {len(voters & ineligible.keys())} count  target = 0")


def _closed(proposal):
    """End the vote now, and count it."""
    from exchange.core import clock
    from governance import services
    from governance.models import Proposal

    Proposal.objects.filter(pk=proposal.pk).update(voting_closes_at=clock.now())
    services.finalise_due()
    return counted(proposal)


def _ms(spent, count):
    parts = (f"{name.decode()} {seconds / count * 1000:.2f}" for name, seconds in spent.items())
    return f"CPU ms each: {', '.join(parts)}"


def across_the_deadline(doors, poll, rounds):
    """How many voters were told something else than what was counted, over all rounds."""
    differences, told_of = 0, Counter()
    with Closer():
        for number in range(1, rounds + 1):
            proposal = poll.open(SHORT_SECONDS)
            voters = random.sample(sorted(poll.eligible.tokens), VOTERS)
            votes = [(who, doors.vote(poll.eligible.tokens[who], proposal, "reject")) for who in voters]
            begins = proposal.voting_closes_at.timestamp() - BEFORE_SECONDS
            told = doors.at_a_rate(votes, begins=begins)
            accepted = {who for who, status in told if status < 300}
            differences += len(accepted ^ counted(proposal))
            told_of.update(status for _who, status in told)
            if number % 10 == 0:
                print(f"{number} deadlines: answers {dict(told_of)}, differences {differences}", flush=True)
    print(f"FIGURE votes_deadline_differences {differences} count  target = 0")
    return differences


def set_up_django(stack):
    os.environ.update(stack.env)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "exchange.settings.dev")
    import django
    from django.conf import settings

    django.setup()
    settings.PROPOSALS_A_DAY = 1000  # one proposer opens every round here


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="bench-votes-") as folder:
        Path(folder).chmod(0o755)
        with Stack(Path(folder) / "state", env={"EXCHANGE_LOG_LEVEL": "WARNING", **SHORT_VOTES}) as stack:
            set_up_django(stack)
            doors, poll = Doors(stack.base_url), Poll()
            flood(stack, doors, poll)
            across_the_deadline(doors, poll, rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
