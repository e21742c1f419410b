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
from accounts.http.viewsets import ApiViewSet
from accounts.identity.forms import CodeForm
from accounts.identity.selectors import has_factor
from accounts.identity.services import issue_api_token, revoke_api_token
from accounts.models import User
from rules_engine.errors import DomainError, TooMany

CODES_PAUSE = 15 * 60
"""Seconds of the span in which wrong codes of one account are counted (ACCOUNT_RATE_LIMITS, "login_failed")."""


class CredentialsSerializer(serializers.Serializer[Any]):
    """The name and password of an account."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)
    code = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    """Of the second factor, where the account has one."""
    name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)
    """What the token is for, to be told apart on the page of the account."""


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
        given = self.read(CredentialsSerializer)
        user = authenticate(request, given["username"], given["password"])
        check_code(user, given["code"])
        row, token = issue_api_token(user, Actor(user, None, "token"), self.now, given["name"])
        return self.answer_secret(TokenSerializer, {"token": token, "expires_at": row.expiry}, 201)

    @extend_schema(request=None, responses={204: None})
    def revoke(self, request: Request) -> Response:
        """Revoke the token this request was made with."""
        if request.auth is None:
            raise DomainError("no_token", _("No token to revoke: this request had none."))
        revoke_api_token(request.auth, self.actor, self.now)
        return Response(status=204)


def authenticate(request: Request, username: str, password: str) -> User:
    """The account of a name and a password; AuthenticationFailed, or TooMany after too many wrong tries."""
    try:
        user: User | None = get_adapter().authenticate(request._request, username=username, password=password)
    except ValidationError as error:
        if isinstance(error.__cause__, TooMany):
            raise error.__cause__ from None
        raise
    if user is None or not user.is_active:
        raise AuthenticationFailed(_("Wrong name or password."), "wrong_credentials")
    return user


def check_code(user: User, code: str) -> None:
    """Pass where the account has no second factor, or the code is right; AuthenticationFailed, TooMany otherwise."""
    if not has_factor(user):
        return
    if not code:
        raise AuthenticationFailed(_("This account also needs a second-factor code."), "code_needed")
    form = CodeForm({"code": code}, user=user)
    if form.is_valid():
        form.authenticator.record_usage()
        return
    if any(error.code == "too_many_login_attempts" for error in form.errors.as_data()["code"]):
        raise TooMany("too_many", _("Too many tries. Try again in a few minutes."), retry_after=CODES_PAUSE)
    raise AuthenticationFailed(_("This code is wrong or already used."), "wrong_code")
