"""What stands on the screens in the room, as rows: who sits where, standings, bracket, what the room sees."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Announcement, Round, Tournament
from tournaments.room.selectors.feature import public_bracket
from tournaments.standings.selectors.lists import entries_by_id
from tournaments.standings.selectors.standings import standings_of
from tournaments.web.shared.bracket_words import MatchCard, levels_of
from tournaments.web.shared.match_rows import MatchRow, Names, lines_of, player_lines, published_rounds
from tournaments.web.shared.standing_lines import lines_of_standings

TITLES = {
    "pairings": gettext_lazy("Find your table"),
    "tables": gettext_lazy("Tables"),
    "standings": gettext_lazy("Standings"),
    "clock": gettext_lazy("Clock"),
    "announcements": gettext_lazy("Announcements"),
    "bracket": gettext_lazy("Bracket"),
}
"""The screens there are, with their headings."""
EMPTY = {
    "standings": gettext_lazy("Standings appear once a round is published."),
    "clock": gettext_lazy("No round is being played."),
    "announcements": gettext_lazy("Nothing to announce."),
    "bracket": gettext_lazy("There is no bracket yet."),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a screen: what leads it (a letter, a table, a rank), a text, what ends it; `key` names where it is.

    A heading has a text alone; a table has `players` in its stead, each of whose names stays in one piece; the one at
    the place `first`, from 0, goes first.
    """

    lead: str
    text: str
    tail: str = ""
    key: str = ""
    is_heading: bool = False
    players: tuple[str, ...] = ()
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Screen:
    kind: str
    title: str
    rows: tuple[Row, ...]

    @property
    def empty(self) -> str:
        """What stands there while there is nothing to show."""
        return str(EMPTY.get(self.kind, _("Pairings appear once the next round is published.")))


class Wall:
    """The screens of an event as everybody may see them; what several of them need is asked once."""

    def __init__(self, tournament: Tournament, announcements: Sequence[Announcement]) -> None:
        """Nothing is asked before a screen needs it."""
        self._tournament, self._announcements = tournament, announcements

    def screen(self, kind: str) -> Screen:
        """One screen by its kind, one of `TITLES`."""
        rows: dict[str, Callable[[], Iterable[Row]]] = {
            "pairings": self._by_name,
            "tables": self._by_table,
            "standings": self._standings,
            "clock": tuple,
            "announcements": self._announced,
            "bracket": self._bracket,
        }
        return Screen(kind, str(TITLES[kind]), tuple(rows[kind]()))

    @cached_property
    def round(self) -> Round | None:
        """The newest round that everybody may see."""
        return next(reversed(published_rounds(self._tournament)), None)

    @cached_property
    def _names(self) -> Names:
        return Names(self._tournament)

    @cached_property
    def _lines(self) -> list[MatchRow]:
        return lines_of(self.round, self._names) if self.round else []

    def _by_name(self) -> Iterable[Row]:
        for each in player_lines(self._lines):
            letter = each.name[:1].upper()
            yield Row(letter, each.name, _table_words(each.line), letter)

    def _by_table(self) -> Iterable[Row]:
        for line in self._lines:
            table = "" if line.table is None else str(line.table)
            tail = line.score or ("" if table else _table_words(line))
            first = None if line.score else line.first
            yield Row(table or "–", "", tail, table, players=tuple(line.names), first=first)

    def _standings(self) -> Iterable[Row]:
        if self.round is None:
            return ()
        found = standings_of(self._tournament)
        entries = entries_by_id(self._tournament, [each.contender for each in found])
        policy = self._tournament.scoring_policy
        lines = lines_of_standings(found, entries, self._names, policy, ties=(), moved={}, cut=())
        return [
            Row(str(line.standing.rank or "–"), line.name, line.cells[0].text if line.cells else "",
                str(line.standing.rank or ""))
            for line in lines
        ]  # fmt: skip

    def _announced(self) -> Iterable[Row]:
        for each in self._announcements:
            at = timezone.localtime(each.posted_at)
            yield Row(f"{at:%H:%M}", each.text)

    def _bracket(self) -> Iterable[Row]:
        shown = public_bracket(self._tournament)
        if shown is None:
            return
        for name, cards in from_last_decided(levels_of(shown, self._names)):
            yield Row("", name, is_heading=True)
            for card in cards:
                table = card.line.table if card.line else None
                yield Row(
                    str(table or ""), "", card.line.score if card.line else "",
                    players=tuple(seat.name for seat in card.seats),
                )  # fmt: skip


def _table_words(line: MatchRow) -> str:
    """The table of a line, or that its player has a bye."""
    if line.table is not None:
        return str(line.table)
    return str(line.match.get_kind_display())


def from_last_decided(levels: Sequence[tuple[str, list[MatchCard]]]) -> list[tuple[str, list[MatchCard]]]:
    """The levels still to be played, and the one before them; the last where all is decided."""
    is_over = [all(card.state == "played" for card in cards) for _name, cards in levels]
    first = next(dropwhile(is_over.__getitem__, range(len(levels))), len(levels))
    return list(levels[max(first - 1, 0) :])
