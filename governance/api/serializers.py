"""The one shape of proposals, their debate and their votes, for every door."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from benchmarks.api.serializers import PolicyDraftSerializer
from benchmarks.models import BenchmarkCategory, LicenseType
from exchange.api.fields import NameField
from exchange.api.forms import ListForm
from governance.models import (
    ActionKind,
    CommentKind,
    Proposal,
    ProposalStatus,
    ProposalType,
    ReviewDecision,
    ReviewStatus,
    Vote,
)
from governance.tally import quorum_sentence, threshold_sentence

_LARGEST_INT32 = 2**31 - 1
_LARGEST_TERM = 1000
_HASH = r"^[0-9a-f]{64}\Z"


def _text(longest: int, **options: Any) -> serializers.CharField:
    return serializers.CharField(max_length=longest, **options)


def _hash() -> serializers.RegexField:
    return serializers.RegexField(
        _HASH,
        allow_null=True,
        default=None,
        error_messages={"invalid": _("This is a SHA-256 of 64 lower-case hexadecimal digits.")},
    )


def _seconds() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=_LARGEST_INT32)


class ActivateBenchmarkActionSerializer(serializers.Serializer):
    """Version and hash may be left out of a request; the published version is meant then."""

    benchmark_id = serializers.UUIDField()
    version_id = serializers.UUIDField(allow_null=True, default=None)
    content_hash = _hash()


class BenchmarkChangesSerializer(serializers.Serializer):
    """What is not given stays; an empty list of tags is not given."""

    name = NameField(max_length=160, allow_null=True, default=None)
    description = _text(4000, allow_null=True, default=None)
    category = serializers.ChoiceField(choices=BenchmarkCategory.choices, allow_null=True, default=None)
    tags = serializers.ListField(child=NameField(max_length=50), max_length=20, default=list)
    long_description = _text(20_000, allow_null=True, default=None)
    license = serializers.ChoiceField(choices=LicenseType.choices, allow_null=True, default=None)
    custom_license = _text(4000, allow_null=True, default=None)
    documentation_url = _text(2000, allow_null=True, default=None)
    source_url = _text(2000, allow_null=True, default=None)


class UpdateBenchmarkActionSerializer(serializers.Serializer):
    """`version_id` names a draft version to publish; its digest may be left out of a request."""

    benchmark_id = serializers.UUIDField()
    changes = BenchmarkChangesSerializer(allow_null=True, default=None)
    version_id = serializers.UUIDField(allow_null=True, default=None)
    content_hash = _hash()


class DeprecateBenchmarkActionSerializer(serializers.Serializer):
    benchmark_id = serializers.UUIDField()
    reason = _text(1000, min_length=10)


class SetVerificationPolicyActionSerializer(PolicyDraftSerializer):
    """What is left out of a request gets the default of the benchmark's kind."""

    version_id = serializers.UUIDField()


class SetVotingRulesActionSerializer(serializers.Serializer):
    """From one half (which ties pass) to all of those for and against; the operator bounds the times."""

    proposal_type = serializers.ChoiceField(choices=ProposalType.choices)
    quorum_percent = serializers.IntegerField(min_value=1, max_value=100)
    quorum_minimum = serializers.IntegerField(min_value=1, max_value=_LARGEST_INT32)
    threshold_numerator = serializers.IntegerField(min_value=1, max_value=_LARGEST_TERM)
    threshold_denominator = serializers.IntegerField(min_value=1, max_value=_LARGEST_TERM)
    voting_seconds = _seconds()
    timelock_seconds = _seconds()
    expiry_seconds = _seconds()


class ProposalActionSerializer(serializers.Serializer):
    """`kind`, and the one field of that name."""

    kind = serializers.ChoiceField(choices=ActionKind.choices)
    activate_benchmark = ActivateBenchmarkActionSerializer(allow_null=True, default=None)
    update_benchmark = UpdateBenchmarkActionSerializer(allow_null=True, default=None)
    deprecate_benchmark = DeprecateBenchmarkActionSerializer(allow_null=True, default=None)
    set_verification_policy = SetVerificationPolicyActionSerializer(allow_null=True, default=None)
    set_voting_rules = SetVotingRulesActionSerializer(allow_null=True, default=None)


class VotingRulesSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    proposal_type = serializers.ChoiceField(choices=ProposalType.choices)
    quorum_percent = serializers.IntegerField()
    quorum_minimum = serializers.IntegerField()
    threshold_numerator = serializers.IntegerField()
    threshold_denominator = serializers.IntegerField()
    voting_seconds = serializers.IntegerField()
    timelock_seconds = serializers.IntegerField()
    expiry_seconds = serializers.IntegerField()
    digest = serializers.CharField()
    decided_by = serializers.CharField()
    effective_at = serializers.DateTimeField()


class TallySerializer(serializers.Serializer):
    approve = serializers.IntegerField()
    reject = serializers.IntegerField()
    abstain = serializers.IntegerField()
    ballot_count = serializers.IntegerField()
    ballots_without_proposer = serializers.IntegerField()


class FormulaSerializer(serializers.Serializer):
    """How it is decided, in words with the numbers that are known so far."""

    quorum = serializers.SerializerMethodField()
    threshold = serializers.SerializerMethodField()

    def get_quorum(self, proposal: Proposal) -> str:
        return quorum_sentence(
            proposal.rules,
            electorate_size=proposal.electorate_size,
            needed=proposal.ballots_needed,
            tally=proposal.tally,
        )

    def get_threshold(self, proposal: Proposal) -> str:
        return threshold_sentence(proposal.rules, tally=proposal.tally)


class ProposalChangeSerializer(serializers.Serializer):
    """One thing that execution changes. A value is text as the API spells it, null for "none"."""

    name = serializers.CharField()
    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)


class ProposalSerializer(serializers.Serializer):
    """`planned` is what the action would change; `effect` is what it did change."""

    id = serializers.UUIDField()
    type = serializers.ChoiceField(choices=ProposalType.choices)
    title = serializers.CharField()
    description = serializers.CharField()
    rationale = serializers.CharField()
    status = serializers.ChoiceField(choices=ProposalStatus.choices)
    benchmark_id = serializers.UUIDField(allow_null=True)
    benchmark_slug = serializers.CharField(allow_null=True)
    benchmark_name = serializers.CharField(allow_null=True)
    proposer_id = serializers.UUIDField()
    proposer_name = serializers.CharField(source="proposer.username")
    revision = serializers.IntegerField()
    is_demo = serializers.BooleanField()
    action = ProposalActionSerializer()
    action_digest = serializers.CharField()
    planned = ProposalChangeSerializer(many=True)
    rules = VotingRulesSerializer()
    formula = FormulaSerializer(source="*")
    electorate_size = serializers.IntegerField(allow_null=True)
    electorate_digest = serializers.CharField()
    ballots_needed = serializers.IntegerField(allow_null=True)
    voting_opens_at = serializers.DateTimeField(allow_null=True)
    voting_closes_at = serializers.DateTimeField(allow_null=True)
    tally = TallySerializer(allow_null=True)
    ballots_digest = serializers.CharField()
    quorum_met = serializers.BooleanField(allow_null=True)
    threshold_met = serializers.BooleanField(allow_null=True)
    review_status = serializers.ChoiceField(choices=ReviewStatus.choices)
    approval_count = serializers.IntegerField()
    objection_count = serializers.IntegerField()
    comment_count = serializers.IntegerField()
    execute_after = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    executed_at = serializers.DateTimeField(allow_null=True)
    execution_attempts = serializers.IntegerField()
    execution_error_code = serializers.CharField()
    execution_error = serializers.CharField()
    effect = ProposalChangeSerializer(many=True)
    submitted_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class ProposalReviewSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    revision = serializers.IntegerField()
    reviewer_id = serializers.UUIDField()
    reviewer_name = serializers.CharField(source="reviewer.username")
    decision = serializers.ChoiceField(choices=ReviewDecision.choices)
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()


class ProposalCommentSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    parent_id = serializers.UUIDField(allow_null=True)
    author_id = serializers.UUIDField()
    author_name = serializers.CharField(source="author.username")
    kind = serializers.ChoiceField(choices=CommentKind.choices)
    body = serializers.CharField()
    resolved_at = serializers.DateTimeField(allow_null=True)
    resolved_by_name = serializers.CharField(source="resolved_by.username", allow_null=True, default=None)
    created_at = serializers.DateTimeField()


class BallotSerializer(serializers.Serializer):
    """A line of the roll call. `choice` is null for whoever did not vote."""

    voter_id = serializers.UUIDField()
    voter_name = serializers.CharField(source="voter.username")
    choice = serializers.ChoiceField(choices=Vote.choices, allow_null=True)
    reason = serializers.CharField()
    cast_at = serializers.DateTimeField(allow_null=True)


class OwnBallotSerializer(serializers.Serializer):
    """What a voter sees of their own ballot at any time."""

    proposal_id = serializers.UUIDField()
    choice = serializers.ChoiceField(choices=Vote.choices, allow_null=True)
    reason = serializers.CharField()
    cast_at = serializers.DateTimeField(allow_null=True)


class ListProposalsRequestSerializer(ListForm):
    type = serializers.ChoiceField(choices=ProposalType.choices, default="")
    status = serializers.ChoiceField(choices=ProposalStatus.choices, default="")
    benchmark_id = serializers.UUIDField(allow_null=True, default=None)
    query = _text(200, default="", allow_blank=True)


class CreateProposalRequestSerializer(serializers.Serializer):
    type = serializers.ChoiceField(choices=ProposalType.choices)
    title = NameField(max_length=200)
    description = _text(5000)
    rationale = _text(5000)
    action = ProposalActionSerializer()


class GetProposalRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="proposal_id")


class UpdateProposalRequestSerializer(serializers.Serializer):
    """The type stays; another action replaces the whole of the old one."""

    id = serializers.UUIDField(source="proposal_id")
    title = NameField(max_length=200, required=False)
    description = _text(5000, required=False)
    rationale = _text(5000, required=False)
    action = ProposalActionSerializer(required=False)


class SubmitProposalForReviewRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="proposal_id")


class ListProposalReviewsRequestSerializer(ListForm):
    proposal_id = serializers.UUIDField()


class ReviewProposalRequestSerializer(serializers.Serializer):
    proposal_id = serializers.UUIDField()
    decision = serializers.ChoiceField(choices=ReviewDecision.choices)
    reason = _text(1000, default="", allow_blank=True)


class ListProposalCommentsRequestSerializer(ListForm):
    proposal_id = serializers.UUIDField()


class AddProposalCommentRequestSerializer(serializers.Serializer):
    proposal_id = serializers.UUIDField()
    body = _text(2000)
    kind = serializers.ChoiceField(choices=CommentKind.choices, default=CommentKind.COMMENT)
    parent_id = serializers.UUIDField(allow_null=True, default=None)


class ResolveProposalCommentRequestSerializer(serializers.Serializer):
    proposal_id = serializers.UUIDField()
    id = serializers.UUIDField(source="comment_id")


class OpenVotingRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="proposal_id")


class CastVoteRequestSerializer(serializers.Serializer):
    proposal_id = serializers.UUIDField()
    choice = serializers.ChoiceField(choices=Vote.choices)
    reason = _text(1000, default="", allow_blank=True)


class GetMyBallotRequestSerializer(serializers.Serializer):
    proposal_id = serializers.UUIDField()


class ListBallotsRequestSerializer(ListForm):
    proposal_id = serializers.UUIDField()
    cast_only = serializers.BooleanField(default=False)


class WithdrawProposalRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="proposal_id")


class RetryExecutionRequestSerializer(serializers.Serializer):
    id = serializers.UUIDField(source="proposal_id")


class ListVotingRulesRequestSerializer(ListForm):
    type = serializers.ChoiceField(choices=ProposalType.choices, default="")
