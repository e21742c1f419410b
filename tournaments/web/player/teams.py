"""Teams on pages: the link by which mates join a team, and the page it leads to."""

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.addresses import shared_address
from accounts.http.requests import ActorRequest, own_person
from accounts.http.service_errors import call_service
from journal.clock import database_now
from tournaments.entries.selectors.teams import team_of_token, team_token
from tournaments.entries.services.members import join_team
from tournaments.models import EntryMember, Tournament
from tournaments.permissions import member_of
from tournaments.web.frame.event_view import event_view, render_event


def team_address(request: HttpRequest, tournament: Tournament, member: EntryMember | None) -> str:
    """The address by which mates join the viewer's team while registration is open; "" where nobody can."""
    token = team_token(tournament, member)
    return shared_address(request, reverse("join_team", args=[tournament.slug, token])) if token else ""


@event_view("entries.sign_up", "GET", "POST", fresh=True)
def join(request: ActorRequest, tournament: Tournament, token: str) -> HttpResponse:
    """GET, POST …/join/<token>/: look at a team and join it. NotFound "unknown_team" for a token of nobody's."""
    entry, form = team_of_token(tournament, token), Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        now = database_now()
        joined = call_service(form, lambda: join_team(request.actor, tournament, token, own_person(request, now), now))
        if joined is not None:
            messages.success(request, _("You play for %(team)s.") % {"team": entry.name})
            return redirect("event", tournament.slug)
    context = {
        "here": "register",
        "team": entry,
        "mates": [member.person.name for member in entry.members.select_related("person")],
        "form": form,
        "member": member_of(request.actor, tournament),
    }
    return render_event(request, tournament, "player/join_team.html", context)
