"""Where staff open and close the door, hang up its poster, and confirm who says to be a player of the list."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.addresses import shared_address
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.entries.selectors.door import door_of, door_token, find_claim
from tournaments.entries.services.door import answer_claim, close_door, open_door
from tournaments.models import Tournament
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event

CLAIM_PAGES = ("manage", "desk")
"""Pages beside the entries that list who waits."""


@event_view("entries.links", fresh=True)
def door_poster(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/door/: the poster, to print or to show; back to the entries where the door is closed."""
    code = door_of(tournament)
    if code is None:
        return redirect("manage_entries", tournament.slug)
    token = door_token(code)
    context = {
        "here": "entries",
        "address": shared_address(request, reverse("door", args=[token])),
        "kiosk": shared_address(request, reverse("kiosk", args=[token])),
    }
    return render_event(request, tournament, "organiser/door_poster.html", context)


@event_view("entries.links", "POST")
def open_event_door(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/door/open/: a new code, in place of any there was; `free_claims` as the form says."""
    free, now = bool(request.POST.get("free_claims")), database_now()
    return run_action(
        request,
        lambda: open_door(request.actor, tournament, now, free_claims=free),
        _("The door is open. Print the poster or show it."),
        reverse("door_poster", args=[tournament.slug]),
    )


@event_view("entries.links", "POST")
def close_event_door(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/door/close/: the code opens nothing any more."""
    done, back = _("The door is closed."), reverse("manage_entries", args=[tournament.slug])
    return run_action(request, lambda: close_door(request.actor, tournament, database_now()), done, back)


@event_view("entries.links", "POST")
def answer_door_claim(request: ActorRequest, tournament: Tournament, claim_id: int) -> HttpResponse:
    """POST …/manage/door/claims/<id>/ (yes or no): the phone takes the entry, or not. NotFound "unknown_claim"."""
    claim = find_claim(tournament, claim_id)
    name, is_they = claim.member.person.name, "yes" in request.POST
    done = (_("Confirmed: %(name)s.") if is_they else _("Declined: %(name)s.")) % {"name": name}
    page = request.POST.get("page", "")
    back = reverse(page if page in CLAIM_PAGES else "manage_entries", args=[tournament.slug])
    now = database_now()
    return run_action(request, lambda: answer_claim(request.actor, claim, now, is_they=is_they), done, back)
