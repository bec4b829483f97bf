"""Every verdict, judged again by the policy that was frozen for it."""

from collections.abc import Iterator

from django.db.models import OuterRef, Subquery

from exchange.operate.watch import Watch
from submissions import selectors
from submissions.judging import judge
from submissions.models import Submission, Verification, VerificationLevel, VerificationStatus
from submissions.verifying import RAISES_LEVEL

_DECIDED = Verification.objects.filter(status=VerificationStatus.DECIDED)


def verdicts(watch: Watch) -> Iterator[str]:
    rows = _DECIDED.select_related("policy", "submission__version__benchmark").order_by("pk")
    for verification in watch.each(rows.iterator()):
        yield from _judged(verification)


def _judged(verification: Verification) -> Iterator[str]:
    runs = selectors.list_runs(verification)
    if len(runs) != verification.policy.sessions:
        yield f"the verification {verification.pk} has {len(runs)} runs, not {verification.policy.sessions}"
        return
    verdict, judgements = judge(verification, runs)
    if verdict != verification.verdict:
        yield f"the verification {verification.pk} says {verification.verdict}; its scores say {verdict}"
    found, stored = _by_metric(judgements), _by_metric(verification.judgements)
    for metric in sorted({name for name in found | stored if found.get(name) != stored.get(name)}):
        yield f"the verification {verification.pk} judged {metric} otherwise than its scores do"


def _by_metric(judgements: list[dict[str, str]]) -> dict[str, str]:
    return {judgement["metric"]: judgement["verdict"] for judgement in judgements}


def claims(watch: Watch) -> Iterator[str]:
    """The verdict that counts is the latest, and the level is what the verdicts made of it."""
    latest = _DECIDED.filter(submission=OuterRef("pk")).order_by("-finished_at", "-id").values("pk")[:1]
    rows = Submission.objects.annotate(latest=Subquery(latest)).order_by("pk")
    for submission in watch.each(rows.iterator()):
        if submission.verification_id != submission.latest:
            yield f"the claim {submission.pk} does not name its latest verdict"
        is_raised = submission.level != VerificationLevel.UNVERIFIED
        if is_raised != _DECIDED.filter(submission=submission, verdict__in=RAISES_LEVEL).exists():
            yield f"the claim {submission.pk} is {submission.level}, which its verdicts do not bear out"
