"""The page that marks an event as moved to another site, and takes that back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from tournaments.core.forms import ReasonForm
from tournaments.events.forms.acts import MoveForm
from tournaments.events.services.moving import mark_as_moved, take_back_move
from tournaments.models import Tournament
from tournaments.web.frame.event_view import event_view, render_event


@event_view("event.settings", "GET", "POST")
def move_event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/manage/move/: say that the event goes on at another site; from then on it is read here."""
    form, now = MoveForm(request.POST or None), database_now()
    if request.method == "POST" and form.is_valid():
        place, address = form.cleaned_data["to"], form.cleaned_data["url"]
        if call_service(form, lambda: mark_as_moved(request.actor, tournament, place, address, now)):
            messages.success(request, _("The event is marked as moved. Nobody can change it here."))
            return redirect("manage", tournament.slug)
    return _show(request, tournament, form, ReasonForm())


@event_view("event.settings", "POST")
def take_back(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/move/take-back/: the event goes on here after all, with a reason."""
    form, now = ReasonForm(request.POST), database_now()
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        if call_service(form, lambda: take_back_move(request.actor, tournament, reason, now)):
            messages.success(request, _("The event goes on here, as it was left."))
            return redirect("manage", tournament.slug)
    return _show(request, tournament, MoveForm(), form)


def _show(request: ActorRequest, tournament: Tournament, form: MoveForm, reason: ReasonForm) -> HttpResponse:
    context = {"here": "settings", "form": form, "reason_form": reason}
    return render_event(request, tournament, "organiser/move.html", context)
