"""A bracket put in words: who sits in a match or comes to it from where, how far it is, how it ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from unicodedata import combining, east_asian_width

from django.utils.translation import gettext as _

from tournaments.core.round_names import level_name
from tournaments.models import Match, ResultReport, Stage
from tournaments.pairing.brackets.elimination import Side, Slot, Source
from tournaments.pairing.brackets.filled import FilledBracket, FilledMatch, MatchState
from tournaments.results.selectors import accepted_report_of
from tournaments.structure.selectors.overview import ShownBracket
from tournaments.web.shared.bracket_layout import ROW, origin_of, played_matches
from tournaments.web.shared.match_rows import MatchRow, Names, line_of

NAME_WIDTH, SCORED_WIDTH, WON_WIDTH = 28, 26, 20
"""So many narrow letters of a name fit a box, beside a score, and in bold beside tick and score."""


@dataclass(frozen=True, slots=True)
class SeatWords:
    """One row of a match: its name, or where whoever comes to it comes from; `down` is the row's place in the box."""

    name: str
    short: str
    seed: str
    score: str
    won: bool
    is_open: bool
    down: int
    entry: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A match of a bracket as text: `number` counts in the order of play, `caption` stands above its box."""

    number: int
    filled: FilledMatch
    state: str
    state_words: str
    caption: str
    seats: tuple[SeatWords, SeatWords]
    title: str
    line: MatchRow | None

    @property
    def side(self) -> Side:
        return self.filled.match.side


def cards_of(
    stage: Stage, filled: FilledBracket, names: Mapping[int, str], lines: Mapping[str, MatchRow]
) -> dict[str, MatchCard]:
    """Every match that is played, by id; `names` of the entrants, `lines` of the matches that stand in a round."""
    words = _Words(stage, filled, names, lines)
    return {each.match.id: words.card(each) for each in played_matches(filled)}


class _Words:
    """What the cards of one bracket are written from."""

    def __init__(
        self, stage: Stage, filled: FilledBracket, names: Mapping[int, str], lines: Mapping[str, MatchRow]
    ) -> None:
        self._stage, self._names, self._lines = stage, names, lines
        self._matches = {each.match.id: each.match for each in filled.matches}
        self._numbers = {each.match.id: number for number, each in enumerate(played_matches(filled), 1)}
        first = (match for match in self._matches.values() if match.side is Side.WINNERS and match.round == 1)
        seated = {each.match.id: each.seats for each in filled.matches}
        self._seeds = {
            entrant: slot.seed
            for match in first
            for slot, entrant in zip(match.slots, seated[match.id], strict=True)
            if slot.source is Source.SEED and entrant is not None
        }

    def card(self, filled: FilledMatch) -> MatchCard:
        match, line = filled.match, self._lines.get(filled.match.id)
        seats = tuple(self._seat(place, slot, filled, line) for place, slot in enumerate(match.slots))
        state = self._state(filled, line)
        number = self._numbers[match.id]
        title = level_name(self._stage, match.level)
        sides = " – ".join(f"{seat.name} ({seat.seed})" if seat.seed else seat.name for seat in seats)
        ending = f"{line.score}, {line.words}" if line and line.score else state
        caption = " · ".join(part for part in (str(number), _where(line), _short_state(filled, line, state)) if part)
        sentence = _("Match %(number)d, %(round)s: %(sides)s. %(ending)s.") % {
            "number": number, "round": title, "sides": sides, "ending": ending[:1].upper() + ending[1:],
        }  # fmt: skip
        return MatchCard(number, filled, filled.state.value, state, caption, (seats[0], seats[1]), sentence, line)

    def _seat(self, place: int, slot: Slot, filled: FilledMatch, line: MatchRow | None) -> SeatWords:
        entrant, down = filled.seats[place], ROW * place
        if entrant is None or filled.state is MatchState.NOT_NEEDED:
            name = self._whence(slot)
            return SeatWords(name, name, "", "", won=False, is_open=True, down=down)
        name, score = self._names.get(entrant, "?"), _score_of(line, entrant)
        won = filled.winner == entrant
        short = shortened(name, WON_WIDTH if won else SCORED_WIDTH if score else NAME_WIDTH)
        return SeatWords(
            name, short, str(self._seeds.get(entrant, "")), score, won=won, is_open=False, down=down, entry=entrant,
            number=dict(zip(line.entries, line.players, strict=True))[entrant][0] if line else None,
        )  # fmt: skip

    def _whence(self, slot: Slot) -> str:
        origin = origin_of(slot, self._matches)
        if origin.source is Source.SEED:
            return _("Seed %(seed)d") % {"seed": origin.seed}
        words = _("Winner of match %(number)d") if origin.source is Source.WINNER else _("Loser of match %(number)d")
        return words % {"number": self._numbers[origin.match]}

    def _state(self, filled: FilledMatch, line: MatchRow | None) -> str:
        if filled.state is MatchState.NOT_NEEDED:
            return _("not needed")
        if filled.state is MatchState.WAITING:
            return _("waits for earlier matches")
        if filled.state is MatchState.PLAYED:
            return _("played")
        return _("can be played") if line is None else _being_played(line.match)


def _being_played(match: Match) -> str:
    return {
        Match.State.OPEN: _("playing"),
        Match.State.REPORTED: _("reported, not confirmed"),
        Match.State.CONFLICT: _("two different reports"),
    }.get(Match.State(match.state), _("played"))


def _where(line: MatchRow | None) -> str:
    shown = line is not None and line.match.state != Match.State.DONE
    return _("table %(number)d") % {"number": line.table} if line and shown and line.table else ""


def _short_state(filled: FilledMatch, line: MatchRow | None, words: str) -> str:
    """What the caption says beside number and table: nothing that the box itself shows."""
    if filled.state is MatchState.PLAYED:
        report = accepted_report_of(line.match) if line else None
        return line.score if line and report and report.kind != ResultReport.Kind.PLAYED else ""
    return words if filled.state in (MatchState.PLAYABLE, MatchState.NOT_NEEDED) else ""


def _score_of(line: MatchRow | None, entrant: int) -> str:
    """The games an entrant won in a match that was played."""
    report = accepted_report_of(line.match) if line else None
    if line is None or report is None or report.kind != ResultReport.Kind.PLAYED:
        return ""
    won = {row.seat_id: row.games_won for row in report.seat_results.all()}
    return next((str(won[seat.pk]) for seat in line.match.seats.all() if seat.entry_id == entrant), "")


def shortened(name: str, width: int) -> str:
    """A name of at most `width` narrow letters, wide ones counting twice, cut with “…”; no letter loses its marks."""
    if _width(name) <= width:
        return name
    kept = ""
    for letter in name:
        if _width(kept + letter) > width - 1:
            break
        kept += letter
    return f"{kept.rstrip()}…"


def _width(text: str) -> int:
    return sum(0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in text)


def _cards(shown: ShownBracket, names: Names) -> dict[str, MatchCard]:
    lines = {key: line_of(match, names) for key, match in shown.matches.items()}
    called = {pk: names(entry) for pk, entry in shown.entries.items()}
    return cards_of(shown.stage, shown.bracket.filled, called, lines)


def levels_of(shown: ShownBracket, names: Names) -> list[tuple[str, list[MatchCard]]]:
    """The matches of a bracket by round, in the order of play, each round with its name."""
    return _by_level(shown, _cards(shown, names))


def _by_level(shown: ShownBracket, cards: Mapping[str, MatchCard]) -> list[tuple[str, list[MatchCard]]]:
    """The matches by round, in the order of play."""
    found = groupby(cards.values(), key=lambda card: card.filled.match.level)
    return [(level_name(shown.stage, level), list(those)) for level, those in found]
