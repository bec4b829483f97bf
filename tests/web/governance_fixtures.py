"""Proposals in every state as serializers show them, with their reviews, debate and roll call: made up."""

from tests.web.fixtures import DIGEST, TIME, uid

LATER = "2026-12-08T18:52:04Z"
LEFT = {
    "until": LATER,
    "now": "2026-12-06T14:58:04Z",
    "parts": [
        {"name": "days", "number": 2, "word": "days", "one": "day", "many": "days"},
        {"name": "hours", "number": 3, "word": "hours", "one": "hour", "many": "hours"},
        {"name": "minutes", "number": 54, "word": "minutes", "one": "minute", "many": "minutes"},
    ],
}
NOTHING_ALLOWED = dict.fromkeys(
    ("vote", "submit", "edit", "open", "review", "retry", "withdraw", "comment"), False
)
TALLY = {"approve": 12, "reject": 2, "abstain": 3, "ballot_count": 17, "ballots_without_proposer": 16}


def rules(**changes):
    return {
        "number": 1,
        "proposal_type": "new_benchmark",
        "quorum_percent": 10,
        "quorum_minimum": 3,
        "threshold_numerator": 2,
        "threshold_denominator": 3,
        "voting_seconds": 604800,
        "timelock_seconds": 86400,
        "expiry_seconds": 2592000,
        "digest": DIGEST,
        "decided_by": "default",
        "effective_at": TIME,
        "lasting": "7 days",
        "waiting": "1 day",
        "kept": "30 days",
        **changes,
    }


def action(kind="activate_benchmark", **fields):
    kinds = (
        "activate_benchmark",
        "update_benchmark",
        "deprecate_benchmark",
        "set_verification_policy",
        "set_voting_rules",
    )
    return {"kind": kind, **dict.fromkeys(kinds), kind: {"benchmark_id": uid(1), **fields}}


ACTIVATED = [
    {"name": "Status", "before": "Under review", "after": "Active"},
    {"name": "Endorsed", "before": "no", "after": "yes"},
]


def proposal(**changes):
    return {
        "id": uid(900),
        "type": "new_benchmark",
        "title": "Activate Hard Science Questions",
        "description": "1,000 questions from physics, chemistry and biology at the level of a second year.\n"
        "Its cases were written by three people and checked by two others.",
        "rationale": "None of the active benchmarks asks for more than one step of reasoning about units.",
        "status": "voting",
        "benchmark_id": uid(1),
        "benchmark_slug": "hard-science",
        "benchmark_name": "Hard Science Questions",
        "proposer_id": uid(31),
        "proposer_name": "noemi",
        "revision": 2,
        "is_demo": False,
        "action": action(version_id=uid(2), content_hash=DIGEST),
        "action_digest": DIGEST,
        "rules": rules(),
        "formula": {
            "quorum": "Quorum: the larger of 3 and 10 % of 41, rounded up, which is 5 ballots. "
            "Abstentions count; the proposer's ballot does not.",
            "threshold": "Threshold: 3 × approve must be at least 2 × (approve + reject), with at "
            "least one vote for or against. Abstentions do not count here.",
        },
        "electorate_size": 41,
        "electorate_digest": DIGEST,
        "ballots_needed": 5,
        "voting_opens_at": TIME,
        "voting_closes_at": LATER,
        "tally": None,
        "ballots_digest": "",
        "quorum_met": None,
        "threshold_met": None,
        "review_status": "approved",
        "approval_count": 2,
        "objection_count": 0,
        "comment_count": 4,
        "execute_after": None,
        "expires_at": None,
        "executed_at": None,
        "execution_attempts": 0,
        "execution_error_code": "",
        "execution_error": "",
        "submitted_at": TIME,
        "created_at": TIME,
        "updated_at": TIME,
        **changes,
    }


def unopened(**changes):
    return proposal(
        electorate_size=None,
        electorate_digest="",
        ballots_needed=None,
        voting_opens_at=None,
        voting_closes_at=None,
        **changes,
    )


def counted(**changes):
    given = {
        "status": "queued",
        "tally": TALLY,
        "quorum_met": True,
        "threshold_met": True,
        "execute_after": "2026-12-09T18:52:04Z",
        "expires_at": "2027-01-07T18:52:04Z",
        "formula": {
            "quorum": "Quorum: 16 of 41 voted, the proposer not counted; 5 were needed (the larger of "
            "3 and 10 % of 41, rounded up). It was met.",
            "threshold": "Threshold: 3 × 12 = 36 is at least 2 × (12 + 2) = 28. It was met.",
        },
    }
    return proposal(**given | changes)


def comment(number, body, **changes):
    return {
        "id": uid(number),
        "parent_id": None,
        "author_id": uid(32),
        "author_name": "ilse",
        "kind": "comment",
        "body": body,
        "resolved_at": None,
        "resolved_by_name": None,
        "created_at": TIME,
        **changes,
    }


def node(said, *answers):
    return {"comment": said, "answers": list(answers)}


THREADS = [
    node(
        comment(
            801,
            "Items 14 and 19 are ambiguous, not wrong; removing them would be more honest than "
            "choosing an answer.",
            kind="issue",
        ),
        node(
            comment(
                802,
                "I worked through all 21 by hand; the textbook supports the new answer.",
                author_id=uid(31),
                author_name="noemi",
                parent_id=uid(801),
            ),
            node(comment(803, "Then I withdraw this. Thank you for the page number.", parent_id=uid(802))),
        ),
    ),
    node(
        comment(
            804,
            "Who wrote the questions about thermodynamics?",
            kind="question",
            author_name="deniz",
            resolved_at=TIME,
            resolved_by_name="noemi",
        )
    ),
]
REVIEWS = [
    {
        "id": uid(701),
        "revision": 2,
        "reviewer_id": uid(41),
        "reviewer_name": "reviewer-a",
        "decision": "approve",
        "reason": "",
        "created_at": TIME,
    },
    {
        "id": uid(702),
        "revision": 1,
        "reviewer_id": uid(42),
        "reviewer_name": "reviewer-b",
        "decision": "request_changes",
        "reason": "Say who checked the cases.",
        "created_at": TIME,
    },
]


def ballot(name, choice, reason="", **changes):
    return {
        "voter_id": uid(31),
        "voter_name": name,
        "choice": choice,
        "reason": reason,
        "cast_at": TIME if choice else None,
        **changes,
    }


ROLL = [
    ballot("noemi", "approve"),
    ballot("ilse", "reject", "Two items are ambiguous."),
    ballot("deniz", "abstain", "I wrote some of the questions."),
    ballot("late", None),
]


def shown(what, **changes):
    may = NOTHING_ALLOWED | changes.pop("may", {})
    return {
        "proposal": what,
        "left": None,
        "is_over": False,
        "timelock": "1 day",
        "changes": ACTIVATED,
        "ballot": None,
        "may": may,
        "roll": [],
        "reviews": REVIEWS,
        "threads": THREADS,
        "resolvable": [],
        "reply": "",
        "next_page_token": "",
        "values": dict.fromkeys(("choice", "reason", "decision", "body", "kind"), "")
        | changes.pop("values", {}),
        "errors": [],
        **changes,
    }


POLICY = {
    "number": 1,
    "delta": 0.02,
    "alpha": 0.05,
    "gamma": 0.01,
    "tolerances": {},
    "sessions": 1,
    "deciding_metrics": ["accuracy"],
    "decided_by": "author",
    "digest": DIGEST,
    "effective_at": TIME,
    "quality_gate": None,
}
TOLERANCES = [
    {
        "field": "action.set_verification_policy.tolerances.ttft_p50",
        "title": "Time to first token, median",
        "value": 0.15,
    }
]
