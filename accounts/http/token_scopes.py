"""What an API token may do: as much of what its account may as its owner said, at all events or at one.

The edge asks here before the view runs; the view then asks its rule of the account, as ever.
"""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.http.permissions import scope_for
from accounts.http.requests import ActorRequest
from accounts.models import TokenNote, TokenScope
from rules_engine.errors import NotAllowed

SAFE = ("GET", "HEAD", "OPTIONS")
OWN_TOKEN = "own_token"  # noqa: S105 - the name of a rule: what a token may do with itself


def check_token(request: ActorRequest, view: Callable[..., Any], rule: str, event: str) -> None:
    """Pass without a token, or where the token may ask this of `event`, the slug in the address; NotAllowed otherwise.

    "token_event" outside its event, "token_scope" beyond its scope, "token_on_page" on a page that changes something.
    """
    if request.token_pair is None or rule == OWN_TOKEN:
        return
    note: TokenNote = request.token_pair[1].note
    if note.event and note.event != event:
        raise NotAllowed("token_event", _("This API token is for one event only, and not for this."), event=note.event)
    if request.method in SAFE:
        return
    api_view = getattr(view, "cls", None)
    if api_view is None:
        raise NotAllowed("token_on_page", _("An API token changes nothing on pages. Use the API."))
    needed = TokenScope.READ if getattr(api_view, "stores_nothing", False) else scope_for(rule)
    if _rank(note.scope) < _rank(needed):
        text = _("This API token may not do this: it has the scope “%(has)s” and needs “%(needed)s”.")
        raise NotAllowed("token_scope", text % {"has": note.scope, "needed": needed.value}, needed=needed.value)


def _rank(scope: str) -> int:
    return TokenScope.values.index(scope)
