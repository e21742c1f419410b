"""Where a person sits at an event: their place, their match, and those of earlier rounds without a result."""

from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from rules_engine.errors import NotAllowed, needed
from tournaments.core.rounds import own_missing_matches
from tournaments.models import Entry, EntryMember, Match, Round, Tournament
from tournaments.permissions import member_of
from tournaments.web.shared.kept_lines import own_match_again
from tournaments.web.shared.match_reporting import SeatReporting
from tournaments.web.shared.match_rows import published_rounds, seats_of


def own_member(request: ActorRequest, tournament: Tournament) -> EntryMember:
    """The viewer's own place at an event; NotAllowed "no_player" for who has none."""
    member = needed(member_of(request.actor, tournament), NotAllowed("no_player", _("You do not play in this event.")))
    member.tournament = member.entry.tournament = tournament
    return member


def table_of(request: ActorRequest, tournament: Tournament, entry: Entry) -> SeatReporting | None:
    """Where an entry sits in the latest published round; None without a seat there."""
    rounds = published_rounds(tournament)
    match = own_match_again(tournament, rounds[-1], entry.pk) if rounds else None
    return _at(request, tournament, match, entry) if match else None


def earlier_tables(
    request: ActorRequest, tournament: Tournament, entry: Entry, now: SeatReporting | None
) -> list[SeatReporting]:
    """Where an entry sat before the round of `now` and still has no result, as after a round was paired without it."""
    if tournament.state != Tournament.State.RUNNING:
        return []
    if not any(each.state == Round.State.PUBLISHED for each in published_rounds(tournament)[:-1]):
        return []
    missing = own_missing_matches(tournament, entry.pk)
    if now is not None:
        missing = missing.exclude(round=now.match.round)
    else:
        missing = missing.exclude(round__in=published_rounds(tournament)[-1:])
    return [_at(request, tournament, match, entry) for match in missing]


def _at(request: ActorRequest, tournament: Tournament, match: Match, entry: Entry) -> SeatReporting:
    match.round.stage.tournament = tournament
    place = next(index for index, seat in enumerate(seats_of(match)) if seat.entry_id == entry.pk)
    return SeatReporting(request, tournament, match, place)
