"""Teams on pages: the link by which mates join a team, and the page it leads to."""

from django.contrib import messages
from django.core import signing
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http.addresses import shared_address
from accounts.http.requests import ActorRequest, own_person
from journal.clock import database_now
from rules_engine.errors import NotFound
from tournaments.core.service_errors import call_service
from tournaments.entries.selectors.entries import plays_in_teams
from tournaments.entries.services.entries import join_team
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.permissions import member_of
from tournaments.web.frame.event_view import event_view, render_event

SALT = "tournaments.join_team"


def team_address(request: HttpRequest, tournament: Tournament, member: EntryMember | None) -> str:
    """The address by which mates join the viewer's team while registration is open; "" where nobody can."""
    if member is None or not plays_in_teams(tournament) or tournament.state != Tournament.State.REGISTRATION:
        return ""
    token = signing.dumps(member.entry_id, salt=SALT)
    return shared_address(request, reverse("join_team", args=[tournament.slug, token]))


@event_view("entries.sign_up")
@never_cache
@require_http_methods(["GET", "POST"])
def join(request: ActorRequest, tournament: Tournament, token: str) -> HttpResponse:
    """GET, POST …/join/<token>/: look at a team and join it. NotFound "unknown_team" for a token of nobody's."""
    entry, form = _team_of(tournament, token), Form(request.POST if request.method == "POST" else None)
    if form.is_valid():
        now = database_now()
        joined = call_service(form, lambda: join_team(request.actor, entry, own_person(request, now), now))
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


def _team_of(tournament: Tournament, token: str) -> Entry:
    try:
        number = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        number = None
    entry = tournament.entries.filter(pk=number).first()
    if entry is None:
        raise NotFound("unknown_team", _("This team link isn't valid any more. Ask a team-mate for a new one."))
    return entry
