"""A match of Dead or Destroyed at the table: who is the necromancer now, the games so far, one game more."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from journal.clock import database_now
from rules_engine.errors import BadInput
from scoring.forms.dead_or_destroyed import HOW, GameForm
from scoring.ledgers import live_acts, struck_acts, with_act, without_act
from scoring.models import ScoreSheet
from scoring.selectors import content_of
from scoring.tallies.dead_or_destroyed import ROLES
from scoring.web.sheets import ActorRequest, SheetFrame, progress_of, show
from scoring.web.writing import change_table, writer_of

GAMES = "games"


def duel(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """GET <root>: roles, games, the form for one game more."""
    content = content_of(frame.sheet)
    form = GameForm(names=names_of(frame.sheet), usual=next_necromancer(frame.sheet, content))
    return show(frame, "dead_or_destroyed/duel", **_context(frame, content, form))


@require_POST
def add(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/add/ (necromancer, outcome): one game more."""
    form = GameForm(request.POST, names=names_of(frame.sheet))
    if not form.is_valid():
        return show(frame, "dead_or_destroyed/duel", **_context(frame, content_of(frame.sheet), form))
    game, by, now = form.game(), writer_of(frame), database_now()
    change_table(frame, lambda content: with_act(content, game, by, now, GAMES))
    return HttpResponseRedirect(f"{frame.root}#games")


@require_POST
def strike(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/strike/ (act): strike a game out; it stays, crossed out. Conflict "act_gone"."""
    given = request.POST.get("act", "")
    if not (given.isascii() and given.isdecimal() and len(given) < 9):
        raise BadInput("bad_number", _("A number is missing."))
    by, now = writer_of(frame), database_now()
    change_table(frame, lambda content: without_act(content, int(given), by, now, GAMES))
    return HttpResponseRedirect(f"{frame.root}#games")


def names_of(sheet: ScoreSheet) -> list[str]:
    """Both players in the order of the sheet."""
    return [str(player["name"]) for player in sheet.players]


def next_necromancer(sheet: ScoreSheet, content: Mapping[str, Any]) -> str:
    """Who is the necromancer now: roles swap from game to game; the first of the sheet begins so."""
    names, games = names_of(sheet), live_acts(content, GAMES)
    if not games:
        return names[0]
    held: int = games[-1]["roles"].index(ROLES[0])
    return names[1 - held]


def _context(frame: SheetFrame, content: Mapping[str, Any], form: GameForm) -> dict[str, Any]:
    names, games = names_of(frame.sheet), live_acts(content, GAMES)
    progress = progress_of(frame)
    necromancer = next_necromancer(frame.sheet, content)
    return {
        "form": form,
        "names": names,
        "number": len(games) + 1,
        "necromancer": necromancer,
        "paladin": next(name for name in names if name != necromancer),
        "score": [(name, sum(game["winner"] == name for game in games)) for name in names],
        "games": _told(games, names),
        "struck": [(game, _sentence(game)) for game in struck_acts(content)],
        "progress": progress,
        "changed": progress.revision is not None and live_acts(progress.revision.content, GAMES) != games,
        "may_write": 0 in frame.places,
        "reading": frame.sheet.options.get("summon_reading", "rule"),
    }


def _told(games: list[dict[str, Any]], names: list[str]) -> list[tuple[int, dict[str, Any], str, str]]:
    """Each game: its number, itself, who was the necromancer, how it ended."""
    return [
        (number, game, names[game["roles"].index(ROLES[0])], _sentence(game)) for number, game in enumerate(games, 1)
    ]


def _sentence(game: Mapping[str, Any]) -> str:
    if game["winner"] is None:
        return _("Nobody won: drawn or unfinished")
    return _("%(name)s won · %(how)s") % {"name": game["winner"], "how": HOW[game["won_by"]]}


PAGES = {"": duel, "add": add, "strike": strike}
