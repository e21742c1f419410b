"""The table that a stream shows: who plays, how it stands, and where they are in the event.

Everything here is public at that moment, whoever asks: no round before it is published, no report before it is
accepted, and nothing of decks. See docs/how-it-works/trust.md#d5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.actors import ANONYMOUS
from tournaments.core.rounds import newest_shown_round, with_all
from tournaments.models import Match, Round, Tournament
from tournaments.room.selectors.clocks import Clock, clock_of
from tournaments.standings.selectors.standings import StandingRow, standing_rows
from tournaments.structure.selectors.overview import BRACKETS, ShownBracket, shown_bracket, shown_stages

MAX_DELAY_SECONDS = 900
MAX_TABLE = 9999


@dataclass(frozen=True, slots=True)
class Feature:
    """The feature table at an instant; `standings` has a line for each of its seats that is ranked, in seat order.

    `show_at` is when a stream that is `delay` seconds behind may show it. There is no `round` before the first one is
    published, and no `match` at a table where nobody plays.
    """

    as_of: datetime
    delay: int
    round: Round | None
    match: Match | None
    standings: Sequence[StandingRow]
    clock: Clock | None
    bracket: ShownBracket | None

    @property
    def show_at(self) -> datetime:
        return self.as_of + timedelta(seconds=self.delay)


def feature_of(tournament: Tournament, table: int | None, delay: int, now: datetime) -> Feature:
    """What a stream shows of a table, the first one by default, in a constant number of queries."""
    round_ = newest_shown_round(tournament)
    match = _match_at(round_, table) if round_ else None
    return Feature(
        now, delay, round_, match,
        _lines(tournament, match) if match else (),
        clock_of(tournament, now, match),
        public_bracket(tournament),
    )  # fmt: skip


def public_bracket(tournament: Tournament) -> ShownBracket | None:
    """The newest bracket that everybody may see."""
    stages = shown_stages(ANONYMOUS, tournament, BRACKETS)
    return shown_bracket(stages[-1]) if stages else None


def _match_at(round_: Round, table: int | None) -> Match | None:
    at_tables = round_.matches.filter(table_number__isnull=False)
    return with_all(at_tables if table is None else at_tables.filter(table_number=table)).first()


def _lines(tournament: Tournament, match: Match) -> list[StandingRow]:
    by_entry = {row.entry.pk: row for row in standing_rows(tournament)}
    seats = sorted(match.seats.all(), key=lambda seat: seat.order)
    return [by_entry[seat.entry_id] for seat in seats if seat.entry_id in by_entry]
