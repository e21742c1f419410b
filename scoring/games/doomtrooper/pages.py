"""The ledger of a Doomtrooper game, kept while it is played: both totals of each side, acts added and struck out."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.wording import worded
from journal.clock import database_now
from rules_engine.errors import BadInput, Conflict, DomainError, NotAllowed
from rules_engine.systems import get_system
from scoring.games.doomtrooper.cards_in_play import act_on, acts_of
from scoring.games.doomtrooper.forms import GAME, ActForm, AtTable, CardForm, warriors
from scoring.games.doomtrooper.ledger_view import Game, entries_of, game_of, members_of, sides_of
from scoring.games.doomtrooper.words import describe_act, ended_in_words, endings, next_in_words
from scoring.sheets.forms.sheets import filed_content
from scoring.sheets.ledgers import live_acts, with_act
from scoring.sheets.selectors import content_of
from scoring.sheets.web.clock import clock_of, set_clock
from scoring.sheets.web.frames import Progress, SheetFrame, progress_of, show
from scoring.sheets.web.games import is_over
from scoring.sheets.web.sheets import filed
from scoring.sheets.web.writing import change_by_form, change_table, strike_out, writer_of

SHOWN = 30
"""So many acts stand on the page; the rest behind a link."""
BEGUN = ("kind", "player", "other", "card")
"""What an address may fill into the form for the next act."""


def ledger(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """GET <root>: totals, the cards in play, the form for the next act, every act.

    Asked for again with `seen`, nothing (204) while all is as it was. `kind`, `player`, `other` and `card` fill the
    form.
    """
    content = content_of(frame.sheet)
    try:
        game = game_of(content, frame.goes_first(content))
    except DomainError as error:
        return show(frame, "broken", reason=worded(error.wording))
    if request.headers.get("HX-Request") and request.GET.get("seen") == _mark(frame, content, progress_of(frame)):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    begun = {key: request.GET[key] for key in BEGUN if key in request.GET}
    form = ActForm(table=_table(frame, game), begun=begun)
    return show(frame, "doomtrooper/ledger", **_context(request, frame, game, form))


@require_POST
def add(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/add/: one act more. What cannot be read comes back with the form, and nothing is stored.

    So does what another phone may have written down after the entry `last`, the newest that the page showed; of a
    `quick` entry nothing was typed, and the ledger as it is says what was refused. The turn of a player without a
    warrior on the ledger says so, and counts (DT-NOWARRIOR).
    """
    content = content_of(frame.sheet)
    form = ActForm(request.POST, table=_table(frame, game_of(content, frame.goes_first(content))))
    if form.is_valid() and _add(request, frame, form):
        return HttpResponseRedirect(f"{frame.root}#board")
    if "quick" in request.POST:
        refused = form.non_field_errors() or [_("This move isn't possible now. Look at the board.")]
        messages.error(request, str(refused[0]))
        return HttpResponseRedirect(frame.root)
    content = content_of(frame.sheet)
    game = game_of(content, frame.goes_first(content))
    return show(frame, "doomtrooper/ledger", **_context(request, frame, game, form))


def _add(request: ActorRequest, frame: SheetFrame, form: ActForm) -> bool:
    act, by, now = form.act(), writer_of(frame), database_now()
    players, last = content_of(frame.sheet)["players"], posted_number(request, "last")

    def read(content: Mapping[str, Any]) -> Game:
        return game_of({**content, "players": players, "options": frame.sheet.options})

    def changed(content: Mapping[str, Any]) -> Mapping[str, Any]:
        if last is not None:
            _check_unwritten(act, (each for each in live_acts(content) if each["id"] > last), "quick" in request.POST)
        lacks = act["act"] == "turn" and read(content).lacks_warrior(act["player"])
        added = with_act(content, {**act, "warriors": 0} if lacks else act, by, now)
        read(added)
        return added

    return change_by_form(frame, form, changed)


def _check_unwritten(act: Mapping[str, Any], since: Iterable[Mapping[str, Any]], is_quick: bool) -> None:
    """Conflict "entry_since" where the newer entries hold one of the same kind and player.

    A quick entry is about the turn it was drawn in: it comes after no newer one.
    """
    for each in since:
        is_same = (each["act"], each.get("player")) == (act["act"], act.get("player"))
        if is_same or (is_quick and each["act"] == "turn"):
            said = _(
                "Not written down: “%(refused)s”. Another phone has just written “%(entry)s”. "
                "Enter yours again if it is another one."
            )
            raise Conflict("entry_since", said % {"refused": describe_act(act), "entry": describe_act(each)})


@require_POST
def put(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/card/ (card, act): what happened to a card in play.

    Conflict "card_gone" where it left play, or where it is already so.
    """
    form = CardForm(request.POST)
    if not form.is_valid():
        raise BadInput("bad_form", _("Choose what happened."))
    kind, given = form.cleaned_data["act"], form.cleaned_data["card"]
    by, now, sheet = writer_of(frame), database_now(), frame.sheet

    def changed(content: Mapping[str, Any]) -> Mapping[str, Any]:
        card = game_of({**content, "players": content_of(sheet)["players"], "options": sheet.options}).card(given)
        if card is None or kind not in acts_of(card):
            raise Conflict("card_gone", _("This card has changed, or left play. Look at the ledger."))
        return with_act(content, act_on(card, kind), by, now)

    change_table(frame, changed)
    return HttpResponseRedirect(f"{frame.root}#board")


@require_POST
def strike(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/strike/ (act): strike an act out; it stays on the ledger, crossed out. Conflict "act_gone"."""
    strike_out(request, frame)
    return HttpResponseRedirect(f"{frame.root}#board")


@require_POST
def file_ledger(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/file/: file the ledger; with `cards_allow` although acts break a rule (DT-CARDRULE)."""
    if not frame.may_file:
        raise NotAllowed("no_filing", frame.note or _("You can't file this sheet."))
    content = filed_content(frame.sheet)
    if request.POST.get("cards_allow"):
        content = {**content, "options": {**content["options"], "check_limits": False}}
    return filed(request, frame, content)


def _mark(frame: SheetFrame, content: Mapping[str, Any], progress: Progress) -> str:
    """What a page has seen: another one whenever the ledger, its clock or what became of it changed."""
    clock = clock_of(content, database_now())
    filed = progress.revision and (progress.revision.pk, progress.is_waiting, progress.returned)
    seen = (content, filed, clock and (clock.is_up, clock.warning), sorted(frame.places), frame.note)
    return sha256(repr(seen).encode()).hexdigest()[:16]


def _table(frame: SheetFrame, game: Game) -> AtTable:
    sides = tuple(str(player["name"]) for player in game.players)
    turn = game.tally["turn"] or game.following
    place = next((at for at, player in enumerate(game.players) if turn in members_of(player)), 0)
    other = sides[(place + 1) % len(sides)]
    counting = frozenset(game.tally["countdown"])
    return AtTable(game.people, sides, turn, other, frame.sheet.options, _has_next_game(frame, game), counting)


def _has_next_game(frame: SheetFrame, game: Game) -> bool:
    """Whether the game is over and the match of two sides is not."""
    is_duel = len(game.players) == 2 and bool(game.tally["ended_by"])
    return is_duel and not is_over(frame.length, game.match["games"])


def _context(request: ActorRequest, frame: SheetFrame, game: Game, form: ActForm) -> dict[str, Any]:
    entries, wrong = entries_of(game), game.match["violations"]
    shows_all = bool(request.GET.get("all"))
    progress = progress_of(frame)
    return {
        "game": game,
        "sides": sides_of(game),
        "form": form,
        "seen": _mark(frame, game.content, progress),
        "entries": entries if shows_all else entries[:SHOWN],
        "shows_all": shows_all,
        "hidden": 0 if shows_all else max(len(entries) - SHOWN, 0),
        "last": max((act["id"] for act in live_acts(game.content)), default=None),
        "wrong": [
            (worded(each["message"]), each["rule"], get_system(GAME).find_clause(each["rule"])) for each in wrong
        ],
        "ended": ended_in_words(game.tally),
        "has_next_game": _has_next_game(frame, game),
        "games": game.match["games"],
        "next_words": next_in_words(game.tally["next"]),
        "target": game.tally["goal"],
        "endings": endings(game.content["options"], game.tally["goal"]),
        "progress": progress,
        "changed": progress.revision is not None and _is_changed(progress.revision.content, game.content),
        "clock": clock_of(game.content, database_now()),
        "clock_choices": (30, 60, 90),
        "warriors": warriors(game.table.known).values(),
        "may_write": 0 in frame.places,
    }


def _is_changed(filed: Mapping[str, Any], content: Mapping[str, Any]) -> bool:
    """Whether an act was written or struck since the sheet was filed."""
    return live_acts(filed) != live_acts(content)


PAGES = {"": ledger, "add": add, "card": put, "strike": strike, "clock": set_clock, "file": file_ledger}
