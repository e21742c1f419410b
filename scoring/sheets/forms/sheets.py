"""The forms of a score sheet's parts, found by the game's name.

A game gets its pages by `scoring/games/<slug>/forms.py` with `PAGES = SheetPages(...)`. Its `part` makes the form of
one place: `part(sheet, place, data, seen)`, place 0 for the table and 1..n for the players in turn order, `data` the
posted fields or None, `seen` the places whose parts the writer may read, None for all: the form tells of no other. The
form derives from `PartForm`: it reads what is stored already from `stored`, its `template_name` is included in the page
(inside the <form>, so only fields belong there), and `content()` answers the JSON for `SheetPart.content`, which
`content_of(sheet)` hands to the tally. `start` makes the form that begins a sheet without an event; its `players()` and
`options()` go to `open_sheet`.
"""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext

from rules_engine.errors import NotFound
from scoring.game_folders import game_module
from scoring.models import ScoreSheet, SheetPart
from scoring.sheets.boards import BOARD
from scoring.sheets.selectors import content_of


class PartForm(forms.Form):
    """What one place of a sheet writes down.

    `stored` is the content of the part so far. `act` is the pressed button: "save" unless the template has more. A
    button other than "save" only changes the form: `pressed()` answers the form as that button leaves it, and nothing
    is stored.
    """

    template_name = ""
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(
        self, sheet: ScoreSheet, place: int, data: QueryDict | None = None, seen: Collection[int] | None = None
    ) -> None:
        self.sheet, self.place, self.seen = sheet, place, seen
        self.parts: dict[int, SheetPart] = {part.place: part for part in sheet.parts.all()}
        self.stored: Mapping[str, Any] = self.parts[place].content
        super().__init__(data, initial={**self.first(), "version": self.parts[place].version})

    @property
    def act(self) -> str:
        return (self.data.get("act") or "save") if self.is_bound else ""

    def first(self) -> dict[str, Any]:
        """The fields as the stored content fills them."""
        return dict(self.stored)

    def content(self) -> dict[str, Any]:
        """What a valid form says, as JSON for `SheetPart.content`."""
        raise NotImplementedError

    def pressed(self) -> "PartForm":
        """The form as a button other than "save" leaves it."""
        return self

    def asks_more(self) -> bool:
        """Whether what was typed raises a question that the form did not show: the page comes again with it."""
        return False

    def renew_version(self) -> None:
        """Let the next POST store over what another person wrote meanwhile."""
        if isinstance(self.data, QueryDict):
            self.data = self.data.copy()
            self.data["version"] = str(SheetPart.objects.get(sheet=self.sheet, place=self.place).version)


class StartForm(forms.Form):
    """Who sits at a table that belongs to no event, and what is played."""

    template_name = "scores/start_fields.html"

    def players(self) -> list[dict[str, Any]]:
        """Everybody in turn order, as `open_sheet` wants them."""
        raise NotImplementedError

    def options(self) -> dict[str, Any]:
        """What the tally knows of the way of playing."""
        return {}


@dataclass(frozen=True, slots=True)
class PartState:
    """How far a place is: `missing` says in words what is still asked, `wrong` what breaks a limit of the game.

    `total` is what their own lines add up to so far, for those who may read the part; None where nobody can
    say yet. A place is ready once it was saved and nothing is missing.
    """

    saved: bool
    missing: Sequence[str] = ()
    wrong: Sequence[str] = ()
    total: int | None = None

    @property
    def is_ready(self) -> bool:
        """Whether the table can be filed as far as this place goes."""
        return self.saved and not self.missing


def plain_states(sheet: ScoreSheet, seen: Collection[int] | None = None) -> dict[int, PartState]:
    """Every place, ready once it was saved."""
    return {part.place: PartState(part.version > 0) for part in sheet.parts.all()}


@dataclass(frozen=True, slots=True)
class CardCatalogue:
    """The cards of a game for a type-ahead, as JSON; `digest` changes with them."""

    body: bytes

    @property
    def digest(self) -> str:
        """What tells one state of the cards from another."""
        return hashlib.sha256(self.body).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie that is drawn out: the names in turn order, the number of the round, and the rounds before it."""

    names: Sequence[str]
    round: int
    drawn: Sequence[Any] = ()


@dataclass(frozen=True, slots=True)
class SheetPages:
    """What the pages of a game's sheet are made of.

    `kinds` names the kinds of lines in its tally, in the order they are listed. `states` tells how far each place is (0
    the table) as a person may know who reads the parts `seen`. `effects(player)` tells in words what changed the cards
    of a filed player before they were counted. `tie(content)` is the tie that waits for a draw, if there is one; the
    draws go to the table's part as "tie_draws", a list of rounds of {"name", "face"}. `unwritten` is what counts for a
    player whose part nobody wrote. `tally_template` is included in the tally page where a game shows more than players
    and lines, `catalogue` makes the cards that a type-ahead offers.
    """

    part: Callable[[ScoreSheet, int, QueryDict | None, Collection[int] | None], PartForm]
    start: type[StartForm]
    kinds: Mapping[str, Any] = field(default_factory=dict)
    states: Callable[[ScoreSheet, Collection[int] | None], dict[int, PartState]] = plain_states
    effects: Callable[[Mapping[str, Any]], list[str]] = lambda player: []
    tie: Callable[[Mapping[str, Any]], Tie | None] = lambda content: None
    unwritten: Mapping[str, Any] = field(default_factory=dict)
    tally_template: str = ""
    catalogue: Callable[[], CardCatalogue] | None = None


def has_pages(game: str) -> bool:
    """Whether the sheet of a game can be written on pages."""
    return _pages(game) is not None


def sheet_pages(game: str) -> SheetPages:
    """The pages of a game's sheet; NotFound "no_sheet" for a game that has none."""
    if not has_pages(game):
        raise NotFound("no_sheet", f"“{game}” has no score sheet here.", game=game)
    pages: SheetPages = _pages(game)
    return pages


def part_form(
    sheet: ScoreSheet, place: int, data: QueryDict | None = None, seen: Collection[int] | None = None
) -> PartForm:
    """The form of one place of a sheet, bound to the posted fields if there are any; `seen` parts may be named."""
    return sheet_pages(sheet.game).part(sheet, place, data, seen)


def filed_content(sheet: ScoreSheet) -> dict[str, Any]:
    """What filing freezes: everything typed so far, and what counts for players whose part nobody wrote."""
    content, unwritten = content_of(sheet), sheet_pages(sheet.game).unwritten
    blank = {sheet.players[part.place - 1]["name"] for part in sheet.parts.all() if part.place and not part.content}
    players = [{**unwritten, **player} if player["name"] in blank else player for player in content["players"]]
    content.pop(BOARD, None)
    return {**content, "players": players}


class DrawForm(forms.Form):
    """What tied players drew, one face value each; none where no value is printed."""

    MOST = 99

    def __init__(self, data: QueryDict | None, tie: Tie) -> None:
        super().__init__(data)
        self.tie = tie
        for number, name in enumerate(tie.names, 1):
            self.fields[f"face_{number}"] = forms.IntegerField(
                label=name, required=False, min_value=-self.MOST, max_value=self.MOST,
                help_text=gettext("The face value; empty where none is printed."),
            )  # fmt: skip

    @property
    def drawn(self) -> list[dict[str, Any]]:
        """The round as the sheet takes it."""
        faces = (self.cleaned_data[f"face_{number}"] for number in range(1, len(self.tie.names) + 1))
        return [{"name": name, "face": face} for name, face in zip(self.tie.names, faces, strict=True)]


def _pages(game: str) -> Any:
    return getattr(game_module(game, "forms"), "PAGES", None)
