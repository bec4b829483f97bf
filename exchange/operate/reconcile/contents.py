"""What is immutable, held to the digest that it was given."""

from collections.abc import Iterator

from benchmarks import policies as rules
from benchmarks.models import BenchmarkVersion, VerificationPolicy
from benchmarks.selectors import content_hash_of
from exchange.operate.watch import Watch
from governance.models import Proposal, VotingRules
from governance.voting import RULE_FIELDS
from llm_benchmark.measure.canonical import digest as digest_of


def versions(watch: Watch) -> Iterator[str]:
    rows = BenchmarkVersion.objects.exclude(content_hash=None).select_related("benchmark").order_by("pk")
    for version in watch.each(rows.iterator()):
        if content_hash_of(version) != version.content_hash:
            yield f"{version.benchmark.slug} {version.version} ({version.pk}) is not what its hash says"


def policies(watch: Watch) -> Iterator[str]:
    for policy in watch.each(VerificationPolicy.objects.order_by("pk").iterator()):
        if rules.digest({name: getattr(policy, name) for name in rules.RULE_FIELDS}) != policy.digest:
            yield f"policy {policy.number} of the version {policy.version_id} is not what its digest says"


def voting_rules(watch: Watch) -> Iterator[str]:
    for row in watch.each(VotingRules.objects.order_by("pk").iterator()):
        said = {"proposal_type": row.proposal_type, **{name: getattr(row, name) for name in RULE_FIELDS}}
        if digest_of(said) != row.digest:
            yield f"rules {row.number} for {row.proposal_type} are not what their digest says"


def actions(watch: Watch) -> Iterator[str]:
    for proposal in watch.each(Proposal.objects.only("action", "action_digest").order_by("pk").iterator()):
        if digest_of(proposal.action) != proposal.action_digest:
            yield f"the proposal {proposal.pk} would not do what was voted on"
