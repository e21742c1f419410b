"""The whole event as one file, for its organisers; and an event brought in from a file."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http.access import access, is_allowed
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.bundles.scopes import Scope
from tournaments.core.service_errors import call_service
from tournaments.events.forms.bringing import BringForm
from tournaments.events.services.bringing import bring_event
from tournaments.models import Tournament
from tournaments.web.frame.event_view import event_view
from tournaments.web.shared.event_files import event_file_answer


@event_view("event.settings")
@never_cache
@require_safe
def whole_file(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/event.zip: everything but contact data and lists of cards that are not shown yet."""
    return event_file_answer(tournament, Scope.WHOLE)


@access("signed_in")
@require_http_methods(["GET", "POST"])
def bring(request: ActorRequest) -> HttpResponse:
    """GET, POST /bring/: a finished event from its public file, once everything in it is checked."""
    is_admin = is_allowed("site_admin", request.actor)
    form = BringForm(request.POST or None, request.FILES or None, is_admin=is_admin)
    if request.method == "POST" and form.is_valid():
        data, key = form.cleaned_data["upload"].read(), form.cleaned_data.get("key", "")
        brought = call_service(form, lambda: bring_event(request.actor, data, database_now(), key))
        if brought is not None:
            messages.success(request, _("“%(name)s” is checked and can be read here.") % {"name": brought.name})
            return redirect("event", brought.slug)
    return render(request, "organiser/bring.html", {"form": form})
