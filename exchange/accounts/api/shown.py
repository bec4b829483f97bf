"""Answers that are put together from a row and a secret."""

from typing import Any

from exchange.accounts.models import Token, User

from .serializers import ApiTokenSerializer, UserSerializer


def shown_session(user: User, secret: str, token: Token) -> dict[str, Any]:
    return {"user": UserSerializer(user).data, "access_token": secret, "expires_at": _iso(token)}


def shown_new_token(secret: str, token: Token) -> dict[str, Any]:
    return {"token": ApiTokenSerializer(token).data, "secret": secret}


def _iso(token: Token) -> str:
    return token.expires_at.isoformat() if token.expires_at else ""
