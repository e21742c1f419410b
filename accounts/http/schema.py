"""Describes our two ways of signing in to the API's schema."""

from drf_spectacular.authentication import SessionScheme
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme


class TokenActorScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    """`Authorization: Token …`."""

    target_class = "accounts.http.api.TokenActorAuthentication"


class SessionActorScheme(SessionScheme):  # type: ignore[no-untyped-call]
    """The session cookie, of an account or of a personal link."""

    target_class = "accounts.http.api.SessionActorAuthentication"
