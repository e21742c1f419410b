"""The ledger of a Doomtrooper game, kept while it is played: both totals of each side, acts added and struck out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.http.numbers import asked_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import DomainError, NotAllowed, NotFound
from rules_engine.systems import get_system
from scoring.games.doomtrooper.forms import GAME, ActForm, AtTable, warriors
from scoring.games.doomtrooper.tally import tally
from scoring.games.doomtrooper.tally.sheet import read_sheet
from scoring.games.doomtrooper.words import describe_act, ended_in_words, endings, next_in_words, shortfall
from scoring.models import ScoreSheet
from scoring.sheets.forms.options import worded
from scoring.sheets.forms.sheets import filed_content
from scoring.sheets.ledgers import live_acts, struck_acts, with_act
from scoring.sheets.selectors import content_of
from scoring.sheets.web.clock import clock_of, set_clock
from scoring.sheets.web.entries import Entry, newest_first
from scoring.sheets.web.frames import SheetFrame, progress_of, show
from scoring.sheets.web.sheets import filed
from scoring.sheets.web.writing import change_by_form, strike_out, writer_of

SHOWN = 30
"""So many acts stand on the page; the rest behind a link."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who takes turns; `destiny` None where the team shares it, `countdown` turns left without a warrior."""

    name: str
    destiny: int | None
    is_turn: bool
    countdown: int | None
    out: str


@dataclass(frozen=True, slots=True)
class Side:
    """A player or a team with both totals; `to_go` None without a target."""

    name: str
    promotion: int
    destiny: int
    to_go: int | None
    members: list[Member]
    won: bool

    @property
    def is_team(self) -> bool:
        """Whether several people play for it."""
        return len(self.members) > 1

    @property
    def is_turn(self) -> bool:
        """Whether it has the turn."""
        return any(member.is_turn for member in self.members)


@dataclass(frozen=True, slots=True)
class Game:
    """A ledger as it stands: its content, its tally with unlawful acts told and counted, who acts."""

    content: Mapping[str, Any]
    tally: Mapping[str, Any]
    people: tuple[str, ...]

    @property
    def players(self) -> Sequence[Mapping[str, Any]]:
        """Every side that came, in turn order."""
        return list(self.content["players"])

    @property
    def following(self) -> str:
        """Whose turn comes next: after whoever has it, past those who are out."""
        turns = [act["player"] for act in live_acts(self.content) if act["act"] == "turn"]
        playing = [name for name in self.people if name not in self.tally["out"]] or list(self.people)
        last = turns[-1] if turns and turns[-1] in self.people else None
        if last is None:
            return playing[0]
        start = self.people.index(last) + 1
        order = [*self.people[start:], *self.people[:start]]
        return next((name for name in order if name in playing), last)


def game_of(content: Mapping[str, Any]) -> Game:
    """A ledger read; DomainError "bad_sheet"."""
    lenient = {**content, "options": {**content["options"], "check_limits": False}}
    return Game(content, tally(lenient), tuple(read_sheet(lenient).places))


def ledger(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """GET <root>: totals, the form for the next act, every act."""
    content = content_of(frame.sheet)
    try:
        game = game_of(content)
    except DomainError as error:
        return show(frame, "doomtrooper/broken", reason=worded(error.wording))
    return show(frame, "doomtrooper/ledger", **_context(request, frame, game, ActForm(table=_table(frame.sheet, game))))


@require_http_methods(["POST"])
def add(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/add/: one act more. What cannot be read comes back with the form, and nothing is stored."""
    game = game_of(content_of(frame.sheet))
    form = ActForm(request.POST, table=_table(frame.sheet, game))
    if form.is_valid() and _add(request, frame, form):
        return HttpResponseRedirect(f"{frame.root}#board")
    return show(frame, "doomtrooper/ledger", **_context(request, frame, game, form))


def _add(request: ActorRequest, frame: SheetFrame, form: ActForm) -> bool:
    act, by, now = form.act(), writer_of(frame), database_now()
    players = content_of(frame.sheet)["players"]

    def changed(content: Mapping[str, Any]) -> Mapping[str, Any]:
        added = with_act(content, act, by, now)
        game_of({**added, "players": players, "options": frame.sheet.options})
        return added

    return change_by_form(frame, form, changed)


@require_http_methods(["GET", "POST"])
def strike(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """GET, POST <root>play/strike/ (act): strike an act out; it stays on the ledger, crossed out.

    NotFound "no_act", Conflict "act_gone".
    """
    if request.method == "POST":
        strike_out(request, frame)
        return HttpResponseRedirect(f"{frame.root}#board")
    given, entries = asked_number(request, "act"), entries_of(game_of(content_of(frame.sheet)))
    entry = next((each for each in entries if each.id == given and each.number is not None), None)
    if entry is None:
        raise NotFound("no_act", _("This entry no longer exists."))
    return show(frame, "doomtrooper/strike", entry=entry)


@require_POST
def file_ledger(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/file/: file the ledger; with `cards_allow` although acts break a rule (DT-CARDRULE)."""
    if not frame.may_file:
        raise NotAllowed("no_filing", frame.note or _("You can't file this sheet."))
    content = filed_content(frame.sheet)
    if request.POST.get("cards_allow"):
        content = {**content, "options": {**content["options"], "check_limits": False}}
    return filed(request, frame, content)


def _table(sheet: ScoreSheet, game: Game) -> AtTable:
    sides = tuple(str(player["name"]) for player in game.players)
    turn = game.tally["turn"] or game.following
    place = next((at for at, player in enumerate(game.players) if turn in _members(player)), 0)
    return AtTable(game.people, sides, turn, sides[(place + 1) % len(sides)], sheet.options)


def _members(player: Mapping[str, Any]) -> list[str]:
    return list(player.get("members") or [player["name"]])


def _context(request: ActorRequest, frame: SheetFrame, game: Game, form: ActForm) -> dict[str, Any]:
    entries, wrong = entries_of(game), game.tally["violations"]
    shows_all = bool(request.GET.get("all"))
    progress = progress_of(frame)
    return {
        "game": game,
        "sides": sides_of(game),
        "form": form,
        "entries": entries if shows_all else entries[:SHOWN],
        "shows_all": shows_all,
        "hidden": 0 if shows_all else max(len(entries) - SHOWN, 0),
        "last": max((act["id"] for act in live_acts(game.content)), default=None),
        "wrong": [(each, get_system(GAME).find_clause(each["rule"])) for each in wrong],
        "ended": ended_in_words(game.tally),
        "next_words": next_in_words(game.tally["next"]),
        "target": game.tally["goal"],
        "endings": endings(game.content["options"], game.tally["goal"]),
        "progress": progress,
        "changed": progress.revision is not None and _is_changed(progress.revision.content, game.content),
        "clock": clock_of(game.content, database_now()),
        "clock_choices": (30, 60, 90),
        "warriors": warriors().values(),
        "may_write": 0 in frame.places,
    }


def _is_changed(filed: Mapping[str, Any], content: Mapping[str, Any]) -> bool:
    """Whether an act was written or struck since the sheet was filed."""
    return live_acts(filed) != live_acts(content)


def sides_of(game: Game) -> list[Side]:
    """Every side with its totals, in turn order."""
    goal = game.tally["goal"]
    return [
        Side(
            side["name"], side["promotion"], side["destiny"],
            None if goal is None else max(goal - side["promotion"], 0),
            _members_of(game, player, side), side["name"] in game.tally["winners"],
        )
        for player, side in zip(game.players, game.tally["players"], strict=True)
    ]  # fmt: skip


def _members_of(game: Game, player: Mapping[str, Any], side: Mapping[str, Any]) -> list[Member]:
    held = {member["name"]: member["destiny"] for member in side.get("members", ())}
    names = list(held) or [player["name"]]
    return [
        Member(
            name, held.get(name), game.tally["turn"] == name, game.tally["countdown"].get(name),
            game.tally["out"].get(name, ""),
        )
        for name in names
    ]  # fmt: skip


def entries_of(game: Game) -> list[Entry]:
    """Every act in words, the newest first, those struck out among them."""
    points: dict[int, list[tuple[str, int, int]]] = {}
    unpaid: dict[int, Mapping[str, Any]] = {}
    for side in game.tally["players"]:
        for line in side["lines"]:
            points.setdefault(line["act"], []).append((side["name"], line["points"], line["destiny"]))
            unpaid |= {line["act"]: line} if line.get("discarded") else {}
    wrong = {each["act"] for each in game.tally["violations"]}
    counted = [
        Entry(
            act["id"], number, describe_act(act), act["by"],
            ((_("against a rule"), ""),) if number in wrong else (),
            tuple(points.get(number, ())),
            shortfall(act, unpaid[number]) if number in unpaid else "",
        )
        for number, act in enumerate(live_acts(game.content), 1)
    ]  # fmt: skip
    struck = [
        Entry(act["id"], None, describe_act(act), act.get("struck_by", ""))
        for act in struck_acts(game.content)
        if _is_readable(game, act)
    ]
    return newest_first([*counted, *struck])


def _is_readable(game: Game, act: Mapping[str, Any]) -> bool:
    """Whether an act is one that a ledger can hold: nobody asked that of those that a program stored as struck out."""
    try:
        read_sheet({**game.content, "acts": [act]})
    except DomainError:
        return False
    return True


PAGES = {"": ledger, "add": add, "strike": strike, "clock": set_clock, "file": file_ledger}
