"""The page behind the code at the door: name, place, check-in, personal link; on a phone or on a tablet for all.

The tablet keeps nothing of anybody: no session is touched there, and a link is shown in the one answer that makes it.
"""

from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.throttling import AnonRateThrottle

from accounts.actors import ANONYMOUS
from accounts.http.access import page_view
from accounts.http.addresses import shared_address
from accounts.http.link_throttle import count_miss
from accounts.http.middleware import LINK_IN_SESSION
from accounts.http.requests import ActorRequest, own_person
from accounts.http.service_errors import call_service
from accounts.identity.selectors import actor_of_link
from accounts.identity.services import find_personal_link
from accounts.models import Person
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from rules_engine.errors import DomainError, NotFound, TooMany, needed
from tournaments.decks.selectors.decks import checks_decks
from tournaments.entries.forms import DoorForm
from tournaments.entries.selectors.door import (
    claim_of_token,
    claim_token,
    code_of_token,
    door_token,
    is_free,
    is_open,
    members_meant,
)
from tournaments.entries.selectors.entries import active_entries, waits_for_check_in
from tournaments.entries.services.door import (
    CameIn,
    check_in_at_door,
    claim_entry,
    enter_by_door,
    take_claim,
    unknown_door,
)
from tournaments.models import DoorCode, Entry, EntryMember
from tournaments.permissions import is_in_scope, member_of

MAX_MEANT = 5


class DoorThrottle(AnonRateThrottle):
    """How often one address may send its name: a hall behind one router, not a program."""

    rate = "300/hour"
    scope = "door"


@page_view("public", "GET", "POST", fresh=True)
def door(request: ActorRequest, token: str, *, is_kiosk: bool) -> HttpResponse:
    """GET, POST /d/<code>/ and …/kiosk/: enter oneself by name, or say who of the list one is.

    NotFound "unknown_door"; TooMany "too_many".
    """
    code, now = _code_of(request, token), database_now()
    member = None if is_kiosk else member_of(request.actor, code.tournament)
    if member is not None:
        if request.method == "POST":
            check_in_at_door(request.actor, member.entry, now)
            return redirect("door", token)
        more = {"token": token, "can_check_in": waits_for_check_in(member.entry)}
        return _show(request, code, "player/door_inside.html", {**more, **_entry_context(member.entry, member)})
    known, tournament = _known(request, code, is_kiosk=is_kiosk), code.tournament
    context: dict[str, Any] = {"token": token, "is_kiosk": is_kiosk, "known": known, "form": DoorForm()}
    context["is_full"] = tournament.capacity is not None and active_entries(tournament).count() >= tournament.capacity
    if request.method == "POST":
        _count(request)
        form = DoorForm({**request.POST.dict(), "name": known.name} if known else request.POST)
        answer = _enter(request, code, form, context) if form.is_valid() else None
        if answer is not None:
            return answer
        context["form"] = form
    return _show(request, code, "player/door.html", context)


def _enter(request: ActorRequest, code: DoorCode, form: DoorForm, context: dict[str, Any]) -> HttpResponse | None:
    """What a name leads to; None where the form has an error."""
    name, who, now = form.cleaned_data["name"], form.cleaned_data["who"], database_now()
    meant = members_meant(code.tournament, name)
    claimed = next((each for each in meant if str(each.pk) == who), None)
    is_kiosk, actor = context["is_kiosk"], ANONYMOUS if context["is_kiosk"] else request.actor
    if claimed is not None:
        claim = call_service(form, lambda: claim_entry(actor, code, claimed, now))
        if claim is None:
            return None
        route = "kiosk_claim" if is_kiosk else "door_claim"
        return redirect(route, context["token"], claim_token(claim))
    if meant and who != DoorForm.NEW:
        shown = {"form": form, "meant": meant[:MAX_MEANT], "more": len(meant[MAX_MEANT:])}
        return _show(request, code, "player/door_names.html", {**context, **shown})
    person = own_person(request, now) if context["known"] else None
    came = call_service(form, lambda: enter_by_door(actor, code, name, now, person=person), {"bad_name": "name"})
    return None if came is None else _welcome(request, code, came, is_kiosk=is_kiosk)


@page_view("public", "GET", "POST", fresh=True)
def claim(request: ActorRequest, token: str, claim: str, *, is_kiosk: bool) -> HttpResponse:
    """GET, POST /d/<code>/claim/<claim>/: wait for the staff, then get the link. NotFound "unknown_door"."""
    code, now = _code_of(request, token), database_now()
    found = needed(claim_of_token(code, claim), unknown_door())
    context: dict[str, Any] = {"token": token, "is_kiosk": is_kiosk, "claim": found, "state": "over"}
    if is_open(found, now):
        is_confirmed = found.confirmed_by or is_free(code, found.member)
        context["state"] = "confirmed" if is_confirmed else "waiting"
    elif found.declined_at is not None:
        context["state"] = "declined"
    if request.method == "POST":
        actor = ANONYMOUS if is_kiosk else request.actor
        try:
            return _welcome(request, code, take_claim(actor, found, now), is_kiosk=is_kiosk)
        except NotFound:
            raise
        except DomainError as error:
            context["error"] = error.message
    return _show(request, code, "player/door_claim.html", context)


def _welcome(request: ActorRequest, code: DoorCode, came: CameIn, *, is_kiosk: bool) -> HttpResponse:
    """The one answer that shows a new link; a phone keeps it in its session, unless a person is signed in there."""
    address = reverse("personal_link", args=[came.token]) if came.token else ""
    if not is_kiosk and request.user.is_authenticated:
        return shown_once(redirect(address or reverse("door", args=[door_token(code)])))
    if not is_kiosk and came.token:
        link = find_personal_link(came.token, database_now())
        request.session.cycle_key()
        request.session[LINK_IN_SESSION] = link.pk
        request.actor = actor_of_link(link, request.actor.device)
    context = {
        **_entry_context(came.entry),
        "address": shared_address(request, address),
        "is_kiosk": is_kiosk,
        "token": door_token(code),
    }
    return shown_once(_show(request, code, "player/door_inside.html", context))


def _entry_context(entry: Entry, member: EntryMember | None = None) -> dict[str, Any]:
    tournament = entry.tournament
    own = entry.members.all() if member is None else entry.members.filter(pk=member.pk)
    has_deck = own.filter(deck_version__isnull=False).exists()
    return {"entry": entry, "checks_decks": checks_decks(tournament), "needs_deck": not has_deck}


def _show(request: ActorRequest, code: DoorCode, template: str, context: dict[str, Any]) -> HttpResponse:
    with timezone.override(ZoneInfo(code.tournament.time_zone)):
        return render(request, template, {"event": code.tournament, **context})


def _code_of(request: ActorRequest, token: str) -> DoorCode:
    code = code_of_token(token)
    if code is None:
        count_miss(request)
        raise unknown_door()
    return code


def _known(request: ActorRequest, code: DoorCode, *, is_kiosk: bool) -> Person | None:
    """Who enters as themselves, without typing a name: by account, or by a link that holds here."""
    if is_kiosk or not request.actor.is_known or not is_in_scope(request.actor, code.tournament):
        return None
    return own_person(request, database_now())


def _count(request: ActorRequest) -> None:
    if not DoorThrottle().allow_request(request, None):  # type: ignore[arg-type]
        raise TooMany("too_many", _("Too many tries. Try again in a few minutes."))
