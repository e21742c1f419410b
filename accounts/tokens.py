"""API tokens, read strictly: what is no token at all never reaches the database."""

from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class StrictTokenAuthentication(TokenAuthentication):  # type: ignore[misc]
    """knox's `Authorization: Token …`, refusing anything but letters and digits."""

    def authenticate_credentials(self, token: bytes) -> tuple[object, object]:
        """(user, token row) of a raw token; AuthenticationFailed for one that is malformed, unknown or expired."""
        if not token.isalnum():
            raise AuthenticationFailed
        pair: tuple[object, object] = super().authenticate_credentials(token)
        return pair
