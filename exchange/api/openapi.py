"""How the API page says who is asking."""

from typing import Any

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension


class HeaderOrSessionScheme(OpenApiAuthenticationExtension):
    target_class = "exchange.api.authentication.HeaderOrSession"
    name = ["token", "session"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        return [
            {"type": "http", "scheme": "bearer", "description": "An API token or a session token."},
            {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME},
        ]
