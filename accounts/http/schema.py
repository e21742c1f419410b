"""Describes our ways of signing in to the API's schema."""

from typing import Any

from drf_spectacular.authentication import SessionScheme
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_bearer_security_scheme_object


class TokenActorScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    """`Authorization: Token …`."""

    target_class = "accounts.http.api.TokenActorAuthentication"


class LinkActorScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """`Authorization: Link …`."""

    target_class = "accounts.http.api.LinkActorAuthentication"
    name = "personalLink"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """A header with a prefix, as for tokens."""
        return build_bearer_security_scheme_object(header_name="AUTHORIZATION", token_prefix="Link")  # noqa: S106


class SessionActorScheme(SessionScheme):  # type: ignore[no-untyped-call]
    """The session cookie, of an account or of a personal link."""

    target_class = "accounts.http.api.SessionActorAuthentication"
