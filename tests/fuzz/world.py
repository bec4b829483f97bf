"""Whom and what the fuzzers meet: people with tokens, and one thing of each kind that there is."""

import hashlib
from contextlib import contextmanager

from exchange.core.actors import Scope
from tests.e2e.people import PASSWORD, QUESTIONS, RIGHT, Lab
from tests.e2e.rest import Rest
from tests.fuzz.known import OWNER, PLAIN, REVIEWER, World

FILE = b"question,answer\nq0,0\n"
VOTERS = ("voter-1", "voter-2", "voter-3")


@contextmanager
def build(stack, simulator):
    with Lab(stack, simulator, name=OWNER) as lab:
        world = World(stack.base_url, stack.grpc_address)
        others = {name: _person(stack, name) for name in (REVIEWER, PLAIN)}
        for name in VOTERS:
            _person(stack, name).__exit__()
        for name in (OWNER, *VOTERS):
            stack.manage("grant_role", name, "contributor")
        stack.manage("grant_role", REVIEWER, "reviewer")
        for name, rest in {OWNER: lab.rest, **others}.items():
            _token(world, name, rest)
        claim = _measured_claim(lab)
        _campaign(lab)
        _draft(lab)
        _proposals(lab, others[REVIEWER])
        invited = {"email": "someone@example.org", "role": "member"}
        lab.rest.post(f"/organizations/{lab.organization['id']}/invitations", invited)
        _find(world, lab, claim)
        world.words = {
            "username": [OWNER, PLAIN],
            "path_parameters.slug": [lab.quality["slug"]],
            "query.page_token": [""],
            "claims.name": ["accuracy"],
            "cases.key": ["q0", "q1"],
            "base_url": [simulator.base_url],
            "accept_bound": [lab.rest.get(f"/submissions/{claim['id']}/verification-bound")["accept_bound"]],
        }
        for rest in others.values():
            rest.__exit__()
        yield world


def _person(stack, name):
    person = Rest(stack.base_url)
    person.log_in(username=name, email=f"{name}@example.org", password=PASSWORD)
    return person


def _token(world, name, rest):
    made = rest.post("/tokens", {"name": "fuzz", "scopes": list(Scope)})
    world.tokens[name] = made["secret"]
    world.kept.append(made["token"]["id"])


def _measured_claim(lab):
    """A claim with evidence that has been verified, so that it stands on a board."""
    claim = lab.claim_quality("able", RIGHT)
    lab.claim_speed("chatty", 36.0, visibility="private")
    digest = hashlib.sha256(FILE).hexdigest()
    lab.rest.call(
        "POST",
        f"/submissions/{claim['id']}/evidence",
        files={"file": ("answers.csv", FILE)},
        data={"sha256": digest},
    )
    lab.ended(lab.request_over_rest(claim))
    return claim


def _campaign(lab):
    """A check of all that the endpoint serves, under way or done."""
    where = {"organization_id": lab.organization["id"], "mode": "full", "refresh": False}
    lab.rest.post("/campaigns", where)


def _draft(lab):
    """A benchmark that nobody has reviewed, with a version that nobody has published."""
    about = {"organization_id": lab.organization["id"], "slug": "draft", "name": "A draft"}
    made = lab.rest.post("/benchmarks", {**about, "kind": "quality", "category": "accuracy"})
    metric = {"name": "accuracy", "title": "Accuracy", "direction": "higher_is_better", "kind": "proportion"}
    cases = [
        {"key": f"q{n}", "prompt": "1?", "reference": "1", "scorer": "numeric_v1"} for n in range(QUESTIONS)
    ]
    version = {"version": "0.1.0", "metrics": [{**metric, "is_primary": True}], "test_cases": cases}
    lab.rest.post(f"/benchmarks/{made['id']}/versions", version)


def _proposals(lab, reviewer):
    """One that is a draft, and one that is being voted on, with a comment."""
    texts = dict.fromkeys(("title", "description", "rationale"), "Say it in other words")
    change = {"benchmark_id": lab.quality["id"], "changes": {"description": "In other words."}}
    action = {"kind": "update_benchmark", "update_benchmark": change}
    _draft, voted = (
        lab.rest.post("/proposals", {**texts, "type": "update_benchmark", "action": action}) for _ in range(2)
    )
    path = f"/proposals/{voted['id']}"
    lab.rest.post(f"{path}/submit-for-review")
    lab.rest.post(f"{path}/comments", {"body": "Why?", "kind": "question"})
    reviewer.post(f"{path}/reviews", {"decision": "approve"})
    lab.rest.post(f"{path}/open-voting")


def _find(world, lab, claim):
    """All of it by its ids, as the lists give them."""
    rest, ids = lab.rest, world.ids
    lists = {
        "organization": "/organizations",
        "benchmark": "/benchmarks",
        "endpoint": "/endpoints",
        "deployment": "/deployments",
        "model": "/models",
        "campaign": "/campaigns",
        "submission": "/submissions",
        "proposal": "/proposals",
        "evidence": f"/submissions/{claim['id']}/evidence",
        "verification": f"/submissions/{claim['id']}/verifications",
        "invitation": f"/organizations/{lab.organization['id']}/invitations",
    }
    for kind, path in lists.items():
        ids[kind] = [found["id"] for found in rest.every(path)]
    ids["version"] = [
        version["id"]
        for benchmark in ids["benchmark"]
        for version in rest.every(f"/benchmarks/{benchmark}/versions")
    ]
    ids["comment"] = [
        comment["id"]
        for proposal in ids["proposal"]
        for comment in rest.every(f"/proposals/{proposal}/comments")
    ]
    ids["run"] = rest.get(f"/verifications/{ids['verification'][0]}")["run_ids"]
    ids["user"] = [rest.get(f"/users/username/{name}")["id"] for name in (OWNER, PLAIN)]
    board = rest.get(f"/benchmarks/{lab.quality['id']}/leaderboard")
    ids["entry"] = [row["id"] for row in board["items"]]
    world.lasting = [lab.quality["id"], lab.speed["id"], claim["id"], *ids["verification"]]
