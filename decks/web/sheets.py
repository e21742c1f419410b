"""Registration sheets to print: empty ones for each format, and what any sheet consists of."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from decks.selectors.legality import format_at
from rules_engine.constraints import SectionSize
from rules_engine.decklist import DeckEntry
from rules_engine.errors import NotFound
from rules_engine.game import GameFormat
from rules_engine.systems import get_system

MAX_LINES = 60
USUAL_LINES = 30


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled line at the head of a sheet; with "" for a value it is filled in by hand."""

    label: str
    value: str = ""
    wide: bool = False


@dataclass(frozen=True, slots=True)
class SheetSection:
    """A section of a sheet: its cards with their number, or `lines` empty lines (`count` 0) to write on."""

    title: str
    count: int
    cards: tuple[DeckEntry, ...]
    lines: int

    @property
    def numbers(self) -> range:
        return range(1, self.lines + 1)


@page_view("public")
def blank_sheet(request: HttpRequest, game: str, game_format: str) -> HttpResponse:
    """GET /sheets/<game>/<format>/: an empty registration sheet.

    NotFound "unknown_game", "unknown_format", "no_decklists".
    """
    system, rules = get_system(game), format_at(game, game_format)
    if not rules.checks_decks:
        raise NotFound("no_decklists", _("This game is played here without decklists."))
    name = f"{system.name} · {rules.name}"
    facts = (
        Fact(_("Event"), wide=True),
        Fact(_("Date")),
        Fact(_("Player"), wide=True),
        Fact(_("Number")),
        Fact(_("Deck"), wide=True),
        Fact(_("Format"), name),
    )
    context = {"facts": facts, "sections": blank_sections(rules), "title": name, "empty": True}
    return render(request, "decks/sheet.html", context)


def blank_sections(game_format: GameFormat) -> list[SheetSection]:
    """The sections of a format with as many lines as the smallest deck has cards, 60 at most."""
    sizes = {rule.section: rule.sizes for rule in game_format.constraints if isinstance(rule, SectionSize)}
    smallest = {
        section: min((size.smallest for size in allowed if size.smallest), default=USUAL_LINES)
        for section, allowed in sizes.items()
    }
    return [
        SheetSection(rule.title, 0, (), min(smallest.get(rule.key, USUAL_LINES), MAX_LINES))
        for rule in game_format.sections
    ]
