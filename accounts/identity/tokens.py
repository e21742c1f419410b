"""API tokens, read strictly: what is no token at all never reaches the database."""

from django.http import HttpRequest
from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

SCHEME = b"token"


class StrictTokenAuthentication(TokenAuthentication):  # type: ignore[misc]
    """knox's `Authorization: Token …`, refusing any other header of that name, and anything but letters and digits."""

    def authenticate(self, request: Request | HttpRequest) -> tuple[object, object] | None:
        """(user, token row), None without the header; AuthenticationFailed "unknown_scheme", "authentication_failed".

        Whoever shows something means to be known: taken for a visitor, they would read 404 for a private event.
        """
        said = get_authorization_header(request).split()  # type: ignore[arg-type]
        if said and said[0].lower() != SCHEME:
            text = _("Invalid “Authorization” header. Send “Authorization: Token …” with an API token.")
            raise AuthenticationFailed(text, "unknown_scheme")
        pair: tuple[object, object] | None = super().authenticate(request)
        return pair

    def authenticate_credentials(self, token: bytes) -> tuple[object, object]:
        """(user, token row) of a raw token; AuthenticationFailed for one that is malformed, unknown or expired."""
        if not token.isalnum():
            raise AuthenticationFailed
        pair: tuple[object, object] = super().authenticate_credentials(token)
        return pair
