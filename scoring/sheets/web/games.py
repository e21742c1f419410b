"""The sheet of a match reported game by game: the games so far, one game more, and the board of the game being played.

A game whose matches are reported so gives `games_pages(GamesSheet(…))` among its own pages. What is kept stands in the
table's part of the sheet as {"games": […], "struck": […]} (`scoring.sheets.ledgers`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.wording import worded
from journal.clock import database_now
from rules_engine.errors import Conflict, DomainError
from scoring.models import ScoreSheet
from scoring.sheets.boards import Play
from scoring.sheets.forms.games import NewGameForm
from scoring.sheets.ledgers import GAMES, live_acts, struck_acts, with_act, without_act
from scoring.sheets.selectors import content_of
from scoring.sheets.tallies.registry import get_tallier
from scoring.sheets.web.board_about import About
from scoring.sheets.web.board_shown import Suggested, nothing
from scoring.sheets.web.boards import Complete, board_pages, unchanged
from scoring.sheets.web.frames import SheetFrame, progress_of, show
from scoring.sheets.web.own_pages import OwnPages
from scoring.sheets.web.writing import change_by_form, strike_out, writer_of
from scoring.standings.results import MatchLength

Games = Sequence[Mapping[str, Any]]
"""Games as the tally reads them."""


@dataclass(frozen=True, slots=True)
class GamesSheet:
    """How a game's matches are written down: `play` is its board, `form(data, names=…, first=…)` one game more.

    `first(frame, games)` is who is to go first in the next game, "" for anybody, `sentence(game, names)` a game in
    words, `facts(frame, games)` what its `template` shows besides; `complete` and `suggested` are those of the board.
    """

    template: str
    play: Play
    form: Callable[..., NewGameForm]
    first: Callable[[SheetFrame, Games], str]
    sentence: Callable[[Mapping[str, Any], Sequence[str]], str]
    facts: Callable[[SheetFrame, Games], Mapping[str, Any]]
    complete: Complete = unchanged
    suggested: Suggested = nothing


def names_of(sheet: ScoreSheet) -> list[str]:
    """The players in the order of the sheet."""
    return [str(player["name"]) for player in sheet.players]


def games_of(sheet: ScoreSheet, games: Games) -> Games:
    """Games as the tally reads them, with what they left out; DomainError "bad_sheet"."""
    if not games:
        return []
    content = {"players": sheet.players, "games": games, "options": {**sheet.options, "check_limits": False}}
    found: Games = get_tallier(sheet.game).tally(content)["games"]
    return found


def is_over(length: MatchLength | None, games: Games) -> bool:
    """Whether the agreed length of the match leaves no game to play."""
    if length is None:
        return False
    winners = [game["winner"] for game in games if game["winner"] is not None]
    won = max((winners.count(place) for place in winners), default=0)
    if length.exactly:
        return len(games) >= length.games
    return won >= length.wins_needed or len(games) >= length.most_games


def games_pages(kept: GamesSheet) -> OwnPages:
    """The pages by name: "" shows the games, "add" adds one, "strike" strikes one out, and those of the board."""

    def shown(frame: SheetFrame, form: NewGameForm | None = None) -> HttpResponse:
        content, names = content_of(frame.sheet), names_of(frame.sheet)
        try:
            games = games_of(frame.sheet, content.get(GAMES) or ())
        except DomainError as error:
            return show(frame, "broken", reason=worded(error.wording))
        form = form or kept.form(names=names, first=kept.first(frame, games))
        return show(frame, kept.template, **_context(kept, frame, content, games, form))

    def games(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """GET <root>: the games so far, the form for one more."""
        return shown(frame)

    @require_POST
    def add(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """POST <root>play/add/ (number, as its page counted; may be missing): one game more.

        What cannot be comes back with the form; so does a game that another phone wrote down since.
        """
        form = kept.form(request.POST, names=names_of(frame.sheet))
        if not form.is_valid():
            return shown(frame, form)
        game, by, now, number = form.game(), writer_of(frame), database_now(), posted_number(request, "number")

        def with_game(content: Mapping[str, Any]) -> dict[str, Any]:
            before = live_acts(content, GAMES)
            if number not in (None, len(before) + 1):
                raise Conflict("games_changed", _("The games have changed. Look at them, then add what is missing."))
            if fault := _against_one_more(frame, before, game):
                raise DomainError("bad_game", fault)
            return with_act(content, game, by, now, GAMES)

        if not change_by_form(frame, form, with_game):
            return shown(frame, form)
        return HttpResponseRedirect(f"{frame.root}#games")

    @require_POST
    def strike(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """POST <root>play/strike/ (act): strike a game out; it stays, crossed out. Conflict "act_gone"."""
        strike_out(request, frame, partial(without_act, called=GAMES))
        return HttpResponseRedirect(f"{frame.root}#games")

    def about(frame: SheetFrame, content: Mapping[str, Any]) -> About:
        """The game that the board is about: the next one of the match. DomainError "bad_sheet"."""
        names = names_of(frame.sheet)
        games = games_of(frame.sheet, content.get(GAMES) or ())
        play = partial(kept.play, names, kept.first(frame, games), frame.sheet.options)
        return About(play, len(games) + 1, is_over(frame.length, games))

    return {"": games, "add": add, "strike": strike, **board_pages(about, kept.complete, kept.suggested)}


def _against_one_more(frame: SheetFrame, before: Games, game: Mapping[str, Any]) -> str:
    """Why a game cannot follow those written down: the match is over, or the rules speak against it; "" if it can."""
    with suppress(DomainError):
        if is_over(frame.length, games_of(frame.sheet, before)):
            return _("File the sheet, or strike out a wrong game.")
    sheet = {"players": frame.sheet.players, "options": frame.sheet.options, "games": [*before, game]}
    try:
        get_tallier(frame.sheet.game).tally(sheet)
    except DomainError as refusal:
        broken: Any = refusal.details.get("violations", ())
        return next((worded(each["message"]) for each in broken if each["game"] == len(before) + 1), "")
    return ""


def _context(
    kept: GamesSheet, frame: SheetFrame, content: Mapping[str, Any], games: Games, form: NewGameForm
) -> dict[str, Any]:
    names, live, progress = names_of(frame.sheet), live_acts(content, GAMES), progress_of(frame)
    return {
        "form": form,
        "names": names,
        "number": len(games) + 1,
        "is_over": is_over(frame.length, games),
        "score": "–".join(str(sum(game["winner"] == place for game in games)) for place in range(len(names))),
        "games": [
            (number, act["id"], kept.sentence(game, names))
            for number, (act, game) in enumerate(zip(live, games, strict=True), 1)
        ],
        "struck": [kept.sentence(game, names) for game in _struck(frame.sheet, content)],
        "progress": progress,
        "changed": progress.revision is not None and live_acts(progress.revision.content, GAMES) != live,
        "may_write": 0 in frame.places,
        **kept.facts(frame, games),
    }


def _struck(sheet: ScoreSheet, content: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The games that were struck out, without those that a program stored there and nobody can read."""
    for game in struck_acts(content, GAMES):
        with suppress(DomainError):
            yield from games_of(sheet, [game])
