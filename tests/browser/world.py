"""What a journey takes as given, made beside the pages. Signing up by pages is the submitter's journey."""

import re
from email import message_from_bytes

from exchange.demo.platform import Platform
from tests.e2e.people import PASSWORD, metric, prompt, until


def log_in(person, stack, name, role="", organization=""):
    """The person, logged in by the page as somebody new, with a role of the site that the operator gives."""
    account = {"username": name, "email": f"{name}@example.org", "password": PASSWORD}
    with Platform(stack.base_url) as rest:
        rest.log_in(**account)
        if organization:
            rest.organization(f"{name}-org", organization)
    if role:
        stack.manage("grant_role", name, role)
    person.log_in(name, PASSWORD)
    return person


def link_mailed_to(stack, address):
    """The path in the newest mail to this address, which the stack wrote to a file."""

    def look():
        files = sorted((stack.state_dir / "mail").glob("*"), key=lambda path: path.stat().st_mtime)
        letters = [message_from_bytes(path.read_bytes()) for path in files]
        return [letter for letter in letters if letter["To"] == address]

    text = until(look)[-1].get_payload(decode=True).decode()
    return re.search(rf"^{re.escape(stack.base_url)}(/\S+)$", text, re.MULTILINE)[1]


def unreviewed_benchmark(lab, slug, name):
    """A benchmark of the lab with a published edition, that waits for its reviewers."""
    definition = {
        "organization_id": lab.organization["id"],
        "slug": slug,
        "name": name,
        "kind": "quality",
        "category": "accuracy",
        "description": "Ten sums that everybody can check by hand.",
    }
    benchmark = lab.rest.post("/benchmarks", definition)
    version = {
        "version": "1.0.0",
        "cases_public": True,
        "metrics": [metric("accuracy", "", "higher_is_better", "proportion", maximum=1.0)],
        "test_cases": [
            {"key": f"q{n}", "prompt": prompt(n), "reference": str(2 * n), "scorer": "numeric_v1"}
            for n in range(10)
        ],
    }
    made = lab.rest.post(f"/benchmarks/{benchmark['id']}/versions", version)
    lab.rest.post(f"/benchmark-versions/{made['id']}/publish")
    lab.rest.post(f"/benchmarks/{benchmark['id']}/submit-for-review")
    return benchmark
