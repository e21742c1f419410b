"""A match of Dead or Destroyed at the table: who is the necromancer now, the games so far, one game more."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import DomainError
from scoring.games.dead_or_destroyed.forms import HOW, GameForm
from scoring.games.dead_or_destroyed.tally import ROLES, tally
from scoring.games.dead_or_destroyed.tally.board import play
from scoring.models import ScoreSheet
from scoring.sheets.forms.options import worded
from scoring.sheets.ledgers import live_acts, struck_acts, with_act, without_act
from scoring.sheets.selectors import content_of
from scoring.sheets.web.boards import About, board_pages
from scoring.sheets.web.frames import SheetFrame, progress_of, show
from scoring.sheets.web.writing import change_by_form, strike_out, writer_of
from scoring.standings.results import MatchLength

GAMES = "games"


def duel(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """GET <root>: roles, games, the form for one game more."""
    return _show(frame, None)


@require_POST
def add(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/add/ (necromancer, outcome): one game more."""
    form = GameForm(request.POST, names=names_of(frame.sheet))
    if not form.is_valid():
        return _show(frame, form)
    game, by, now = form.game(), writer_of(frame), database_now()

    def with_game(content: Mapping[str, Any]) -> dict[str, Any]:
        if fault := _against_one_more(frame, live_acts(content, GAMES), game):
            raise DomainError("bad_game", fault)
        return with_act(content, game, by, now, GAMES)

    if not change_by_form(frame, form, with_game):
        return _show(frame, form)
    return HttpResponseRedirect(f"{frame.root}#games")


def _against_one_more(frame: SheetFrame, before: Sequence[Mapping[str, Any]], game: Mapping[str, Any]) -> str:
    """Why a game cannot follow those written down: the match is over, or the rules speak against it; "" if it can."""
    with suppress(DomainError):
        if is_over(frame.length, games_of(frame.sheet, before)):
            return _("File the sheet, or strike out a wrong game.")
    sheet = {"players": frame.sheet.players, "options": frame.sheet.options, "games": [*before, game]}
    try:
        tally(sheet)
    except DomainError as refusal:
        broken: Any = refusal.details.get("violations", ())
        return next((str(each["message"]) for each in broken if each["game"] == len(before) + 1), "")
    return ""


def is_over(length: MatchLength | None, games: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the agreed length of the match leaves no game to play."""
    if length is None:
        return False
    won = [sum(game["winner"] == place for game in games) for place in range(2)]
    if length.exactly:
        return len(games) >= length.games
    return max(won) >= length.wins_needed or len(games) >= length.most_games


@require_POST
def strike(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/strike/ (act): strike a game out; it stays, crossed out. Conflict "act_gone"."""
    strike_out(request, frame, partial(without_act, called=GAMES))
    return HttpResponseRedirect(f"{frame.root}#games")


def names_of(sheet: ScoreSheet) -> list[str]:
    """Both players in the order of the sheet."""
    return [str(player["name"]) for player in sheet.players]


def games_of(sheet: ScoreSheet, games: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Games as the tally reads them, with what they left out: the winner's place, how, both roles or none.

    DomainError "bad_sheet".
    """
    if not games:
        return []
    lenient = {**sheet.options, "check_limits": False}
    told: list[Mapping[str, Any]] = tally({"players": sheet.players, "games": games, "options": lenient})["games"]
    return told


def next_necromancer(names: Sequence[str], games: Sequence[Mapping[str, Any]]) -> str:
    """Who is the necromancer now: roles swap from game to game; the first of the sheet begins so."""
    held = _necromancer(games[-1], names) if games else ""
    if not held:
        return names[len(games) % 2]
    return next(name for name in names if name != held)


def _necromancer(game: Mapping[str, Any], names: Sequence[str]) -> str:
    """Who was the necromancer; "" where nobody said."""
    return names[game["roles"].index(ROLES[0])] if game["roles"] else ""


def _show(frame: SheetFrame, form: GameForm | None) -> HttpResponse:
    content, names = content_of(frame.sheet), names_of(frame.sheet)
    try:
        games = games_of(frame.sheet, content.get(GAMES) or ())
    except DomainError as error:
        return show(frame, "doomtrooper/broken", reason=worded(error.wording))
    form = form or GameForm(names=names, usual=next_necromancer(names, games))
    return show(frame, "dead_or_destroyed/duel", **_context(frame, content, games, form))


def _context(
    frame: SheetFrame, content: Mapping[str, Any], games: Sequence[Mapping[str, Any]], form: GameForm
) -> dict[str, Any]:
    names, live = names_of(frame.sheet), live_acts(content, GAMES)
    progress, necromancer = progress_of(frame), next_necromancer(names, games)
    return {
        "form": form,
        "names": names,
        "number": len(games) + 1,
        "is_over": is_over(frame.length, games),
        "necromancer": necromancer,
        "paladin": next(name for name in names if name != necromancer),
        "score": [(name, sum(game["winner"] == place for game in games)) for place, name in enumerate(names)],
        "games": [
            (number, act["id"], _necromancer(game, names), _sentence(game, names))
            for number, (act, game) in enumerate(zip(live, games, strict=True), 1)
        ],
        "struck": [_sentence(game, names) for game in _struck(frame.sheet, content)],
        "progress": progress,
        "changed": progress.revision is not None and live_acts(progress.revision.content, GAMES) != live,
        "may_write": 0 in frame.places,
    }


def _struck(sheet: ScoreSheet, content: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The games that were struck out, without those that a program stored there and nobody can read."""
    for game in struck_acts(content, GAMES):
        with suppress(DomainError):
            yield from games_of(sheet, [game])


def _sentence(game: Mapping[str, Any], names: Sequence[str]) -> str:
    if game["winner"] is None:
        return _("Nobody won: drawn or unfinished")
    return _("%(name)s won · %(how)s") % {"name": names[game["winner"]], "how": HOW[game["won_by"]]}


def about_board(frame: SheetFrame) -> About:
    """The game that the board is about: the next one of the match. DomainError "bad_sheet"."""
    names = names_of(frame.sheet)
    games = games_of(frame.sheet, content_of(frame.sheet).get(GAMES) or ())
    return About(names, next_necromancer(names, games), len(games) + 1, is_over(frame.length, games))


PAGES = {"": duel, "add": add, "strike": strike, **board_pages(play, about_board)}
