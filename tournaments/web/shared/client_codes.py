"""The page of a match for game clients: a code by which one sends a result, and the replays that came with results."""

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts.http.access import check_access, is_allowed
from accounts.http.downloads import file_response
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from rules_engine.errors import DomainError, NotAllowed, NotFound
from tournaments.models import ClientCode, Round, Tournament
from tournaments.results.client_codes import readable_replays
from tournaments.results.services.client_codes import create_client_code
from tournaments.sheets.selectors.sheets import uses_sheets
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.match_rows import Names, line_of
from tournaments.web.shared.sheet_frames import Place, place_at


@event_view("sheet.see", "GET", "HEAD", "POST", fresh=True)
def match_client(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """GET, POST …/match/<id>/client/: replays of a match; by POST a new code for a game client, shown this once."""
    place = place_at(request, tournament, match_id)
    if request.method != "POST":
        return _show(request, place)
    check_access("result.report", request.actor, tournament)
    try:
        code = create_client_code(request.actor, place.match, database_now(), seat=place.seat)
    except (NotAllowed, NotFound):
        raise
    except DomainError as error:
        return _show(request, place, fault=error.message, status=422)
    return shown_once(_show(request, place, code))


def _show(
    request: ActorRequest, place: Place, code: ClientCode | None = None, *, fault: str = "", status: int = 200
) -> HttpResponse:
    is_open = place.runs and not place.counts and place.match.round.state == Round.State.PUBLISHED
    context = {
        "here": "desk" if place.is_staff else "my",
        "line": line_of(place.match, Names(place.tournament)),
        "place": place,
        "code": code,
        "fault": fault,
        "may_create": is_open
        and not uses_sheets(place.tournament)
        and is_allowed("result.report", request.actor, place.tournament),
        "replays": _readable(request, place),
    }
    return render_event(request, place.tournament, "shared/match_client.html", context, status=status)


@event_view("sheet.see", fresh=True)
def client_replay(request: ActorRequest, tournament: Tournament, match_id: int, replay_id: int) -> HttpResponse:
    """GET …/match/<id>/client/replays/<id>/: a replay as a file; NotFound "unknown_replay"."""
    found = _readable(request, place_at(request, tournament, match_id)).filter(pk=replay_id).first()
    if found is None:
        raise NotFound("unknown_replay", _("This match has no such replay."))
    return file_response(bytes(found.replay), "application/octet-stream", found.replay_name)


def _readable(request: ActorRequest, place: Place) -> QuerySet[ClientCode]:
    return readable_replays(request.actor, place.match, place.seat, database_now())
