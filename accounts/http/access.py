"""Access rules at the edge: every view names its rule, and a rule is asked in one place."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import TypeVar

from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from rules.permissions import has_perm

from accounts.actors import Actor
from rules_engine.errors import NotAllowed, NotFound

SAFE = ("GET", "HEAD")
View = TypeVar("View", bound=Callable[..., object])

SPECIAL: Mapping[str, Callable[[Actor], bool]] = {
    "public": lambda actor: True,
    "known": lambda actor: actor.is_known,
    "signed_in": lambda actor: actor.user is not None,
    "own_token": lambda actor: actor.user is not None,
    "site_admin": lambda actor: actor.user is not None and actor.user.is_staff,
    "proved_site_admin": lambda actor: actor.user is not None and actor.user.is_staff and actor.is_proved,
}
"""Rules about the actor alone, asked by the edge before the view runs; all others are permissions about an object."""

_asked: ContextVar[set[str] | None] = ContextVar("asked", default=None)


def access(rule: str) -> Callable[[View], View]:
    """Name the rule of a function view, of an `.as_view()` result or of a view class.

    A special rule is enforced by the edge. For any other the view calls `check_access(rule, request.actor, obj)`;
    the edge withholds the answer of a view that forgot to.
    """

    def mark(view: View) -> View:
        view.access_rule = rule  # type: ignore[attr-defined]
        return view

    return mark


def answering(view: View, methods: Sequence[str], *, fresh: bool) -> View:
    """The view for these methods only, GET and HEAD unless named; no cache keeps the answer of one that is `fresh`."""
    answers: View = require_http_methods(list(methods or SAFE))(view)
    return never_cache(answers) if fresh else answers


def page_view(rule: str, *methods: str, fresh: bool = False) -> Callable[[View], View]:
    """A function view with its rule, and its methods and `fresh` as `answering` takes them."""
    return lambda view: access(rule)(answering(view, methods, fresh=fresh))


def is_allowed(rule: str, actor: Actor, obj: object = None) -> bool:
    """Whether the rule allows the actor to touch the object; an unknown rule allows nobody, a command may do all."""
    if rule in SPECIAL:
        return SPECIAL[rule](actor)
    return actor.via == "command" or bool(has_perm(rule, actor, obj))


def check_access(rule: str, actor: Actor, obj: object = None) -> None:
    """Pass in silence, or raise.

    NotFound "not_found" where the object's class names a `see_rule` that the actor fails: its existence is secret.
    NotAllowed "sign_in" where signing in may help, "second_factor" where the code of one does, otherwise "not_allowed".
    """
    count_as_asked(rule)
    if is_allowed(rule, actor, obj):
        return
    see_rule = getattr(obj, "see_rule", None)
    if see_rule is not None and not is_allowed(see_rule, actor, obj):
        raise NotFound("not_found", _("There is nothing here."))
    if not actor.is_known or (rule == "signed_in" and actor.user is None):
        raise NotAllowed("sign_in", _("Please sign in first."))
    if rule == "proved_site_admin" and is_allowed("site_admin", actor):
        raise NotAllowed("second_factor", _("These pages ask for a second factor."))
    raise NotAllowed("not_allowed", _("You don't have permission to do this."))


def count_as_asked(rule: str) -> None:
    """Say that a rule was asked: for an answer given again to the same actor, about an object that did not change."""
    asked = _asked.get()
    if asked is not None:
        asked.add(rule)


def watch_checks() -> set[str]:
    """The set that fills with the rules asked from now on in this request."""
    asked: set[str] = set()
    _asked.set(asked)
    return asked
