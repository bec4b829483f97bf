from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from benchmarks.models import Benchmark
from exchange.accounts.models import User
from exchange.core.models import BaseModel, StatefulModel


class ProposalType(models.TextChoices):
    NEW_BENCHMARK = "new_benchmark", _("New benchmark")
    UPDATE_BENCHMARK = "update_benchmark", _("Update of a benchmark")
    DEPRECATE_BENCHMARK = "deprecate_benchmark", _("Deprecation of a benchmark")
    POLICY_CHANGE = "policy_change", _("Change of a policy")


class ProposalStatus(models.TextChoices):
    DRAFT = "draft", _("Draft")
    UNDER_REVIEW = "under_review", _("Under review")
    VOTING = "voting", _("Voting")
    APPROVED = "approved", _("Approved")
    REJECTED = "rejected", _("Rejected")
    QUORUM_NOT_MET = "quorum_not_met", _("Quorum not met")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    QUEUED = "queued", _("Queued for execution")
    EXECUTED = "executed", _("Executed")
    FAILED = "failed", _("Execution failed")
    EXPIRED = "expired", _("Expired")


class ActionKind(models.TextChoices):
    """What a proposal does when it is executed."""

    ACTIVATE_BENCHMARK = "activate_benchmark", _("Activate and endorse a benchmark")
    UPDATE_BENCHMARK = "update_benchmark", _("Update a benchmark")
    DEPRECATE_BENCHMARK = "deprecate_benchmark", _("Deprecate a benchmark")
    SET_VERIFICATION_POLICY = "set_verification_policy", _("Set the verification policy of a version")
    SET_VOTING_RULES = "set_voting_rules", _("Set the voting rules of a type of proposal")


class Vote(models.TextChoices):
    APPROVE = "approve", _("Approve")
    REJECT = "reject", _("Reject")
    ABSTAIN = "abstain", _("Abstain")


class ReviewDecision(models.TextChoices):
    APPROVE = "approve", _("Approve")
    REQUEST_CHANGES = "request_changes", _("Request changes")
    REJECT = "reject", _("Reject")


class ReviewStatus(models.TextChoices):
    """What the reviews of a proposal's present revision come to."""

    PENDING = "pending", _("Waiting for reviews")
    APPROVED = "approved", _("Approved by its reviewers")
    REQUEST_CHANGES = "request_changes", _("Changes were requested")
    REJECTED = "rejected", _("Objected to by its reviewers")


class CommentKind(models.TextChoices):
    COMMENT = "comment", _("Comment")
    SUGGESTION = "suggestion", _("Suggestion")
    QUESTION = "question", _("Question")
    ISSUE = "issue", _("Issue")
    PRAISE = "praise", _("Praise")


class VotingRules(BaseModel):
    """How proposals of one type are decided. Numbered and immutable; `Procedure` names those in force."""

    proposal_type = models.CharField(max_length=20, choices=ProposalType)
    number = models.PositiveIntegerField()
    quorum_percent = models.PositiveSmallIntegerField()
    quorum_minimum = models.PositiveIntegerField()
    threshold_numerator = models.PositiveIntegerField()
    threshold_denominator = models.PositiveIntegerField()
    voting_seconds = models.PositiveIntegerField()
    timelock_seconds = models.PositiveIntegerField()
    expiry_seconds = models.PositiveIntegerField()
    decided_by = models.CharField(max_length=20, default="default")
    effective_at = models.DateTimeField()
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["proposal_type", "number"], name="voting_rules_numbers_are_unique"
            ),
            models.CheckConstraint(
                name="voting_rules_quorum_is_a_share",
                condition=Q(quorum_percent__gte=1, quorum_percent__lte=100, quorum_minimum__gte=1),
            ),
            models.CheckConstraint(
                name="voting_rules_threshold_is_a_majority",
                condition=Q(threshold_denominator__gte=1)
                & Q(threshold_numerator__lte=F("threshold_denominator"))
                & Q(threshold_denominator__lte=2 * F("threshold_numerator")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.proposal_type} rules {self.number}"


class Procedure(models.Model):
    """What a type of proposal is decided by at present. Its row is held while new rules are made."""

    type = models.CharField(max_length=20, primary_key=True, choices=ProposalType)
    rules = models.OneToOneField(VotingRules, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return self.type


class Proposal(StatefulModel):
    """Something that the community decides, and what the platform then does about it."""

    Status = ProposalStatus
    TRANSITIONS = {
        Status.DRAFT: {Status.UNDER_REVIEW, Status.WITHDRAWN},
        Status.UNDER_REVIEW: {Status.DRAFT, Status.VOTING, Status.WITHDRAWN},
        Status.VOTING: {Status.APPROVED, Status.REJECTED, Status.QUORUM_NOT_MET, Status.WITHDRAWN},
        Status.APPROVED: {Status.QUEUED},
        Status.QUEUED: {Status.EXECUTED, Status.FAILED, Status.EXPIRED},
        Status.FAILED: {Status.QUEUED, Status.EXPIRED},
    }
    procedure = models.ForeignKey(Procedure, on_delete=models.PROTECT, db_column="type", related_name="+")
    status = models.CharField(max_length=20, choices=ProposalStatus, default=ProposalStatus.DRAFT)
    title = models.CharField(max_length=200)
    description = models.TextField(max_length=5000)
    rationale = models.TextField(max_length=5000)
    proposer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    benchmark = models.ForeignKey(Benchmark, null=True, on_delete=models.PROTECT, related_name="+")
    is_demo = models.BooleanField(default=False)
    revision = models.PositiveIntegerField(default=1)
    # when the present revision was; null while it is a draft, which only its proposer sees
    submitted_at = models.DateTimeField(null=True)
    # {"kind": …, kind: {…}}, without what was left out; its digest is over the canonical JSON of it.
    action = models.JSONField()
    action_digest = models.CharField(max_length=64)
    # [{"name", "before", "after"}]: what the action would change now, and what it did change.
    planned = models.JSONField(default=list)
    effect = models.JSONField(default=list)

    # Those of this vote, from its opening on.
    frozen_rules = models.ForeignKey(VotingRules, null=True, on_delete=models.PROTECT, related_name="+")
    electorate_size = models.PositiveIntegerField(null=True)
    electorate_digest = models.CharField(max_length=64, blank=True)
    ballots_needed = models.PositiveIntegerField(null=True)
    voting_opens_at = models.DateTimeField(null=True)
    voting_closes_at = models.DateTimeField(null=True)

    # {"approve", "reject", "abstain", "ballot_count", "ballots_without_proposer"}; null until counted.
    tally = models.JSONField(null=True)
    ballots_digest = models.CharField(max_length=64, blank=True)
    quorum_met = models.BooleanField(null=True)
    threshold_met = models.BooleanField(null=True)

    execute_after = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    executed_at = models.DateTimeField(null=True)
    execution_attempts = models.PositiveIntegerField(default=0)
    execution_error_code = models.CharField(max_length=100, blank=True)
    execution_error = models.TextField(blank=True)

    # Read by `selectors` with the row.
    benchmark_slug: str | None
    benchmark_name: str | None
    approval_count: int
    objection_count: int
    comment_count: int

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="votes_have_an_electorate_and_an_end",
                condition=Q(voting_opens_at__isnull=True)
                | Q(
                    frozen_rules__isnull=False,
                    electorate_size__isnull=False,
                    ballots_needed__isnull=False,
                    voting_closes_at__isnull=False,
                ),
            ),
            models.CheckConstraint(
                name="outcomes_are_counted",
                condition=~Q(status__in=["approved", "rejected", "quorum_not_met", "queued", "executed"])
                | Q(tally__isnull=False, quorum_met__isnull=False, threshold_met__isnull=False),
            ),
            models.CheckConstraint(
                name="queued_proposals_have_times",
                condition=~Q(status__in=["queued", "executed", "failed", "expired"])
                | Q(execute_after__isnull=False, expires_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["voting_closes_at"], name="proposal_closing", condition=Q(status="voting")),
            models.Index(
                fields=["execute_after"],
                name="proposal_executing",
                condition=Q(status__in=["queued", "failed"]),
            ),
            models.Index(fields=["-created_at", "id"], name="proposal_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.title}"

    @property
    def type(self) -> str:
        return str(self.procedure_id)

    @property
    def rules(self) -> VotingRules:
        """Those of the vote; until it opens, those in force."""
        return self.frozen_rules or self.procedure.rules

    @property
    def review_status(self) -> ReviewStatus:
        """From the counts that `selectors` read with the row."""
        if self.status == ProposalStatus.DRAFT and self.revision > 1:
            return ReviewStatus.REQUEST_CHANGES
        if self.approval_count > self.objection_count:
            return ReviewStatus.APPROVED
        return ReviewStatus.REJECTED if self.objection_count else ReviewStatus.PENDING


class Ballot(models.Model):
    """One row for each person of the electorate, made at the opening; without a choice until it is cast."""

    pk = models.CompositePrimaryKey("proposal_id", "voter_id")
    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="ballots")
    voter = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    choice = models.CharField(max_length=10, choices=Vote, null=True)  # noqa: DJ001  null: not cast
    reason = models.TextField(max_length=1000, blank=True)
    cast_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="cast_ballots_have_a_time",
                condition=Q(choice__isnull=True, cast_at__isnull=True)
                | Q(choice__in=["approve", "reject", "abstain"], cast_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.voter_id} on {self.proposal_id}"


class Review(BaseModel):
    """A reviewer's judgement of one revision. The last one of each reviewer counts."""

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="reviews")
    revision = models.PositiveIntegerField()
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    decision = models.CharField(max_length=20, choices=ReviewDecision)
    reason = models.TextField(max_length=1000, blank=True)

    def __str__(self) -> str:
        return f"{self.decision} of {self.proposal_id} by {self.reviewer_id}"


class Comment(BaseModel):
    """A contribution to the debate; answers name what they answer."""

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="comments")
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    parent = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20, choices=CommentKind, default=CommentKind.COMMENT)
    body = models.TextField(max_length=2000)
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="resolved_comments_say_by_whom",
                condition=Q(resolved_at__isnull=True, resolved_by__isnull=True)
                | Q(resolved_at__isnull=False, resolved_by__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.proposal_id}"

    @property
    def is_resolvable(self) -> bool:
        """Whether it asks for an answer and has none yet."""
        asks = self.kind in {CommentKind.ISSUE, CommentKind.SUGGESTION, CommentKind.QUESTION}
        return asks and self.resolved_at is None


class Contribution(models.Model):
    """The first accepted submission or published version of somebody: what makes a contributor."""

    user = models.OneToOneField(User, primary_key=True, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=100)
    subject_id = models.UUIDField()
    made_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.kind} by {self.user_id}"
