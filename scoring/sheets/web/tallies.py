"""A tally made ready for its page: who is where, and every line under its heading."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules_engine.errors import DomainError
from scoring.models import ScoreSheet, SheetRevision
from scoring.sheets.forms.sheets import SheetPages, sheet_pages
from scoring.sheets.tallies.registry import get_tallier
from scoring.sheets.wording import violations_in_words
from scoring.standings.results import places_by


@dataclass(frozen=True, slots=True)
class CardLine:
    """Points of one card; `copies` alike are one line, `points` is what all of them bring."""

    card: str
    copies: int
    points: Any


@dataclass(frozen=True, slots=True)
class Heading:
    """The lines of one kind with their sum."""

    words: str
    lines: list[CardLine]
    points: Any


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """A player's lines by kind, in the order of the game's book; `effects` happened before anything was counted."""

    place: int
    name: str
    rank: int
    score: Any
    won: bool
    headings: list[Heading]
    effects: list[str]


@dataclass(frozen=True, slots=True)
class TallyView:
    """Everybody in turn order and by rank, the winners' names, and what breaks a limit."""

    players: list[PlayerTally]
    winners: list[str]
    violations: Sequence[Mapping[str, Any]]

    @property
    def ranking(self) -> list[PlayerTally]:
        """The players, the winners first."""
        return sorted(self.players, key=lambda player: player.rank)


def read_tally(sheet: ScoreSheet, revision: SheetRevision, tally: Mapping[str, Any]) -> TallyView:
    """The tally of a revision as its page tells it."""
    pages, result = sheet_pages(sheet.game), tally["players"]
    winners = set(tally["winners"])
    ranks = _ranks(sheet.game, tally)
    places = {player["name"]: place for place, player in enumerate(sheet.players, 1)}
    filed = {player["name"]: player for player in revision.content["players"]}
    players = [
        PlayerTally(
            places[player["name"]], player["name"], rank, player["score"], player["name"] in winners,
            _headings(pages, player["lines"]), pages.effects(filed[player["name"]]),
        )
        for player, rank in zip(result, ranks, strict=True)
    ]  # fmt: skip
    return TallyView(players, list(tally["winners"]), violations_in_words(revision, tally.get("violations", ())))


def _ranks(game: str, tally: Mapping[str, Any]) -> Sequence[int]:
    """Everybody's place: by what the tally says of the match, by score where games report it, or not at all."""
    with suppress(DomainError):
        if places := get_tallier(game).result(tally).placings:
            return places
    return places_by([Fraction(str(player["score"])) for player in tally["players"]])


def _headings(pages: SheetPages, lines: list[Mapping[str, Any]]) -> list[Heading]:
    """Lines by kind in the game's order, those alike together; kinds that the game does not name come last."""
    kinds = [*pages.kinds, *dict.fromkeys(line["kind"] for line in lines if line["kind"] not in pages.kinds)]
    found = []
    for kind in kinds:
        of_kind = [line for line in lines if line["kind"] == kind and (line["card"] or line["points"])]
        alike = Counter((line["card"], line["points"]) for line in of_kind)
        if of_kind:
            cards = [CardLine(card, copies, points * copies) for (card, points), copies in alike.items() if card]
            found.append(Heading(str(pages.kinds.get(kind, kind)), cards, sum(line["points"] for line in of_kind)))
    return found
