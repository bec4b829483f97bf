"""People of the demo, at the exchange's REST API."""

from __future__ import annotations

from llm_benchmark import Client, Settings
from llm_benchmark.errors import Unauthorized
from llm_benchmark.models import Organization

TIMEOUT_SECONDS = 60


def log_in(base_url: str, *, username: str, email: str, password: str) -> Client:
    """Log in, registering first where there is no such account."""
    with Client(settings=Settings(base_url, timeout=TIMEOUT_SECONDS)) as anybody:
        try:
            session = anybody.account.log_in(username, password)
        except Unauthorized:
            session = anybody.account.register(
                email=email, username=username, password=password, display_name="Demo"
            )
        return anybody.with_token(session.access_token)


def own_organization(client: Client, slug: str, name: str) -> Organization:
    """Found, or made."""
    own = {organization.slug: organization for organization in client.organizations.list()}
    return own.get(slug) or client.organizations.create(slug=slug, name=name, type="individual")
