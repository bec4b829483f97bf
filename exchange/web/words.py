"""The words for the contract's enums. A value without a word is shown as it is, never dropped."""

import math
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from .campaign_words import CAMPAIGN_FAMILIES

VERDICTS = {
    "confirmed": _("Confirmed"),
    "consistent": _("Consistent"),
    "understated": _("Understated"),
    "refuted": _("Refuted"),
    "inconclusive": _("Inconclusive"),
    "failed": _("Not measured"),
}
VERDICT_MEANINGS = {
    "confirmed": _("The whole interval of the difference lies inside the tolerance."),
    "consistent": _("Reproduced; too little data to confirm it to the tolerance."),
    "understated": _("Measured clearly better than claimed; the board ranks our number."),
    "refuted": _("Measured clearly worse than claimed, by more than the tolerance."),
    "inconclusive": _("What was measured cannot decide."),
    "failed": _("No measurement, so no verdict. This says nothing about the model."),
}
LEVELS = {
    "unverified": _("Unverified"),
    "community_verified": _("Community"),
    "platform_verified": _("Platform"),
    "audited": _("Audited"),
}
LEVEL_MEANINGS = {
    "unverified": _("claimed, not confirmed by a second measurement"),
    "community_verified": _("measured again by other organizations"),
    "platform_verified": _("measured again by the platform"),
    "audited": _("measured again and audited"),
}
STATUSES = {
    "accepted": _("Accepted"),
    "withdrawn": _("Withdrawn"),
    "revoked": _("Revoked"),
    "requested": _("Requested"),
    "running": _("Running"),
    "decided": _("Decided"),
    "failed": _("Not measured"),
    "cancelled": _("Cancelled"),
    "queued": _("Waiting"),
    "succeeded": _("Measured"),
    "dead": _("Given up"),
    "draft": _("Draft"),
    "under_review": _("Under review"),
    "active": _("Active"),
    "deprecated": _("Deprecated"),
    "archived": _("Archived"),
    "published": _("Published"),
    "superseded": _("Superseded"),
    "voided": _("Voided"),
}
BENCHMARK_STATUSES = {
    name: STATUSES[name] for name in ("draft", "under_review", "active", "deprecated", "archived")
}
KINDS = {"quality": _("Quality"), "performance": _("Performance"), "external": _("External")}
CATEGORIES = {
    "performance": _("Performance"),
    "accuracy": _("Accuracy"),
    "reliability": _("Reliability"),
    "safety": _("Safety"),
    "cost": _("Cost"),
    "capability": _("Capability"),
}
LICENSES = {
    "apache_2": _("Apache 2.0"),
    "mit": _("MIT"),
    "bsd_3_clause": _("BSD 3-clause"),
    "cc_by_4_0": _("CC BY 4.0"),
    "cc_by_sa_4_0": _("CC BY-SA 4.0"),
    "custom": _("Custom"),
}
BENCHMARK_ORDERS = {
    "name": _("By name"),
    "-created_at": _("Newest first"),
    "created_at": _("Oldest first"),
    "-updated_at": _("Last changed first"),
}
BENCHMARK_MOVES = {
    "submit": _("Submit for review"),
    "approve": _("Approve"),
    "reject": _("Send back"),
    "take-back": _("Take it back"),
    "deprecate": _("Deprecate"),
    "reactivate": _("Reactivate"),
    "archive": _("Archive"),
}
BENCHMARK_MOVE_MEANINGS = {
    "submit": _(
        "Reviewers look at the published edition, and everybody can read it from now on. No other edition "
        "can be published until they have decided."
    ),
    "approve": _(
        "It becomes active: whoever likes submits results, and the platform ranks what it measures again."
    ),
    "reject": _("It becomes a draft again. Its authors read your reason, mend it, and may submit it again."),
    "take-back": _("It becomes a draft again, which only your organization sees. You may submit it again."),
    "deprecate": _("It takes no new results. Its board and everything measured on it stay readable."),
    "reactivate": _("It takes new results again, on the edition that is published now."),
    "archive": _("This is its end: it stays readable and can never take results again."),
}
VISIBILITIES = {"public": _("Public"), "unlisted": _("Unlisted"), "private": _("Private")}
ROLES = {"owner": _("Owner"), "admin": _("Admin"), "member": _("Member"), "viewer": _("Viewer")}
SITE_ROLES = {
    "registered": _("Registered"),
    "contributor": _("Contributor"),
    "reviewer": _("Reviewer"),
    "admin": _("Administrator"),
}
ORGANIZATION_TYPES = {
    "llm_provider": _("Model provider"),
    "research_institution": _("Research institution"),
    "enterprise": _("Enterprise"),
    "open_source": _("Open source"),
    "individual": _("Individual"),
}
DIRECTIONS = {"higher_is_better": _("higher is better"), "lower_is_better": _("lower is better")}
LOAD_PROTOCOLS = {"embeddings": _("Embeddings"), "rerank": _("Documents in order (rerank)")}
METRIC_KINDS = {
    "proportion": _("Share of right answers. Interval: Wilson, 95\u00a0%, about the sample of questions."),
    "mean": _("Mean of scores. Interval: t, 95\u00a0%, about the sample of questions."),
    "percentile": _(
        "Percentile of requests. Interval: order statistics, 95\u00a0%, about the requests of one session."
    ),
    "rate": _("Rate. Interval: across sessions, 95\u00a0%."),
    "error_rate": _("Share of failed requests. Interval: Clopper–Pearson, 95\u00a0%."),
}
COMPARISON_METHODS = {
    "mcnemar_exact": _("McNemar’s exact test of the answers that changed"),
    "paired_t": _("Student’s t of the same questions"),
    "sign_flips": _("permutation of signs over the same questions"),
    "two_proportions": _("two samples: pooled z-test, Newcombe’s interval"),
    "welch_t": _("two samples: Welch’s t"),
    "log_ratio_t": _("Welch’s t of the logarithms over sessions"),
    "intervals": _("the intervals of one session each; no p-value"),
    "none": _("none"),
}
REPEAT_REASONS = {
    "dispute": _("The verdict is disputed"),
    "policy_change": _("The policy has changed"),
    "expiry": _("The measurement is too old"),
    "platform_fault": _("The platform made a mistake"),
    "quality_gate": _("The quality gate has been measured"),
}
PROPOSAL_TYPES = {
    "new_benchmark": _("New benchmark"),
    "update_benchmark": _("Change of a benchmark"),
    "deprecate_benchmark": _("Deprecation"),
    "policy_change": _("Change of rules"),
}
PROPOSAL_STATUSES = {
    "draft": _("Draft"),
    "under_review": _("Under review"),
    "voting": _("Voting open"),
    "approved": _("Approved"),
    "rejected": _("Rejected"),
    "quorum_not_met": _("Too few votes"),
    "withdrawn": _("Withdrawn"),
    "queued": _("Approved, waiting"),
    "executed": _("Carried out"),
    "failed": _("Could not be carried out"),
    "expired": _("Expired"),
}
ACTIONS = {
    "activate_benchmark": _("Activate and endorse a benchmark"),
    "update_benchmark": _("Change a benchmark"),
    "deprecate_benchmark": _("Deprecate a benchmark"),
    "set_verification_policy": _("Set when claims hold"),
    "set_voting_rules": _("Set the voting rules"),
}
ACTION_MEANINGS = {
    "activate_benchmark": _("Its board opens for results, and it carries the mark of the community."),
    "update_benchmark": _("Another name, description, category or tags, or a new edition published."),
    "deprecate_benchmark": _("Its board stays readable and takes no new results."),
    "set_verification_policy": _("Tolerances and error rates by which claims on it are judged from then on."),
    "set_voting_rules": _(
        "Quorum, threshold and times of one type of proposal, for votes opened from then on."
    ),
}
FACTS = {
    "status": _("Status"),
    "is_endorsed": _("Endorsed"),
    "name": _("Name"),
    "description": _("Description"),
    "category": _("Category"),
    "tags": _("Tags"),
    "license": _("Licence"),
    "long_description": _("Long description"),
    "custom_license": _("Text of a custom licence"),
    "documentation_url": _("Documentation"),
    "source_url": _("Source"),
    "version": _("Edition"),
    "current_version": _("Edition"),
    "decided_by": _("Decided by"),
    "content_hash": _("Content hash"),
    "reason": _("Reason"),
    "delta": _("Tolerance δ"),
    "alpha": _("Error rate α"),
    "gamma": _("Error rate γ"),
    "tolerances": _("Tolerances"),
    "deciding_metrics": _("Metrics that decide"),
    "sessions": _("Sessions"),
    "quality_gate": _("Quality gate"),
    "policy": _("Rules for claims"),
    "policy_number": _("Rules for claims, number"),
    "number": _("Number"),
    "quorum_percent": _("Quorum, percent of the electorate"),
    "quorum_minimum": _("Quorum, least ballots"),
    "threshold": _("Threshold"),
    "threshold_numerator": _("Threshold, numerator"),
    "threshold_denominator": _("Threshold, denominator"),
    "voting_seconds": _("Voting lasts"),
    "timelock_seconds": _("Takes effect after"),
    "expiry_seconds": _("Expires after"),
}
CHOICES = {"approve": _("Approve"), "reject": _("Reject"), "abstain": _("Abstain")}
REVIEW_DECISIONS = {
    "approve": _("Approves"),
    "request_changes": _("Asks for changes"),
    "reject": _("Objects"),
}
REVIEW_CHOICES = {
    "approve": _("Approve"),
    "request_changes": _("Ask for changes"),
    "reject": _("Object"),
}
COMMENT_KINDS = {
    "comment": _("Comment"),
    "suggestion": _("Suggestion"),
    "question": _("Question"),
    "issue": _("Issue"),
    "praise": _("Praise"),
}
CASE_ERRORS = {
    "not_asked": _("Not asked."),
    "output_truncated": _("The token limit was reached before an answer could be read."),
    "empty_response": _("The model gave no text."),
    "rate_limited": _("The endpoint limits the rate of requests."),
    "overloaded": _("The endpoint is overloaded."),
    "provider_error": _("The endpoint has an internal error."),
    "request_refused": _("The endpoint refuses the request."),
    "request_timeout": _("The endpoint gave up waiting."),
    "connect_failed": _("The endpoint cannot be reached."),
    "connect_timeout": _("The endpoint accepts no connection in time."),
    "connection_lost": _("The connection broke before the answer ended."),
    "read_timeout": _("The answer did not end in time."),
    "invalid_response": _("The response is not a chat completion."),
    "incomplete_stream": _("The stream ended before its answer was whole."),
}
SETTINGS = {
    "temperature": _("Temperature"),
    "top_p": _("Top p"),
    "max_tokens": _("New tokens, at most"),
    "system_prompt": _("System prompt"),
    "chat_template": _("Chat template"),
    "tools": _("Tools"),
    "reasoning_effort": _("Reasoning effort"),
    "precision": _("Precision or quantisation"),
    "dialect": _("Dialect of the endpoint"),
    "concurrency": _("Requests at the same time"),
    "streaming": _("Streaming"),
}
FAMILIES: dict[str, Mapping[str, Any]] = {
    "verdict": VERDICTS,
    "verdict_meaning": VERDICT_MEANINGS,
    "level": LEVELS,
    "level_meaning": LEVEL_MEANINGS,
    "status": STATUSES,
    "benchmark_status": BENCHMARK_STATUSES,
    "kind": KINDS,
    "category": CATEGORIES,
    "visibility": VISIBILITIES,
    "license": LICENSES,
    "benchmark_order": BENCHMARK_ORDERS,
    "benchmark_move": BENCHMARK_MOVES,
    "benchmark_move_meaning": BENCHMARK_MOVE_MEANINGS,
    "role": ROLES,
    "site_role": SITE_ROLES,
    "organization_type": ORGANIZATION_TYPES,
    "comparison_method": COMPARISON_METHODS,
    "direction": DIRECTIONS,
    "metric_kind": METRIC_KINDS,
    "load_protocol": LOAD_PROTOCOLS,
    "repeat_reason": REPEAT_REASONS,
    "case_error": CASE_ERRORS,
    "setting": SETTINGS,
    "proposal_type": PROPOSAL_TYPES,
    "proposal_status": PROPOSAL_STATUSES,
    "action": ACTIONS,
    "action_meaning": ACTION_MEANINGS,
    "fact": FACTS,
    "choice": CHOICES,
    "review_decision": REVIEW_DECISIONS,
    "review_choice": REVIEW_CHOICES,
    "comment_kind": COMMENT_KINDS,
    **CAMPAIGN_FAMILIES,
}


def word(family: Mapping[str, Any], value: str) -> str:
    """The word of a value, or the value itself."""
    return str(family.get(value, value))


def policy_numbers(policy: Mapping[str, Any]) -> dict[str, str]:
    """A verification policy's numbers as people read them.

    `least_cases` is how many cases a confirmation needs: ceil(ln alpha / ln(1 - delta)).
    """
    delta, alpha, gamma = policy["delta"], policy["alpha"], policy["gamma"]
    least = math.ceil(math.log(alpha) / math.log(1 - delta)) if 0 < delta < 1 and 0 < alpha < 1 else 0
    return {
        "tolerance": f"{100 * delta:g}",
        "within": f"{100 * (1 - 2 * alpha):g}",
        "sure": f"{100 * (1 - gamma):g}",
        "least_cases": f"{least:,}",
    }
