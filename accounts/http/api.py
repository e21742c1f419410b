"""How the API knows who calls, asks the access rules, and reads JSON strictly."""

import json
from collections.abc import Iterable, Mapping
from typing import IO, TYPE_CHECKING, Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, ParseError, PermissionDenied
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from accounts.actors import Actor
from accounts.http.access import SPECIAL, check_access
from accounts.http.requests import ActorRequest, acting
from accounts.identity.tokens import StrictTokenAuthentication
from rules_engine.errors import NotAllowed, TooMany

if TYPE_CHECKING:  # DRF's views load this module through the settings
    from rest_framework.views import APIView


def actor_of(request: Request | HttpRequest) -> Actor:
    """The actor of a Django or DRF request, as ActorMiddleware found it."""
    return _plain(request).actor


def _plain(request: Request | HttpRequest) -> ActorRequest:
    """Django's own request."""
    return acting(request._request if isinstance(request, Request) else request)


class TokenActorAuthentication(StrictTokenAuthentication):
    """The token that ActorMiddleware has already looked up; a bad one is a 401."""

    def authenticate(self, request: Request | HttpRequest) -> tuple[object, object] | None:
        """(user, token row), None without a token; AuthenticationFailed."""
        pair: tuple[object, object] | None = _plain(request).token_pair or super().authenticate(request)
        return pair


class LinkActorAuthentication(BaseAuthentication):
    """A personal link that ActorMiddleware has already looked up; a bad one is a 401."""

    def authenticate(self, request: Request) -> tuple[Any, object] | None:
        """(AnonymousUser, link), None without the header; AuthenticationFailed, TooMany "too_many"."""
        plain = _plain(request)
        if isinstance(plain.link_refusal, TooMany):
            raise plain.link_refusal
        if plain.link_refusal is not None:
            raise AuthenticationFailed(_("This link isn't valid. It may have been replaced by a new one."))
        return None if plain.shown_link is None else (AnonymousUser(), plain.shown_link)

    def authenticate_header(self, request: Request) -> str:
        """What a refusal names, as for tokens."""
        return "Token"


class SessionActorAuthentication(SessionAuthentication):
    """A browser's session, of an account or of a personal link; asks for the CSRF token in both cases."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """(user or AnonymousUser, None), None for a visitor; PermissionDenied without a CSRF token."""
        if actor_of(request).via not in ("session", "link"):
            return None
        self.enforce_csrf(request)
        return request._request.user, None

    def enforce_csrf(self, request: Request) -> None:
        """The same check as for forms, refused with the same code: PermissionDenied "csrf"."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise PermissionDenied(str(error.detail), "csrf") from error


class AccessPermission(BasePermission):
    """Asks the rule of a DRF view; a view, action or method without one is denied.

    Rules come from `access_rules = {"list": "event.see", …}` on the class, keyed by viewset action or by method in
    lower case, or from `@access(rule)` on the view. The object is `view.get_access_object()` where the view has one
    (a list within a parent), otherwise what `get_object()` finds.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Ask a special rule, or a rule about the view's own access object."""
        if not hasattr(view, (request.method or "").lower()):
            return True  # nothing will run: DRF answers 405
        rule = rule_of_view(request, view)
        if rule is None:
            return False
        if rule in SPECIAL:
            self._check(rule, request, None)
        elif hasattr(view, "get_access_object"):
            self._check(rule, request, view.get_access_object())
        return True

    def has_object_permission(self, request: Request, view: "APIView", obj: Any) -> bool:
        """Ask a rule about the object, unless the view named another one to ask about."""
        rule = rule_of_view(request, view)
        if rule is not None and rule not in SPECIAL and not hasattr(view, "get_access_object"):
            self._check(rule, request, obj)
        return rule is not None

    def _check(self, rule: str, request: Request, obj: object) -> None:
        try:
            check_access(rule, actor_of(request), obj)
        except NotAllowed as error:
            if error.code == "sign_in":
                raise NotAuthenticated(error.message) from error
            raise


def rule_of_view(request: Request, view: "APIView") -> str | None:
    """The rule of a DRF view for this request's action or method; None if nobody gave it one."""
    action = getattr(view, "action", None) or (request.method or "").lower()
    by_action: Mapping[str, str] = getattr(view, "access_rules", {})
    match = request._request.resolver_match
    marked: str | None = getattr(view, "access_rule", None) or getattr(match and match.func, "access_rule", None)
    return by_action.get(action, marked)


class OneRenderer(DefaultContentNegotiation):
    """Each view answers in its one format, whatever the Accept header asks for."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The first renderer."""
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class StrictJSONParser(JSONParser):
    """JSON that a database can hold: a NUL, a lone surrogate or nesting beyond reason is a 400."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The parsed body; ParseError."""
        try:
            data: dict[str, Any] = super().parse(stream, media_type, parser_context)
            text = json.dumps(data, ensure_ascii=False)
            text.encode("utf-8")
        except (RecursionError, UnicodeEncodeError) as error:
            raise ParseError(_("The text has invalid characters or is nested too deeply.")) from error
        if "\\u0000" in text.replace("\\\\", ""):
            raise ParseError(_("The text holds a NUL character."))
        return data
