"""Votes at the same time, and against the closer, on connections of their own."""

import threading
from datetime import timedelta
from functools import partial
from time import sleep

import pytest
from django.db import IntegrityError, transaction

from exchange.accounts.models import User
from exchange.accounts.selectors import actor_for_user
from exchange.core import audit, clock, events
from exchange.core.actors import SYSTEM, SiteRole
from exchange.core.errors import DomainError
from exchange.core.models import AuditEntry
from governance import execution, services, voting
from governance.models import Ballot, Procedure, Proposal, VotingRules
from tests.factories import governance as make
from tests.factories.accounts import UserFactory
from tests.threads import together

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 10
CHOICES = ("approve", "reject", "abstain")


def cast(actor, proposal, choice):
    return services.cast_vote(actor=actor, proposal_id=proposal.pk, choice=choice)


def end_in(proposal, *, seconds):
    ends = clock.now() + timedelta(seconds=seconds)
    Proposal.objects.filter(pk=proposal.pk).update(voting_closes_at=ends)


def parts(work):
    return [partial(work, number) for number in range(AT_ONCE)]


class TestManyVotes:
    def test_of_one_person_are_one_ballot(self):
        proposal = make.voting_proposal()
        voter = make.voters_of(proposal)[0]

        def ten_times(number):
            return [cast(voter, proposal, CHOICES[(number + i) % 3]) for i in range(10)]

        answers = together(*parts(ten_times))

        brought = [ballot for ten in answers for ballot in ten]
        assert len(brought) == 100
        stored = Ballot.objects.get(proposal=proposal, choice__isnull=False)
        assert stored.choice in {ballot.choice for ballot in brought}
        assert AuditEntry.objects.filter(kind="vote.cast").count() == 100
        assert audit.first_broken(AuditEntry.objects.order_by("sequence")) is None

    def test_of_many_count_once_each_and_those_of_strangers_never(self):
        proposal = make.voting_proposal(voters=20)
        voters, strangers = make.voters_of(proposal), UserFactory.create_batch(5)
        asking = [*voters * 4, *map(actor_for_user, strangers)]

        def some(start):
            return [outcome(partial(cast, actor, proposal, "approve")) for actor in asking[start::AT_ONCE]]

        answers = [code for codes in together(*parts(some)) for code in codes]

        assert sorted(set(answers)) == ["", "not_on_the_roll"]
        assert answers.count("not_on_the_roll") == len(strangers)
        make.move_end(proposal)
        services.finalise_due()
        assert make.reread(proposal).tally["ballot_count"] == len(voters)


def outcome(call):
    try:
        call()
    except DomainError as refusal:
        return refusal.code
    return ""


class TestDeadline:
    @pytest.mark.parametrize("round_", range(3))
    def test_lets_a_vote_in_or_out_and_never_both(self, round_):
        proposal = make.voting_proposal(voters=40)
        voters = make.voters_of(proposal)
        Proposal.objects.filter(pk=proposal.pk).update(voting_closes_at=clock.now() + timedelta(seconds=0.25))
        counted = threading.Event()

        def close():
            while not counted.is_set():
                services.finalise_due()
                if Proposal.objects.get(pk=proposal.pk).tally is not None:
                    counted.set()
            return set()

        def vote(start):
            let_in, waiting = set(), voters[start::4]
            while waiting and not counted.is_set():
                actor = waiting.pop()
                if not outcome(partial(cast, actor, proposal, "approve")):
                    let_in.add(actor.user_id)
                counted.wait(0.02)
            return let_in

        answers = together(close, close, *(partial(vote, start) for start in range(4)))

        assert all(isinstance(answer, set) for answer in answers), answers
        let_in = set().union(*answers)
        rows = Ballot.objects.filter(proposal=proposal, choice__isnull=False)
        assert let_in == set(rows.values_list("voter_id", flat=True))
        after = make.reread(proposal)
        assert after.tally["ballot_count"] == len(let_in)
        assert all(row.cast_at < after.voting_closes_at for row in rows)

    def test_is_judged_by_the_time_after_waiting_for_the_row(self):
        proposal = make.voting_proposal()
        voter = make.voters_of(proposal)[0]
        held = threading.Event()

        def hold_over_the_end():
            with transaction.atomic():
                Proposal.objects.select_for_update(no_key=True).get(pk=proposal.pk)
                held.set()
                sleep(0.6)

        def vote():
            held.wait()
            return outcome(partial(cast, voter, proposal, "approve"))

        Proposal.objects.filter(pk=proposal.pk).update(voting_closes_at=clock.now() + timedelta(seconds=0.4))
        assert together(hold_over_the_end, vote)[1] == "voting_closed"
        assert not Ballot.objects.filter(choice__isnull=False).exists()

    def test_waits_for_a_vote_that_came_in_time(self):
        proposal, held = make.voting_proposal(), threading.Event()

        def vote_slowly():
            with transaction.atomic():
                in_time = voting.hold_open(proposal.pk)
                held.set()
                sleep(0.8)
            return in_time

        def close():
            held.wait()
            sleep(0.4)
            return services.finalise_due()

        end_in(proposal, seconds=0.3)
        in_time, steps = together(vote_slowly, close)

        assert in_time
        assert steps == 0
        assert services.finalise_due() == 1

    def test_does_not_wait_for_a_vote_that_came_too_late(self):
        proposal = make.voting_proposal()
        make.move_end(proposal)
        with transaction.atomic():
            assert voting.hold_open(proposal.pk) is None
            assert together(services.finalise_due) == [1]


class TestFinaliser:
    def test_of_two_only_one_carries_out(self):
        proposal = make.closed_proposal(kind="set_voting_rules")
        make.end_timelock(proposal)

        steps = together(*[execution.finalise_due] * 4)

        assert sum(steps) == 1
        assert VotingRules.objects.filter(proposal_type="update_benchmark").count() == 2
        assert make.reread(proposal).execution_attempts == 1


class TestContributor:
    def test_is_made_when_address_and_contribution_come_at_the_same_time(self):
        person, verified = UserFactory(), threading.Event()

        def verify():
            with transaction.atomic():
                User.objects.filter(pk=person.pk).update(email_verified=True)
                events.publish("email.verified", actor=SYSTEM, subject_id=person.pk)
                verified.set()
                sleep(0.4)

        def contribute():
            verified.wait()
            with transaction.atomic():
                about = {"actor": actor_for_user(person), "subject_id": person.pk}
                services.follow_contribution(events.Event("submission.created", **about))

        together(verify, contribute)

        assert User.objects.get(pk=person.pk).role == SiteRole.CONTRIBUTOR


class TestRules:
    def test_are_numbered_without_a_gap_when_two_proposals_set_them(self):
        fields = [{**make.RULES, "quorum_percent": percent} for percent in (20, 30, 40)]

        together(*(partial(added, one) for one in fields))

        numbers = VotingRules.objects.filter(proposal_type="update_benchmark").order_by("number")
        assert list(numbers.values_list("number", flat=True)) == [1, 2, 3, 4]
        assert Procedure.objects.get(pk="update_benchmark").rules.number == 4

    def test_never_change(self):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            VotingRules.objects.update(quorum_percent=1)


def added(fields):
    with transaction.atomic():
        return voting.add_rules("update_benchmark", fields)
