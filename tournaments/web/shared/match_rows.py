"""Matches and reports put in words for pages: who sits where, what was reported, how far the match is."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from scoring.standings.records import Outcome
from scoring.standings.results import MatchResult, ResultKind
from tournaments.core.first_players import first_place
from tournaments.core.names import name_key
from tournaments.core.place_words import place_words
from tournaments.core.rounds import matches_of, shown_rounds
from tournaments.entries.selectors.entries import members_by_entry, shared_names
from tournaments.models import Entry, Match, ResultReport, Round, Seat, Tournament
from tournaments.results.forms.scores import Score
from tournaments.results.selectors import accepted_report_of, takes_places

Kind = ResultReport.Kind
UNPLAYED = (Kind.NO_SHOW, Kind.DOUBLE_LOSS, Kind.BYE)


class Names:
    """Calls an entry by name, and by number too where several bear that name; a team with its members."""

    def __init__(self, tournament: Tournament) -> None:
        """Asks which names are shared, and for the members of teams."""
        self._shared = shared_names(tournament)
        self._members = members_by_entry(tournament)
        self.counts_scores, self._best_of = tournament.counts_scores, tournament.best_of
        self._tournament = tournament

    def __call__(self, entry: Entry) -> str:
        members = self.members(entry)
        return f"{self.without_members(entry)} ({members})" if members else self.without_members(entry)

    def without_members(self, entry: Entry) -> str:
        """The name alone, for where the members stand beside it."""
        return f"{entry.name} #{entry.number}" if entry.name.casefold() in self._shared else entry.name

    def members(self, entry: Entry) -> str:
        """The members of a team; "" where no teams play."""
        return ", ".join(self._members.get(entry.pk, ()))

    def first(self, match: Match) -> int | None:
        """The place in seat order that goes first in the first game; None where the rules leave it open."""
        return first_place(self._tournament, match, len(match.seats.all()))

    def takes_places(self, match: Match) -> bool:
        """What `takes_places` says, without loading the event once for each match of a list."""
        stage = match.round.stage
        best_of = self._best_of if stage.best_of is None else stage.best_of
        return takes_places(len(match.seats.all()), best_of, counts_scores=self.counts_scores)


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as one line of a list; `score` and `words` are empty while nothing counts. Seats are in seat order."""

    match: Match
    names: tuple[str, ...]
    short_names: tuple[str, ...]
    """The names without the members of teams."""
    entries: tuple[int, ...]
    score: str
    words: str
    is_table: bool = False
    """Whether places, and scores where the standings count them, tell how it ended."""
    counts_scores: bool = False
    first: int | None = None
    """The place that goes first in the first game; None where the rules leave it open."""

    @property
    def table(self) -> int | None:
        """The table's number; none for a bye."""
        return self.match.table_number

    @property
    def players(self) -> list[tuple[int, str]]:
        """Number and name of each entry."""
        return [(seat.entry.number, name) for seat, name in zip(seats_of(self.match), self.names, strict=True)]

    @property
    def winners(self) -> list[int]:
        """The places that won; none while nothing counts, several where a win is shared."""
        standing = accepted_report_of(self.match)
        outcomes = [] if standing is None else outcomes_of(standing)
        return [place for place, outcome in enumerate(outcomes) if outcome == Outcome.WIN]

    @property
    def is_bye(self) -> bool:
        """Whether nobody sits opposite."""
        return len(self.names) == 1

    def has(self, words: str) -> bool:
        """Whether a name of the line contains what was looked for."""
        return any(words.casefold() in name.casefold() for name in self.names)


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A match as seen by one of its players, for lists by name."""

    name: str
    entry: int
    opponent: str
    score: str
    line: MatchRow

    @property
    def number(self) -> int:
        return self.line.players[self.line.entries.index(self.entry)][0]

    @property
    def others(self) -> list[tuple[int, str]]:
        """Number and name of everybody else at the table."""
        place = self.line.entries.index(self.entry)
        return [player for other, player in enumerate(self.line.players) if other != place]


def published_rounds(tournament: Tournament) -> list[Round]:
    """The rounds that everybody may see, first to last."""
    return list(shown_rounds(tournament))


def lines_of(round_: Round, names: Names, matches: Collection[int] | None = None) -> list[MatchRow]:
    """The matches of a round, or those of some ids, by table, byes last; as many queries as `matches_of`."""
    found = matches_of(round_, matches, but=["explanation"])  # long, and no list tells it: loaded by who reads it
    return in_order(line_of(match, names) for match in found)


def in_order(lines: Iterable[MatchRow]) -> list[MatchRow]:
    """Lines by table, byes last."""
    return sorted(lines, key=lambda line: (line.table is None, line.table or 0, line.names))


def line_of(match: Match, names: Names) -> MatchRow:
    """One match, loaded as `matches_of` does."""
    seats = seats_of(match)
    called = tuple(names(seat.entry) for seat in seats)
    standing = accepted_report_of(match)
    score, words = ("", "") if standing is None else (score_text(standing), describe_report(standing, called))
    entries = tuple(seat.entry_id for seat in seats)
    is_table, first = names.takes_places(match), names.first(match)
    short = tuple(names.without_members(seat.entry) for seat in seats)
    return MatchRow(match, called, short, entries, score, words, is_table, names.counts_scores, first)


def player_lines(lines: Iterable[MatchRow]) -> list[PlayerLine]:
    """Each player of the lines with the match seen from there, by name."""
    found = [_player_line(line, place) for line in lines for place in range(len(line.names))]
    return sorted(found, key=lambda line: name_key(line.name))


def _player_line(line: MatchRow, place: int) -> PlayerLine:
    others = [name for other, name in enumerate(line.names) if other != place]
    standing = accepted_report_of(line.match)
    return PlayerLine(
        line.names[place],
        line.entries[place],
        " · ".join(others),
        score_text(standing, place) if standing else "",
        line,
    )


def seats_of(match: Match) -> list[Seat]:
    """The seats in order, from what was loaded."""
    return sorted(match.seats.all(), key=lambda seat: seat.order)


def score_seen(report: ResultReport, place: int = 0) -> Score:
    """The games of a report of two seats, seen from the seat at `place`."""
    won = [row.games_won for row in report.seat_results.all()]
    others = sum(games for other, games in enumerate(won) if other != place)
    return Score(won[place], others + (report.games_lost if len(won) == 1 else 0), report.games_drawn)


def placings_of(report: ResultReport) -> list[int]:
    """Everybody's place at a table of several players, in seat order; none elsewhere."""
    return [row.placing for row in report.seat_results.all() if row.placing is not None]


def absent_of(report: ResultReport) -> tuple[int, ...]:
    """The seats of a table of several players that stayed empty: they share its last place."""
    places = placings_of(report)
    is_short = report.kind == Kind.NO_SHOW
    return tuple(seat for seat, placing in enumerate(places) if is_short and placing == max(places))


def score_text(report: ResultReport, place: int | None = None) -> str:
    """The games as written, seen from the seat at `place` (the first by default); a word where none was played.

    At a table of several players the place there, of everybody by default.
    """
    if report.kind in (Kind.PLAYED, Kind.NO_SHOW) and (placings := placings_of(report)):
        rows = list(report.seat_results.all())
        return " · ".join(map(str, placings)) if place is None else _place_text(rows[place].placing, rows[place].score)
    if report.kind in UNPLAYED or report.kind == Kind.INTENTIONAL_DRAW:
        return {
            Kind.BYE: _("bye"), Kind.NO_SHOW: _("no-show"), Kind.DOUBLE_LOSS: _("both lose"),
            Kind.INTENTIONAL_DRAW: _("draw"),
        }[Kind(report.kind)]  # fmt: skip
    return score_seen(report, place or 0).text


def _place_text(placing: int | None, score: Decimal | Fraction | None) -> str:
    """A place at a table of several, with the score where there is one."""
    text = "–" if placing is None else place_words(placing)
    return text if score is None else f"{text} ({number_format(f'{float(score):.6f}'.rstrip('0').rstrip('.'))})"


def outcomes_of(report: ResultReport) -> list[str]:
    """How it ended for each seat, in seat order."""
    return [row.outcome for row in report.seat_results.all()]


def describe_report(report: ResultReport, names: Sequence[str]) -> str:
    """A report as a sentence about its players."""
    outcomes = outcomes_of(report)
    if report.kind == Kind.BYE:
        return _("%(name)s has a bye") % {"name": names[0]}
    if report.kind == Kind.DOUBLE_LOSS:
        return _("loss for both")
    if report.kind in (Kind.PLAYED, Kind.NO_SHOW) and (placings := placings_of(report)):
        return _describe_table(report, names, placings)
    if report.kind == Kind.NO_SHOW:
        absent = [name for name, outcome in zip(names, outcomes, strict=True) if outcome == Outcome.LOSS]
        return _("no-show: %(names)s") % {"names": " · ".join(absent)}
    if report.kind == Kind.INTENTIONAL_DRAW:
        return _("intentional draw")
    if Outcome.WIN not in outcomes:
        return _("draw")
    return _("%(name)s wins") % {"name": names[outcomes.index(Outcome.WIN)]}


def _describe_table(report: ResultReport, names: Sequence[str], placings: Sequence[int]) -> str:
    """Who won a table of several players, and who did not come."""
    first = " · ".join(name for name, placing in zip(names, placings, strict=True) if placing == 1)
    words = _("%(name)s wins") if placings.count(1) == 1 else _("%(name)s share the first place")
    absent = " · ".join(names[seat] for seat in absent_of(report))
    return words % {"name": first} + (_(" (no-show: %(names)s)") % {"names": absent} if absent else "")


def describe_result_to(result: MatchResult, place: int) -> str:
    """A result, stored or not, as a sentence to the player at `place`: “You lost 1–2”."""
    if result.kind in (ResultKind.PLAYED, ResultKind.NO_SHOW) and result.placings:
        text = _place_text(result.placings[place], result.scores[place] if result.scores else None)
        return _("You did not come") if place in result.absent else _("You came %(place)s") % {"place": text}
    if result.kind is ResultKind.BYE:
        return _("You have a bye")
    if result.kind is ResultKind.DOUBLE_LOSS:
        return _("Both lose")
    if result.kind is ResultKind.INTENTIONAL_DRAW:
        return _("You agreed on a draw")
    outcome, lost = result.outcomes[place], sum(result.games_won) - result.games_won[place]
    score = {"score": Score(result.games_won[place], lost, result.games_drawn).text}
    if result.kind is ResultKind.NO_SHOW:
        came = outcome != Outcome.LOSS
        return _("Your opponent did not come: you win %(score)s") % score if came else _("You did not come")
    sentence = {
        Outcome.WIN: _("You won %(score)s"),
        Outcome.DRAW: _("Draw, %(score)s"),
        Outcome.LOSS: _("You lost %(score)s"),
    }
    return sentence[outcome] % score


def describe_agreement(result: MatchResult, place: int) -> str:
    """The button with which the player at `place` agrees to a result: “Yes, I lost 1–2”."""
    if result.kind is not ResultKind.PLAYED or result.placings:
        return _("Yes: %(words)s") % {"words": describe_result_to(result, place)}
    lost = sum(result.games_won) - result.games_won[place]
    sentence = {
        Outcome.WIN: _("Yes, I won %(score)s"),
        Outcome.DRAW: _("Yes, a draw: %(score)s"),
        Outcome.LOSS: _("Yes, I lost %(score)s"),
    }
    return sentence[result.outcomes[place]] % {"score": Score(result.games_won[place], lost, result.games_drawn).text}
