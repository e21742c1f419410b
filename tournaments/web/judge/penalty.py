"""A penalty by few taps: what it is and what it is for in one, then give."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from rules_engine.errors import NotFound
from tournaments.models import Tournament
from tournaments.penalties.services import give_penalty
from tournaments.room.forms import QuickPenaltyForm
from tournaments.web.frame.event_view import event_view
from tournaments.web.judge.floor import render_floor
from tournaments.web.shared.lookups import find_match, floor_match_url
from tournaments.web.shared.match_rows import Names, line_of, seats_of


@event_view("penalty.give", "GET", "POST", fresh=True)
def floor_penalty(request: ActorRequest, tournament: Tournament, match_id: int, number: int) -> HttpResponse:
    """GET, POST …/floor/table/<match id>/penalty/<number>/?choice=…: for who sits there, with a choice made already.

    A disqualification has its own page.
    """
    line = line_of(find_match(tournament, match_id), Names(tournament))
    seated = zip(seats_of(line.match), line.names, strict=True)
    seat, name = next(((seat, name) for seat, name in seated if seat.entry.number == number), (None, ""))
    if seat is None:
        raise NotFound("unknown_entry", _("Nobody with this number sits at this table."))
    fresh = {"version": line.match.version, "choice": request.GET.get("choice")}
    form = QuickPenaltyForm(request.POST if request.method == "POST" else None, initial=fresh)
    if form.is_bound and form.is_valid():
        version, entry = form.cleaned_data["version"], seat.entry
        given = call_service(
            form,
            lambda: give_penalty(
                request.actor, entry, form.kind, form.infraction, database_now(), match=line.match, version=version
            ),
            {"match_changed": "", "infraction_needed": "other"},
        )
        if given is not None:
            said = {"name": name, "kind": given.get_kind_display(), "infraction": given.infraction}
            messages.success(request, _("%(name)s: %(kind)s for “%(infraction)s” saved.") % said)
            return redirect(floor_match_url(tournament, line.match))
        line.match.refresh_from_db(fields=["version"])
    context = {
        "here": "floor",
        "line": line,
        "number": number,
        "name": name,
        "form": form,
        "version": line.match.version,
    }
    return render_floor(request, tournament, "judge/penalty.html", context)
