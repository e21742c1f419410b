"""API tokens: issued for a name and a password, expiring, revoked by whoever holds one."""

from typing import Any, ClassVar

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import Actor
from accounts.models import User
from accounts.services import issue_api_token, revoke_api_token
from accounts.viewsets import ApiViewSet
from rules_engine.errors import DomainError, TooMany


class CredentialsSerializer(serializers.Serializer[Any]):
    """The name and password of an account."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)


class TokenSerializer(serializers.Serializer[Any]):
    """A token, shown once: send it as `Authorization: Token …` until it expires."""

    token = serializers.CharField()
    expires_at = serializers.DateTimeField()


class TokensViewSet(ApiViewSet):
    """API tokens of an account."""

    resource = "tokens"
    access_rules: ClassVar = {"create": "public", "revoke": "signed_in"}
    pagination_class = None

    @extend_schema(request=CredentialsSerializer, responses={201: TokenSerializer})
    def create(self, request: Request) -> Response:
        """Get a token for a name and a password; wrong ones are counted as they are when signing in."""
        user = authenticate(request, self.read(CredentialsSerializer))
        row, token = issue_api_token(user, Actor(user, None, "token"), self.now)
        return self.answer_secret(TokenSerializer, {"token": token, "expires_at": row.expiry}, 201)

    @extend_schema(request=None, responses={204: None})
    def revoke(self, request: Request) -> Response:
        """Revoke the token this request was made with."""
        if request.auth is None:
            raise DomainError("no_token", _("This request came without a token, there is none to revoke."))
        revoke_api_token(request.auth, self.actor, self.now)
        return Response(status=204)


def authenticate(request: Request, credentials: dict[str, str]) -> User:
    """The account of a name and a password; AuthenticationFailed, or TooMany after too many wrong tries."""
    try:
        user: User | None = get_adapter().authenticate(request._request, **credentials)
    except ValidationError as error:
        raise TooMany("too_many", _("Too many tries. Wait a few minutes, then try again.")) from error
    if user is None:
        raise AuthenticationFailed(_("The name or the password is not right."), "wrong_credentials")
    return user
