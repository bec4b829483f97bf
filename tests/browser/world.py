"""What a journey takes as given, made beside the pages. Signing up by pages is the submitter's journey."""

from exchange.demo.platform import Platform
from tests.e2e.people import PASSWORD, metric, prompt


def make_account(stack, name, role=""):
    """Somebody registered, with a role of the site that the operator gives."""
    account = {"username": name, "email": f"{name}@example.org", "password": PASSWORD}
    with Platform(stack.base_url) as rest:
        rest.log_in(**account)
    if role:
        stack.manage("grant_role", name, role)


def log_in(person, stack, name, role=""):
    """The person, logged in by the page as somebody new."""
    make_account(stack, name, role)
    person.log_in(name, PASSWORD)
    return person


def draft_benchmark(lab, slug, name):
    """A benchmark of the lab with a published edition, that nobody has activated."""
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
    return benchmark
