"""Default deny: a route that nobody gave a rule is refused."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.http.access import SPECIAL, check_access, watch_checks
from accounts.http.requests import acting
from accounts.http.token_scopes import check_token
from config.errors import error_response
from rules_engine.errors import DomainError, NotAllowed

logger = logging.getLogger(__name__)

RULES = {
    "account_login": "public",
    "account_logout": "public",
    "account_inactive": "public",
    "account_signup": "public",
    "account_reauthenticate": "signed_in",
    "account_email": "signed_in",
    "account_email_verification_sent": "public",
    "account_change_password": "signed_in",
    "account_set_password": "signed_in",
    "account_reset_password": "public",
    "account_confirm_login_code": "public",
    "account_confirm_email": "public",
    "account_reset_password_from_key_done": "public",
    "account_reset_password_from_key": "public",
    "account_reset_password_done": "public",
    "mfa_authenticate": "public",
    "mfa_index": "signed_in",
    "mfa_reauthenticate": "signed_in",
    "mfa_activate_totp": "signed_in",
    "mfa_deactivate_totp": "signed_in",
    "mfa_view_recovery_codes": "signed_in",
    "mfa_generate_recovery_codes": "signed_in",
    "mfa_download_recovery_codes": "signed_in",
    "set_language": "public",
}
"""Rules of routes that are not ours, by route name."""

NAMESPACES = {"admin": "proved_site_admin"}
"""Rules of whole sites that are not ours, by namespace."""


def rule_of(callback: Callable[..., Any], name: str, namespaces: Iterable[str] = (), method: str = "") -> str | None:
    """The rule of a view: its own, or the one listed here for a route that is not ours; None if there is none.

    With a `method` that of the action which answers it; "" where none does.
    """
    view_class = getattr(callback, "cls", None) or getattr(callback, "view_class", None)
    own = getattr(callback, "access_rule", None) or getattr(view_class, "access_rule", None)
    if own is None and hasattr(view_class, "access_rules"):
        own = _rule_of_actions(callback, view_class, method.lower())
    foreign = next((NAMESPACES[namespace] for namespace in namespaces if namespace in NAMESPACES), RULES.get(name))
    return foreign if own is None else own


def _rule_of_actions(callback: Callable[..., Any], view_class: Any, method: str) -> str | None:
    methods = {each: each for each in view_class.http_method_names if hasattr(view_class, each)}
    actions = getattr(callback, "actions", None) or methods
    wanted = {action for each, action in actions.items() if method in ("", each)} - {"options"}
    rules = {view_class.access_rules.get(action) for action in wanted}
    return None if None in rules else "|".join(sorted(rules))


class DefaultDenyMiddleware:
    """Refuses views without a rule, asks the special rules, withholds the answer of a view that never asked its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = watch_checks()
        response = self.get_response(request)
        rules: set[str] = getattr(request, "access_rules", set())
        forgotten = rules and not rules & (asked | SPECIAL.keys())
        if not forgotten or response.status_code >= 400 or response.has_header("Idempotency-Replayed"):
            return response
        logger.error("%s never asked its access rule", request.path)
        return error_response(request, _denial())

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Decide before the view runs; None lets it run."""
        match = request.resolver_match
        route = (view, match.url_name or "", match.namespaces) if match else None
        rule = rule_of(*route) if route else None
        if route is None or rule is None:
            logger.error("%s has no access rule", request.path)
            return error_response(request, _denial())
        vars(request)["access_rules"] = set(rule.split("|"))
        asked = acting(request)
        try:
            if asked.token_pair is not None:
                own_rule = rule_of(*route, method=request.method or "")
                check_token(asked, view, own_rule or "", str(kwargs.get("slug", "")))
            if rule in SPECIAL:
                check_access(rule, asked.actor)
        except DomainError as error:
            return error_response(request, error)
        return None


def _denial() -> NotAllowed:
    return NotAllowed("no_rule", _("Nobody may do this."))
