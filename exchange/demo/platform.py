"""The platform as the demo's user sees it: its REST API."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx

OPEN = {"requested", "running"}
POLL_SECONDS = 0.25
PATIENCE_SECONDS = 180


class Refused(Exception):
    """The platform said no. `code` is its reason."""

    def __init__(self, problem: dict[str, Any]) -> None:
        fields = "; ".join(f"{error['field']}: {error['message']}" for error in problem.get("errors", []))
        super().__init__(f"{problem.get('code')}: {problem.get('detail')} {fields}".strip())
        self.code = problem.get("code")


class Platform:
    """`/api/v1` with a session's token."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self._http = httpx.Client(base_url=f"{base_url}/api/v1", timeout=60)

    def __enter__(self) -> Platform:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def call(self, method: str, path: str, **options: Any) -> Any:
        answer = self._http.request(method, path, **options)
        if answer.is_error:
            raise Refused(answer.json())
        return answer.json() if answer.content else None

    def get(self, path: str, **params: Any) -> Any:
        return self.call("GET", path, params=params)

    def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        return self.call("POST", path, json=body or {})

    def log_in(self, *, username: str, email: str, password: str) -> None:
        """Log in, registering first where there is no such account."""
        try:
            session = self.post("/auth/login", {"email_or_username": username, "password": password})
        except Refused:
            account = {"username": username, "email": email, "password": password}
            session = self.post("/auth/register", {**account, "display_name": "Demo"})
        self._http.headers["Authorization"] = f"Bearer {session['access_token']}"

    def every(self, path: str, **params: Any) -> Iterator[dict[str, Any]]:
        """All items of a paged list."""
        token = ""
        while True:
            page = self.get(path, page_size=100, page_token=token, **params)
            yield from page["items"]
            token = page["next_page_token"]
            if not token:
                return

    def organization(self, slug: str, name: str) -> dict[str, Any]:
        for found in self.every("/organizations"):
            if found["slug"] == slug:
                return found
        return self.post("/organizations", {"slug": slug, "name": name, "type": "individual"})

    def verdict_on(self, submission_id: str) -> dict[str, Any]:
        """Request verification, consent to its bound, and wait for the end."""
        bound = self.get(f"/submissions/{submission_id}/verification-bound")
        body = {"accept_bound": bound["accept_bound"]}
        verification = self.post(f"/submissions/{submission_id}/request-verification", body)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while verification["status"] in OPEN and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
            verification = self.get(f"/verifications/{verification['id']}")
        return verification
