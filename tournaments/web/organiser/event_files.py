"""The whole event as one file, for its organisers; and an event brought in from a file."""

from collections.abc import Mapping, Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.http.access import is_allowed, page_view
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from tournaments.bundles.scopes import Scope
from tournaments.events.forms.acts import BringForm
from tournaments.events.services.bringing import bring_event
from tournaments.events.services.bringing_recorded import Difference, bring_recorded_event, is_recorded
from tournaments.models import Tournament
from tournaments.web.frame.event_view import event_view
from tournaments.web.shared.event_files import event_file_answer

SHOWN_DIFFERENCES = 10
WHAT: Mapping[str, Promise | str] = {
    "rank": gettext_lazy("rank"), "points": gettext_lazy("points"), "omw": "OMW", "gw": "GW", "ogw": "OGW",
}  # fmt: skip
"""What a line of standings may say differently."""


@event_view("event.settings", fresh=True)
def whole_file(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/event.zip: everything but contact data and lists of cards that are not shown yet."""
    return event_file_answer(tournament, Scope.WHOLE)


@page_view("signed_in", "GET", "POST")
def bring(request: ActorRequest) -> HttpResponse:
    """GET, POST /bring/: a finished event from its public file, once everything in it is checked."""
    is_admin = is_allowed("site_admin", request.actor)
    form = BringForm(request.POST or None, request.FILES or None, is_admin=is_admin)
    if request.method == "POST" and form.is_valid():
        data, key = form.cleaned_data["upload"].read(), form.cleaned_data.get("key", "")
        if is_recorded(data):
            return _bring_recorded(request, form, data)
        brought = call_service(form, lambda: bring_event(request.actor, data, database_now(), key))
        if brought is not None:
            messages.success(request, _("“%(name)s” is checked and can be read here.") % {"name": brought.name})
            return redirect("event", brought.slug)
    return render(request, "organiser/bring.html", {"form": form})


def _bring_recorded(request: ActorRequest, form: BringForm, data: bytes) -> HttpResponse:
    """A record of another program, played again: says where its standings differ from those computed here."""
    recorded = call_service(form, lambda: bring_recorded_event(request.actor, data, database_now()))
    if recorded is None:
        return render(request, "organiser/bring.html", {"form": form})
    name = recorded.tournament.name
    messages.success(request, _("“%(name)s” is played again from its file and finished.") % {"name": name})
    if recorded.left_out_words:
        messages.warning(request, recorded.left_out_words)
    if recorded.differences:
        messages.warning(request, _difference_words(recorded.differences))
    return redirect("event", recorded.tournament.slug)


def _difference_words(differences: Sequence[Difference]) -> str:
    """How many values differ, and the first of them."""
    line = _("%(player)s, %(what)s %(ours)s, in the file %(theirs)s")
    said = [
        line % {"player": each.player, "what": WHAT[each.what], "ours": each.ours, "theirs": each.theirs}
        for each in differences[:SHOWN_DIFFERENCES]
    ]
    text = ngettext(
        "%(count)d value of the standings differs from the file: %(lines)s",
        "%(count)d values of the standings differ from the file: %(lines)s",
        len(differences),
    )
    more = " …" if len(differences) > SHOWN_DIFFERENCES else ""
    return text % {"count": len(differences), "lines": "; ".join(said) + more}
