"""The button that undoes an act: offered on every page of the event for ten minutes to whoever did it."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.events.services.undoing import undo_act
from tournaments.models import Tournament
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view


@event_view("event.see", "POST")
def undo(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/undo/ with `act`, a number in the event's log, and `back`, the page to return to."""
    number, now, back = posted_number(request, "act") or 0, database_now(), request.POST.get("back", "")
    if not back.startswith("/") or not url_has_allowed_host_and_scheme(back, None):
        back = reverse("event", args=[tournament.slug])
    return run_action(request, lambda: undo_act(request.actor, tournament, number, now), _("Undone."), back)
