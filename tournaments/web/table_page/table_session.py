"""From the code on a table to a session of the same scope: looked up at each request, so dead at once."""

import secrets
from collections.abc import Callable
from typing import cast

from django.http import HttpRequest, HttpResponse

from accounts.actors import Actor
from accounts.http.requests import ActorRequest
from accounts.identity.devices import device_of
from tournaments.core.actors import actor_of_code
from tournaments.models import TableCode
from tournaments.table_access.selectors import live_codes

CODE_IN_SESSION = "table_code_id"
PHONE_IN_SESSION = "table_phone"
PHONE_BYTES = 6


class TableRequest(ActorRequest):
    """A request after TableCodeMiddleware; pages of a table keep in `known_actor` who acts without its code."""

    table_actor: Actor | None
    known_actor: Actor


class TableCodeMiddleware:
    """Sets `request.table_actor`: who acts by the code of a table that this browser opened, None without a live one.

    A visitor whom nobody knows otherwise is `request.actor` by it too; whoever is a person stays so
    (docs/how-it-works/trust.md#t).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = cast(TableRequest, request)
        asked.table_actor = _table_actor(request)
        if asked.table_actor is not None and asked.actor.via == "anonymous":
            asked.actor = asked.table_actor
        return self.get_response(request)


def keep_code(request: HttpRequest, code: TableCode) -> None:
    """Have the browser's session act by a code from now on."""
    request.session.cycle_key()
    request.session[CODE_IN_SESSION] = code.pk
    request.session.setdefault(PHONE_IN_SESSION, secrets.token_hex(PHONE_BYTES))


def _table_actor(request: HttpRequest) -> Actor | None:
    code_id = request.session.get(CODE_IN_SESSION)
    code = live_codes().filter(pk=code_id).first() if code_id is not None else None
    return actor_of_code(code, request.session[PHONE_IN_SESSION], device_of(request)) if code else None
