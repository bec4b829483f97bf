"""Pages about proposals with contexts made of fixtures, one for each state that a proposal can be in."""

from tests.web.fixtures import TIME, benchmark, uid, version
from tests.web.governance_fixtures import (
    LATER,
    LEFT,
    POLICY,
    ROLL,
    TALLY,
    TOLERANCES,
    action,
    counted,
    proposal,
    rules,
    shown,
    unopened,
)

NO_FILTERS = {"type": "", "status": "", "query": "", "benchmark": ""}
DEPRECATION = proposal(
    id=uid(902),
    type="deprecate_benchmark",
    title="Deprecate Demo General",
    action=action("deprecate_benchmark", reason="Its cases are in the training data of most models by now."),
    benchmark_name="Demo General",
    benchmark_slug="demo-general",
)
NEW_RULES = proposal(
    id=uid(903),
    type="policy_change",
    title="Vote for ten days",
    benchmark_id=None,
    benchmark_slug=None,
    benchmark_name=None,
    action=action("set_voting_rules", proposal_type="policy_change"),
)
LISTED = [
    counted(status="executed", executed_at=LATER),
    unopened(
        id=uid(904),
        status="under_review",
        title="Correct 21 wrong reference answers",
        type="update_benchmark",
        action=action("update_benchmark", version_id=uid(3), changes=None),
    ),
    counted(id=uid(905), status="quorum_not_met", tally=TALLY | {"ballots_without_proposer": 2}),
    NEW_RULES | {"status": "rejected", "tally": TALLY | {"approve": 5, "reject": 9}},
    counted(id=uid(906), status="failed", is_demo=True),
    counted(id=uid(907), status="withdrawn", tally=None),
]
PAGE_OF = "governance/proposal.html"
HERE = f"/proposals/{uid(900)}"
PAGES = {
    "proposals": (
        "governance/proposals.html",
        "/proposals",
        {
            "open_votes": [{"proposal": proposal(), "left": LEFT}, {"proposal": DEPRECATION, "left": LEFT}],
            "proposals": LISTED,
            "filters": NO_FILTERS,
            "benchmark_name": "",
            "may_propose": True,
            "next_page_token": "abc",
            "is_demo": False,
        },
    ),
    "proposals-empty": (
        "governance/proposals.html",
        "/proposals",
        {
            "open_votes": [],
            "proposals": [],
            "filters": NO_FILTERS,
            "benchmark_name": "",
            "may_propose": False,
            "next_page_token": "",
            "is_demo": False,
        },
    ),
    "proposals-about": (
        "governance/proposals.html",
        "/proposals?benchmark=demo-general",
        {
            "open_votes": [],
            "proposals": [],
            "filters": NO_FILTERS | {"benchmark": "demo-general"},
            "benchmark_name": "Demo General",
            "may_propose": True,
            "next_page_token": "",
            "is_demo": False,
        },
    ),
    "proposal-draft": (
        PAGE_OF,
        HERE,
        shown(
            unopened(status="draft", revision=1),
            reviews=[],
            threads=[],
            may={"edit": True, "submit": True, "withdraw": True},
        ),
    ),
    "proposal-review": (
        PAGE_OF,
        HERE,
        shown(
            unopened(status="under_review", approval_count=0, objection_count=1),
            may={"review": True, "comment": True},
            resolvable=[uid(801)],
            reply=uid(802),
            values={"decision": "reject", "reason": "No."},
            errors=[{"field": "reason", "code": "too_short", "message": "Give at least 10 characters."}],
        ),
    ),
    "proposal-reviewed": (
        PAGE_OF,
        HERE,
        shown(unopened(status="under_review"), may={"open": True, "withdraw": True, "comment": True}),
    ),
    "proposal-voting": (
        PAGE_OF,
        HERE,
        shown(
            proposal(),
            left=LEFT,
            may={"vote": True, "comment": True},
            ballot={
                "proposal_id": uid(900),
                "choice": "approve",
                "reason": "Costs nobody a new run.",
                "cast_at": TIME,
            },
        ),
    ),
    "proposal-voting-stranger": (
        PAGE_OF,
        HERE,
        shown(
            DEPRECATION, left=LEFT, changes=[{"name": "Status", "before": "Active", "after": "Deprecated"}]
        ),
    ),
    "proposal-over": (PAGE_OF, HERE, shown(proposal(), is_over=True)),
    "proposal-queued": (PAGE_OF, HERE, shown(counted(), left=LEFT, roll=ROLL)),
    "proposal-executed": (PAGE_OF, HERE, shown(counted(status="executed", executed_at=LATER), roll=ROLL)),
    "proposal-rules": (
        PAGE_OF,
        HERE,
        shown(
            NEW_RULES
            | {
                "status": "executed",
                "tally": TALLY,
                "executed_at": LATER,
                "quorum_met": True,
                "threshold_met": True,
            },
            changes=[
                {"name": "Voting lasts", "before": "7 days", "after": "10 days"},
                {"name": "Quorum, percent of the electorate", "before": "10", "after": "20"},
            ],
        ),
    ),
    "proposal-failed": (
        PAGE_OF,
        HERE,
        shown(
            counted(
                status="failed",
                execution_attempts=2,
                execution_error="Another edition was published meanwhile.",
            ),
            may={"retry": True},
            roll=ROLL,
        ),
    ),
    "proposal-rejected": (
        PAGE_OF,
        HERE,
        shown(
            counted(status="rejected", tally=TALLY | {"approve": 2, "reject": 12}, threshold_met=False),
            roll=ROLL,
        ),
    ),
    "proposal-unanimous-abstention": (
        PAGE_OF,
        HERE,
        shown(
            counted(
                status="rejected",
                threshold_met=False,
                tally=TALLY | {"approve": 0, "reject": 0, "ballot_count": 3},
            ),
            roll=[],
        ),
    ),
    "proposal-quorum": (
        PAGE_OF,
        HERE,
        shown(
            counted(
                status="quorum_not_met",
                quorum_met=False,
                tally={
                    "approve": 2,
                    "reject": 0,
                    "abstain": 1,
                    "ballot_count": 3,
                    "ballots_without_proposer": 2,
                },
            )
        ),
    ),
    "proposal-expired": (PAGE_OF, HERE, shown(counted(status="expired"))),
    "proposal-withdrawn": (PAGE_OF, HERE, shown(unopened(status="withdrawn"))),
    "proposal-ballots": (
        "governance/ballots.html",
        f"{HERE}/ballots",
        {"proposal": counted(), "roll": ROLL, "next_page_token": "abc"},
    ),
    "voting-rules": (
        "governance/rules.html",
        "/voting-rules",
        {
            "types": [
                {"type": "new_benchmark", "current": rules(), "earlier": []},
                {
                    "type": "policy_change",
                    "current": rules(
                        number=2, decided_by="proposal", quorum_percent=20, proposal_type="policy_change"
                    ),
                    "earlier": [rules(proposal_type="policy_change")],
                },
            ]
        },
    ),
}


def form(kind, values=None, **changes):
    return (
        "governance/form.html",
        "/proposals/new",
        {
            "kind": kind,
            "proposal": None,
            "benchmark": benchmark(),
            "version": version(),
            "versions": [],
            "rules": None,
            "tolerances": [],
            "values": values or filled(kind),
            "errors": [],
            **changes,
        },
    )


def filled(kind, **fields):
    return {"title": "A title", "description": "What", "rationale": "Why", "action": {kind: fields}}


PAGES |= {
    "proposal-new": (
        "governance/choose.html",
        "/proposals/new",
        {
            "may_propose": True,
            "kinds": [
                {
                    "kind": "activate_benchmark",
                    "name": "benchmark_id",
                    "choices": [(uid(1), "Hard Science Questions")],
                },
                {"kind": "update_benchmark", "name": "benchmark_id", "choices": [(uid(2), "Demo General")]},
                {
                    "kind": "deprecate_benchmark",
                    "name": "benchmark_id",
                    "choices": [(uid(2), "Demo General")],
                },
                {"kind": "set_verification_policy", "name": "benchmark_id", "choices": []},
                {
                    "kind": "set_voting_rules",
                    "name": "proposal_type",
                    "choices": [("new_benchmark", "New benchmark")],
                },
            ],
        },
    ),
    "proposal-new-reader": ("governance/choose.html", "/proposals/new", {"may_propose": False, "kinds": []}),
    "proposal-form-activate": form("activate_benchmark"),
    "proposal-form-update": form(
        "update_benchmark",
        filled(
            "update_benchmark",
            changes={
                "name": "Demo General",
                "description": "Questions of all kinds.",
                "category": "accuracy",
                "tags": ["general", "demo"],
                "long_description": "",
                "license": None,
                "custom_license": "",
                "documentation_url": "",
                "source_url": "",
            },
        ),
        versions=[(uid(3), "1.1.0")],
    ),
    "proposal-form-deprecate": form(
        "deprecate_benchmark",
        filled("deprecate_benchmark", reason="Old."),
        errors=[
            {
                "field": "action.deprecate_benchmark.reason",
                "code": "min_length",
                "message": "Ensure this field has at least 10 characters.",
            }
        ],
    ),
    "proposal-form-policy": form(
        "set_verification_policy", filled("set_verification_policy", **POLICY), tolerances=TOLERANCES
    ),
    "proposal-form-rules": form(
        "set_voting_rules", filled("set_voting_rules", **rules()), benchmark=None, version=None, rules=rules()
    ),
    "proposal-form-edit": form(
        "deprecate_benchmark",
        filled("deprecate_benchmark", reason="Its cases have leaked."),
        proposal=unopened(status="draft"),
    ),
}
