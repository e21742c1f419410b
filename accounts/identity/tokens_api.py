"""API tokens: issued for a name and a password, listed, revoked; docs/reference/api.md tells of their scopes."""

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
from accounts.http.requests import acting, own_account
from accounts.http.token_scopes import OWN_TOKEN
from accounts.http.viewsets import ApiViewSet
from accounts.identity.forms import MAX_DAYS, CodeForm
from accounts.identity.keys import issue_api_token, revoke_api_token
from accounts.identity.selectors import find_token, has_factor, token_id, tokens_of
from accounts.models import TokenScope, User
from rules_engine.errors import DomainError, TooMany

CODES_PAUSE = 15 * 60
"""Seconds of the span in which wrong codes of one account are counted (ACCOUNT_RATE_LIMITS, "login_failed")."""


class NewTokenSerializer(serializers.Serializer[Any]):
    """The name and password of an account, and what the token is to be like."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)
    code = serializers.CharField(
        max_length=20, required=False, default="", allow_blank=True,
        help_text="Of the second factor, where the account has one.",
    )  # fmt: skip
    name = serializers.CharField(
        max_length=100, required=False, default="", allow_blank=True, help_text="What the token is for, as you list it."
    )
    scope = serializers.ChoiceField(TokenScope.choices, default=TokenScope.ORGANISE)
    event = serializers.CharField(
        max_length=80, required=False, default="", allow_blank=True,
        help_text="The slug of the only event the token works at; every one of yours unless given.",
    )  # fmt: skip
    days = serializers.IntegerField(min_value=1, max_value=MAX_DAYS, default=1, help_text="How long it works.")


class TokenSerializer(serializers.Serializer[Any]):
    """One of your tokens. `event` is empty where it works at every event; `last_used_at` is right to ten minutes."""

    id = serializers.SerializerMethodField()
    name = serializers.CharField(source="note.name")
    ends_with = serializers.CharField(source="note.ends_with")
    scope = serializers.ChoiceField(TokenScope.choices, source="note.scope")
    event = serializers.CharField(source="note.event")
    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry")
    last_used_at = serializers.DateTimeField(source="note.last_used_at", allow_null=True)

    def get_id(self, row: Any) -> str:
        """What the token is called in addresses and in the log."""
        return token_id(row)


class NewSecretSerializer(TokenSerializer):
    """A new token with its secret, shown once: send it as `Authorization: Token …` until it expires."""

    token = serializers.CharField()


class TokensViewSet(ApiViewSet):
    """API tokens of an account."""

    resource = "tokens"
    access_rules: ClassVar = {
        "create": "public", "list": "signed_in", "revoke_one": "signed_in", "revoke": OWN_TOKEN
    }  # fmt: skip

    @extend_schema(responses=TokenSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Your tokens that work, newest first."""
        return self.answer_page(TokenSerializer, tokens_of(own_account(acting(request._request)), self.now))

    @extend_schema(request=NewTokenSerializer, responses={201: NewSecretSerializer})
    def create(self, request: Request) -> Response:
        """Get a token for a name and a password; wrong ones are counted as they are when signing in."""
        given = self.read(NewTokenSerializer)
        user = authenticate(request, given.pop("username"), given.pop("password"))
        check_code(user, given.pop("code"))
        row, token = issue_api_token(user, Actor(user, None, "token"), self.now, **given)
        row.token = token
        return self.answer_secret(NewSecretSerializer, row, 201)

    @extend_schema(responses={204: None})
    def revoke_one(self, request: Request, token_id: str) -> Response:
        """Revoke one of your tokens."""
        revoke_api_token(find_token(own_account(acting(request._request)), token_id, self.now), self.actor, self.now)
        return Response(status=204)

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
