"""What of proposals is shown to whom."""

import pytest

from benchmarks.models import Benchmark
from exchange.accounts.selectors import actor_for_user
from exchange.core.actors import ANONYMOUS
from governance import errors, selectors, services
from tests.factories import governance as make
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.factories.benchmarks import BenchmarkFactory

pytestmark = pytest.mark.django_db


def named(actor, proposal):
    one = selectors.get_proposal(actor=actor, proposal_id=proposal.pk)
    listed = selectors.list_proposals(actor=actor).get(pk=proposal.pk)
    assert (one.benchmark_slug, one.benchmark_name) == (listed.benchmark_slug, listed.benchmark_name)
    return one.benchmark_slug, one.benchmark_name


class TestBenchmarkOfAProposal:
    @pytest.mark.parametrize(
        "hidden", [{"visibility": "private"}, {"visibility": "unlisted"}, {"status": "draft"}]
    )
    def test_is_named_only_to_those_who_find_it_in_lists(self, hidden):
        proposal = make.reviewed_proposal(kind="activate_benchmark")
        member = MembershipFactory(organization_id=proposal.benchmark.organization_id).user
        Benchmark.objects.filter(pk=proposal.benchmark_id).update(**hidden, slug="secret", name="Secret")

        assert named(ANONYMOUS, proposal) == (None, None)
        assert named(make.proposer_of(proposal), proposal) == (None, None)
        assert named(actor_for_user(member), proposal) == ("secret", "Secret")
        shown = selectors.get_proposal(actor=ANONYMOUS, proposal_id=proposal.pk)
        assert shown.benchmark_id == proposal.benchmark_id

    def test_is_named_to_everybody_while_it_is_public(self):
        proposal = make.reviewed_proposal()

        assert named(ANONYMOUS, proposal) == (proposal.benchmark.slug, proposal.benchmark.name)

    def test_is_named_in_the_draft_of_a_member(self):
        benchmark, person = BenchmarkFactory(published=True), make.ContributorFactory()
        MembershipFactory(user=person, organization=benchmark.organization)
        draft = make.draft_proposal(person, kind="activate_benchmark", action=make.activation(benchmark))

        assert named(actor_for_user(person), draft) == (benchmark.slug, benchmark.name)


class TestDrafts:
    def test_of_a_later_revision_stay_with_their_proposer_when_withdrawn(self):
        proposal = make.reviewed_proposal()
        services.review_proposal(
            actor=actor_for_user(make.ReviewerFactory()),
            proposal_id=proposal.pk,
            decision="request_changes",
            reason=make.REASON,
        )
        proposer = make.proposer_of(proposal)
        services.update_proposal(actor=proposer, proposal_id=proposal.pk, title="Not for you yet")
        services.withdraw_proposal(actor=proposer, proposal_id=proposal.pk)

        for actor in (ANONYMOUS, actor_for_user(UserFactory())):
            with pytest.raises(errors.ProposalNotFound):
                selectors.get_proposal(actor=actor, proposal_id=proposal.pk)
        assert selectors.get_proposal(actor=proposer, proposal_id=proposal.pk).status == "withdrawn"
