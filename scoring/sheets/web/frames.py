"""What the pages of a score sheet stand in: who looks, what they may do, and how far the sheet is."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from rules_engine.errors import NotFound
from scoring.models import ScoreSheet, SheetPart, SheetRevision, SheetSignature
from scoring.sheets.forms.sheets import PartState, filed_content, sheet_pages
from scoring.sheets.helpers import Helper, helpers_of
from scoring.sheets.selectors import ABSENT, newest_revision, outcome_of
from scoring.sheets.services import PartChange
from scoring.sheets.wording import reason_in_words
from scoring.standings.results import MatchLength

Render = Callable[[str, dict[str, Any]], HttpResponse]


@dataclass(frozen=True, slots=True)
class SheetFrame:
    """A sheet as one viewer has it before the eyes.

    `root` is the address of the overview, all others stand below it. `render(template, context)` answers a page whose
    template extends `base`; the views here add `frame` to the context. `places` are the parts that the viewer may read
    and write now (0: the table), `own` the places the viewer signs for. `file(content)`, `sign(revision, place)`,
    `save(place, content, version)` and `change(place, what becomes of its content)` are services bound to the actor,
    which refuse what the frame does not allow any more; `may_file` tells whether to offer filing, `note` why nothing
    can be written any more, `contested` that a person does not agree with what was filed.
    `signs_elsewhere` says who signs the viewer's place instead, "" where the viewer does.
    `first` is the player, from 0, who goes first in the first game; `length` that of the match, None where nothing was
    agreed on.
    `pick` is the address that says which place this phone writes for ("" where the frame knows), `share` the address
    for the other phones ("" for none), `back` the way out of the sheet: its address and its words.
    """

    sheet: ScoreSheet
    root: str
    base: str
    render: Render
    file: Callable[[Mapping[str, Any]], SheetRevision]
    sign: Callable[[SheetRevision, int], SheetSignature]
    save: Callable[[int, Mapping[str, Any], int], SheetPart]
    change: Callable[[int, PartChange], SheetPart]
    places: frozenset[int] = frozenset()
    own: frozenset[int] = frozenset()
    may_file: bool = False
    note: str = ""
    contested: bool = False
    signs_elsewhere: str = ""
    first: int = 0
    length: MatchLength | None = None
    pick: str = ""
    share: str = ""
    back: tuple[str, str] | None = None

    @property
    def part_root(self) -> str:
        """The address below which the parts stand, each by its place."""
        return f"{self.root}parts/"

    def goes_first(self, content: Mapping[str, Any]) -> str:
        """Who goes first in the first game, of those who came by what the sheet holds."""
        names = [str(player["name"]) for player in self.sheet.players]
        came = {player["name"] for player in content["players"]}
        in_turn = [*names[self.first :], *names[: self.first]]
        return next((name for name in in_turn if name in came), in_turn[0])

    @property
    def helpers(self) -> list[Helper]:
        """What helps at this table besides the sheet."""
        names = [str(player["name"]) for player in self.sheet.players]
        return helpers_of(self.sheet.game, names, self.sheet.options, keeps_sheet=True)

    @property
    def writes_for_all(self) -> bool:
        """Whether one phone writes for several players: those it signs for, else all it may write for."""
        return len((self.own or self.places) - {0}) > 1


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """A place in the overview; `name` is "" for the table's own part. Who `is_absent` did not come."""

    place: int
    name: str
    address: str
    state: PartState
    is_open: bool
    is_own: bool
    is_absent: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a whole sheet is: every place, whoever is not ready, and the newest revision with what became of it."""

    lines: list[PlaceLine]
    revision: SheetRevision | None
    missing: list[str] = field(default_factory=list)

    @property
    def is_waiting(self) -> bool:
        """Whether a filed revision has neither tally nor reason yet."""
        return self.revision is not None and outcome_of(self.revision) is None

    @property
    def returned(self) -> str:
        """Why the newest revision could not be tallied; "" where it could, or where nothing was filed."""
        outcome = outcome_of(self.revision) if self.revision else None
        return reason_in_words(self.revision, outcome.error) if self.revision and outcome and outcome.error else ""

    @property
    def is_wrong(self) -> bool:
        """Whether what is written breaks a limit of the game."""
        return any(line.state.wrong for line in self.lines)

    @property
    def is_tallied(self) -> bool:
        """Whether the newest revision has its tally."""
        outcome = outcome_of(self.revision) if self.revision else None
        return outcome is not None and outcome.tally is not None


def progress_of(frame: SheetFrame) -> Progress:
    revision = newest_revision(frame.sheet)
    states = sheet_pages(frame.sheet.game).states(frame.sheet, seen_parts(frame, revision))
    absent = {part.place for part in frame.sheet.parts.all() if part.content == ABSENT}
    states |= dict.fromkeys(absent, PartState(saved=True))
    names = ["", *(player["name"] for player in frame.sheet.players)]
    lines = [
        PlaceLine(
            place, names[place], f"{frame.part_root}{place}/", states[place], place in frame.places - absent,
            place in frame.own, place in absent,
        )
        for place in sorted(states)
    ]  # fmt: skip
    missing = [line.name or _("the table") for line in lines if not line.state.is_ready]
    return Progress(lines, revision, missing)


def seen_parts(frame: SheetFrame, revision: SheetRevision | None) -> Collection[int] | None:
    """The parts that a page may tell of; None for all, also where everything lies as it was filed."""
    is_filed = revision is not None and revision.content == filed_content(frame.sheet)
    return None if is_filed else frame.places


def title_of(sheet: ScoreSheet, place: int) -> str:
    """What a part is called: the player's name, or the table; NotFound "no_place"."""
    if place > len(sheet.players):
        raise NotFound("no_place", _("This seat is empty."))
    return str(sheet.players[place - 1]["name"]) if place else _("The table")


def show(frame: SheetFrame, template: str, *, status: int = HTTPStatus.OK, **context: Any) -> HttpResponse:
    """A page of the sheet within its frame."""
    answer = frame.render(f"scores/{template}.html", {"frame": frame, "sheet": frame.sheet, **context})
    answer.status_code = status
    return answer
