"""What a journey takes as given, made beside the pages. Signing up by pages is the submitter's journey."""

import re
from email import message_from_bytes

from tests.e2e.people import PASSWORD, metric, prompt, until
from tests.e2e.rest import Rest


def log_in(person, stack, name, role="", organization=""):
    """The person, logged in by the page as somebody new, with a role of the site that the operator gives."""
    account = {"username": name, "email": f"{name}@example.org", "password": PASSWORD}
    with Rest(stack.base_url) as rest:
        rest.log_in(**account)
        if organization:
            rest.organization(f"{name}-org", organization)
    if role:
        stack.manage("grant_role", name, role)
    person.log_in(name, PASSWORD)
    return person


def link_mailed_to(stack, address, about="/"):
    """The path in a mail to this address that begins as `about`; the stack writes mails to files."""
    link = re.compile(rf"^{re.escape(stack.base_url)}({about}\S+)$", re.MULTILINE)

    def look():
        letters = [message_from_bytes(path.read_bytes()) for path in (stack.state_dir / "mail").glob("*")]
        texts = [letter.get_payload(decode=True).decode() for letter in letters if letter["To"] == address]
        return [found[1] for found in map(link.search, texts) if found]

    return until(look)[-1]


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
