"""Where somebody sits at an event: the own place, the own match, and what was reported for it from here and there."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from rules_engine.errors import NotAllowed
from tournaments.core.rounds import own_match, own_missing_matches
from tournaments.models import Entry, EntryMember, Match, ResultReport, Round, Seat, Tournament
from tournaments.permissions import member_of
from tournaments.results.selectors import match_takes_places, pending_of
from tournaments.web.shared.match_rows import published_rounds, seats_of


def own_member(request: ActorRequest, tournament: Tournament) -> EntryMember:
    """The viewer's own place at an event; NotAllowed "no_player" for who has none."""
    member = member_of(request.actor, tournament)
    if member is None:
        raise NotAllowed("no_player", _("You do not play in this event."))
    return member


@dataclass(frozen=True, slots=True)
class Table:
    """The own match: which seat is mine (`place` in seat order), who else sits there; `other` where it is one alone."""

    match: Match
    seat: Seat
    place: int
    others: tuple[Seat, ...]

    @property
    def other(self) -> Seat | None:
        """Who sits opposite, in a match of two."""
        return self.others[0] if len(self.others) == 1 else None

    @property
    def is_table(self) -> bool:
        """Whether places, and scores where the standings count them, tell how it ended."""
        return match_takes_places(self.match)

    @property
    def theirs(self) -> list[ResultReport]:
        """What others at the table reported and nobody agreed to yet."""
        return [report for report in pending_of(self.match) if report.by_seat_id != self.seat.pk]

    @property
    def own(self) -> list[ResultReport]:
        """The same from the own seat."""
        return [report for report in pending_of(self.match) if report.by_seat_id == self.seat.pk]

    @property
    def newest(self) -> int:
        """The number of the newest report of the match, 0 before the first: what a page has seen."""
        return max((report.number for report in self.match.reports.all()), default=0)

    @property
    def can_report(self) -> bool:
        """Whether somebody else sits there too in a round that is being played."""
        return (
            bool(self.others)
            and self.match.kind == Match.Kind.PLAYED
            and self.match.round.state == Round.State.PUBLISHED
        )


def table_of(tournament: Tournament, entry: Entry) -> Table | None:
    """Where an entry sits in the latest published round; None without a seat there."""
    rounds = published_rounds(tournament)
    match = own_match(rounds[-1], entry.pk) if rounds else None
    return _table_at(match, entry) if match else None


def earlier_tables(tournament: Tournament, entry: Entry) -> list[Table]:
    """Where an entry sat in earlier rounds and still has no result, as after a round was paired without it."""
    if tournament.state != Tournament.State.RUNNING:
        return []
    rounds, missing = published_rounds(tournament), own_missing_matches(tournament, entry.pk)
    return [_table_at(match, entry) for match in missing if match.round != rounds[-1]]


def _table_at(match: Match, entry: Entry) -> Table:
    seats = seats_of(match)
    place = next(index for index, seat in enumerate(seats) if seat.entry_id == entry.pk)
    return Table(match, seats[place], place, tuple(seat for seat in seats if seat.entry_id != entry.pk))
