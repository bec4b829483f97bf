"""What one row says of another where no foreign key holds it to that. A new one is a line here."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from benchmarks.models import BenchmarkVersion, Case, Metric
from exchange.accounts.models import Organization
from exchange.core.models import AuditEntry
from exchange.operate.watch import Watch
from governance.models import Contribution, Procedure
from submissions.campaigns.models import Campaign, CampaignItem
from submissions.endpoints.models import Deployment, EndpointCredential
from submissions.models import CaseClaim, MetricClaim, Submission, Verification
from submissions.runs.models import MEASURING, Response, Run


def _lacks(rows: QuerySet[Any], of: QuerySet[Any], **matched: str) -> QuerySet[Any]:
    """Those of `rows` for which `of` has no row whose columns are as theirs."""
    return rows.filter(~Exists(of.filter(**{name: OuterRef(column) for name, column in matched.items()})))


def _differs(rows: QuerySet[Any], one: str, other: str) -> QuerySet[Any]:
    return rows.filter(**{f"{one}__isnull": False}).exclude(**{one: F(other)})


_OF_ORGANIZATIONS = AuditEntry.objects.exclude(organization_id=None)
_CONTRIBUTED = Q(kind="submission.created")

REFERENCES: dict[str, QuerySet[Any]] = {
    "the answer {} belongs to no question of its version": _lacks(
        Response.objects.all(), Case.objects.all(), version="run__version", key="key"
    ),
    "the claimed case {} belongs to no question of its version": _lacks(
        CaseClaim.objects.all(), Case.objects.all(), version="submission__version", key="key"
    ),
    "the claimed value {} is of no metric of its version": _lacks(
        MetricClaim.objects.all(), Metric.objects.all(), version="submission__version", name="name"
    ),
    "the entry {} of the audit chain names no organization that there is": _lacks(
        _OF_ORGANIZATIONS, Organization.objects.all(), pk="organization_id"
    ),
    "the contribution of the person {} is no submission": _lacks(
        Contribution.objects.filter(_CONTRIBUTED), Submission.objects.all(), pk="subject_id"
    ),
    "the contribution of the person {} is no version": _lacks(
        Contribution.objects.filter(kind="benchmark_version.published"),
        BenchmarkVersion.objects.all(),
        pk="subject_id",
    ),
    "the run {} is on another endpoint than its deployment": _differs(
        Run.objects.exclude(deployment=None), "endpoint", "deployment__endpoint"
    ),
    "the run {} is of another organization than its endpoint": _differs(
        Run.objects.all(), "organization", "endpoint__organization"
    ),
    "the run {} is of another kind than its benchmark": _differs(
        Run.objects.filter(kind__in=MEASURING), "kind", "version__benchmark__kind"
    ),
    "the deployment {} is of another organization than its endpoint": _differs(
        Deployment.objects.all(), "organization", "endpoint__organization"
    ),
    "the key {} is of another organization than its endpoint": _differs(
        EndpointCredential.objects.all(), "organization", "endpoint__organization"
    ),
    "the campaign {} takes the endpoint of another organization": _differs(
        Campaign.objects.exclude(sweeps=None), "organization", "sweeps__endpoint__organization"
    ),
    "the row {} of a campaign is at another endpoint than its deployment": _differs(
        CampaignItem.objects.all(), "endpoint", "deployment__endpoint"
    ),
    "the claim {} is of another organization than its deployment": _differs(
        Submission.objects.exclude(deployment=None), "organization", "deployment__organization"
    ),
    "the claim {} is of another model than its deployment": _differs(
        Submission.objects.exclude(deployment=None), "model", "deployment__model"
    ),
    "the verification {} is by a policy of another version": _differs(
        Verification.objects.all(), "policy__version", "submission__version"
    ),
    "the verification {} has runs on another version": Verification.objects.filter(
        Exists(
            Run.objects.filter(verifications=OuterRef("pk")).exclude(version=OuterRef("submission__version"))
        )
    ),
    "the rules in force for {} are for another type": _differs(
        Procedure.objects.all(), "rules__proposal_type", "type"
    ),
}
"""What is wrong, with a place for the row's id → the rows of which it is true."""


def guarded_by_nothing(watch: Watch) -> Iterator[str]:
    for words, wrong in watch.each(REFERENCES.items()):
        for pk in wrong.order_by("pk").values_list("pk", flat=True).iterator():
            yield words.format(pk)
