"""The board of a game, kept beside its score sheet by everybody at the table: any phone moves, all phones follow.

A game that has a board gives `board_pages(play, about)` among its own pages. What is kept stands in the table's part of
the sheet as {"board": {"game": its number in the match, "acts": […], "struck": […]}} (`scoring.sheets.ledgers`); the
board of the next game takes its place.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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
from rules_engine.errors import Conflict, NotAllowed, TooMany
from rules_engine.systems import get_system
from scoring.sheets.boards import BOARD, Board, BoardCard, Move, Offer, Play
from scoring.sheets.forms.boards import HandForm, MoveForm
from scoring.sheets.ledgers import live_acts, struck_acts, with_act, without_act
from scoring.sheets.selectors import ABSENT, content_of
from scoring.sheets.web.entries import Entry, newest_first
from scoring.sheets.web.frames import SheetFrame, show, title_of
from scoring.sheets.web.hands import hand_of, keep_hand, take_from_hand
from scoring.sheets.web.own_pages import OwnPages
from scoring.sheets.web.writing import change_by_form, strike_out, writer_of

PLAY = "play"
"""The move that brings a named card from a player's hand on the board."""
FEW_MOVES, FEW_CARDS = 2, 2
"""So many usual moves, and cards of a player not at turn on a phone, lie open; with more they fold away."""
MOST_MOVES = 600
"""So many entries a game, struck out or not: far more than any game has."""


@dataclass(frozen=True, slots=True)
class About:
    """What a board is about: the players in the order of the sheet, who is to go first ("" for anybody), the
    number of the game.

    `is_over` once no further game is played; the game is written down at `<root>play/add/`.
    """

    names: Sequence[str]
    first: str
    number: int
    is_over: bool


Complete = Callable[[SheetFrame, Move], Move]
"""What becomes of a move before it is kept, as what is printed on its card; DomainError where it cannot be kept."""
Suggested = Callable[[SheetFrame], Sequence[tuple[str, str]]]
"""The cards that a page suggests: their names, and what else it says of each."""


def unchanged(_frame: SheetFrame, move: Move) -> Move:
    """A move that needs nothing more."""
    return move


def nothing(_frame: SheetFrame) -> Sequence[tuple[str, str]]:
    """No card is suggested."""
    return ()


def board_pages(
    play: Play, about: Callable[[SheetFrame], About], complete: Complete = unchanged, suggested: Suggested = nothing
) -> OwnPages:
    """The pages of a game's board by name: "board" shows it, "move" adds a move, "unmove" strikes one out, "hand" notes
    the hand of the phone's player, "fill" takes the board over to the sheet."""

    def shown(
        request: ActorRequest, frame: SheetFrame, refused: MoveForm | None = None, noted: HandForm | None = None
    ) -> HttpResponse:
        subject = about(frame)
        context = _context(play, subject, frame, refused)
        hand = _hand(request, frame, subject, context["board"], noted)
        return show(frame, "board", suggested=suggested(frame), hand=hand, **context)

    def board(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """GET <root>play/board/: the game as it stands; asked for again with `seen`, nothing (204) while it is so."""
        if request.headers.get("HX-Request") and request.GET.get("seen") == _mark(_held(frame, about(frame))):
            return HttpResponse(status=HTTPStatus.NO_CONTENT)
        return shown(request, frame)

    @require_POST
    def move(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """POST <root>play/move/ (act, its fields, seen): one move more. What is refused comes back with its form."""
        subject = about(frame)
        stands = _play(play, frame, subject, live_acts(_held(frame, subject)))
        asked = request.POST.get("act", ""), posted_number(request, "card") or 0
        offer = next((each for each in stands.offers if (each.act, each.card) == asked), None)
        form = MoveForm(offer or Offer(asked[0][:20], ""), request.POST)
        if offer is None:
            form.add_error(None, _("This move isn't possible now. Look at the board."))
        if form.is_valid() and _stored(frame, subject, form, request.POST.get("seen", ""), complete):
            if (asked[0], request.POST.get("player")) == (PLAY, writer_of(frame)):
                take_from_hand(request, frame, subject.number, request.POST.get("name", ""))
            return HttpResponseRedirect(f"{frame.root}play/board/")
        return shown(request, frame, form)

    @require_POST
    def hand(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """POST <root>play/hand/ (name, or out: a place from 1): note a card of your hand, or take one out.

        NotAllowed "no_hand" for a phone that writes for no player with a hand on the board, or for several.
        """
        subject = about(frame)
        number, out = subject.number, posted_number(request, "out")
        if writer_of(frame) not in _play(play, frame, subject, live_acts(_held(frame, subject))).hands:
            raise NotAllowed("no_hand", _("Only a phone that writes for one player keeps a hand."))
        cards = hand_of(request, frame, number)
        form = HandForm(request.POST)
        if out is not None:
            keep_hand(request, frame, number, [card for place, card in enumerate(cards, 1) if place != out])
        elif form.is_valid():
            keep_hand(request, frame, number, [*cards, form.cleaned_data["name"]])
        else:
            return shown(request, frame, noted=form)
        return HttpResponseRedirect(f"{frame.root}play/board/#hand")

    @require_POST
    def unmove(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """POST <root>play/unmove/ (act): strike a move out; it stays, crossed out. Conflict "act_gone"."""
        subject = about(frame)
        strike_out(
            request, frame, lambda content, *given: {**content, BOARD: without_act(_of(content, subject), *given)}
        )
        return HttpResponseRedirect(f"{frame.root}play/board/")

    @require_POST
    def fill(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """POST <root>play/fill/ (replaces, a place, several times): what the board knows goes on those parts of the
        sheet that this phone writes. Other text that was typed stays, and is shown, unless the POST `replaces` it.
        """
        subject = about(frame)
        parts = _play(play, frame, subject, live_acts(_held(frame, subject))).parts
        agreed = {str(place) for place in request.POST.getlist("replaces")}
        if not {str(place) for place in _replaced(frame, parts)} <= agreed:
            messages.warning(request, _("The sheet has changed. See below whose part this replaces."))
            return HttpResponseRedirect(f"{frame.root}play/board/")
        for place in sorted(frame.places & parts.keys()):
            frame.change(place, partial(_filled, parts[place]))
        return HttpResponseRedirect(frame.root)

    return {"board": board, "move": move, "unmove": unmove, "hand": hand, "fill": fill}


def _replaced(frame: SheetFrame, parts: Mapping[int, Mapping[str, Any]]) -> list[int]:
    """The places of this phone whose part holds something else than the board knows."""
    stored = {part.place: part.content for part in frame.sheet.parts.all() if part.content != ABSENT}
    return [
        place
        for place in sorted(frame.places & parts.keys() & stored.keys())
        if any(stored[place].get(key) not in (None, "", [], {}, value) for key, value in parts[place].items())
    ]


def _filled(known: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
    """A part with what the board knows; that of a player who did not come stays as it is."""
    if content == ABSENT:
        return dict(content)
    return {key: value for key, value in {**content, **known}.items() if value is not None or key not in known}


def _stored(frame: SheetFrame, subject: About, form: MoveForm, seen: str, complete: Complete) -> bool:
    """Keep a move, unless the board has changed since it was `seen`."""
    by, now = writer_of(frame), database_now()

    def moved(content: Mapping[str, Any]) -> dict[str, Any]:
        held = _of(content, subject)
        if _mark(held) != seen:
            raise Conflict("board_moved", _("The board has changed. Look at it, then move again."))
        if len(live_acts(held)) + len(struck_acts(held)) >= MOST_MOVES:
            raise TooMany("too_many_moves", _("This board is full: write the game down."))
        return {**content, BOARD: with_act(held, complete(frame, form.move()), by, now)}

    return change_by_form(frame, form, moved)


def _of(content: Mapping[str, Any], subject: About) -> dict[str, Any]:
    """What is kept of the board of one game; of another game's nothing."""
    held = content.get(BOARD)
    return dict(held) if isinstance(held, Mapping) and held.get("game") == subject.number else {"game": subject.number}


def _held(frame: SheetFrame, subject: About) -> dict[str, Any]:
    return _of(content_of(frame.sheet), subject)


def _mark(held: Mapping[str, Any]) -> str:
    """What a page has seen of a board: another one whenever a move was added or struck out."""
    live, struck = live_acts(held), struck_acts(held)
    return f"{held['game']}-{len(live)}-{len(struck)}"


def _play(play: Play, frame: SheetFrame, subject: About, moves: Sequence[Mapping[str, Any]]) -> Board:
    return play(subject.names, subject.first, frame.sheet.options, moves)


def _context(play: Play, subject: About, frame: SheetFrame, refused: MoveForm | None) -> dict[str, Any]:
    held = _held(frame, subject)
    live = live_acts(held)
    board = _play(play, frame, subject, live)
    forms = [refused if refused and _is_of(refused, offer) else MoveForm(offer) for offer in board.offers]
    of_table = [form for form in forms if not form.offer.card]
    usual = [form for form in of_table if form.offer.is_usual]
    asking = [form for form in usual if form.fields]
    ending = board.ending
    return {
        "board": board,
        "number": subject.number,
        "is_over": subject.is_over,
        "phase": worded(board.phase),
        "holders": _holders(board, forms, refused),
        "asking": asking,
        "presses": [form for form in usual if not form.fields],
        "are_many": len(usual) > FEW_MOVES or len(asking) > 1,
        "others": [form for form in of_table if not form.offer.is_usual],
        "refused": refused,
        "entries": _entries(board, live, struck_acts(held)),
        "last": live[-1]["id"] if live else None,
        "seen": _mark(held),
        "ended": worded(ending.words) if ending else "",
        "replaced": [(place, title_of(frame.sheet, place)) for place in _replaced(frame, board.parts) if ending],
        "ended_by": get_system(frame.sheet.game).find_clause(ending.clause) if ending else None,
        "may_write": 0 in frame.places,
    }


def _hand(
    request: ActorRequest, frame: SheetFrame, subject: About, board: Board, noted: HandForm | None
) -> dict[str, Any] | None:
    """The hand of the one player whom the phone writes for, each card with the move that plays it, if one does.

    None where the board has no hand of that player.
    """
    name, offer = writer_of(frame), next((each for each in board.offers if each.act == PLAY), None)
    if not name or name not in board.hands:
        return None
    cards = hand_of(request, frame, subject.number)
    usual = {each.name: "" if each.may_lack else each.usual for each in offer.fields} if offer else {}
    plays = [(card, {**usual, "act": PLAY, "player": name, "name": card} if offer else None) for card in cards]
    return {"cards": plays, "form": noted or HandForm()}


def _holders(
    board: Board, forms: Sequence[MoveForm], refused: MoveForm | None
) -> list[tuple[str, list[Any], list[Any], bool]]:
    """What lies in common, then by player: (name, zones, cards, folds), each with its words and a card with its moves.

    Who is at turn comes first where cards lie by name, and so does a card that is due. Many cards of a player not at
    turn fold away on a phone.
    """
    zones = [(zone, _(zone.label), [worded(each) for each in zone.notes]) for zone in board.zones]
    cards = [
        (card, _states(card), [form for form in forms if form.offer.card == card.id])
        for card in sorted(board.cards, key=lambda card: not card.is_due)
    ]
    common, *names = dict.fromkeys(["", *(zone.holder for zone in board.zones), *(card.holder for card in board.cards)])
    at = names.index(board.turn) if board.cards and board.turn in names else 0
    holders = []
    for name in (common, *names[at:], *names[:at]):
        own = [card for card in cards if card[0].holder == name]
        is_asked = any(card.is_due or (refused and refused.offer.card == card.id) for card, _states, _forms in own)
        folds = name != board.turn and len(own) > FEW_CARDS and not is_asked
        holders.append((name, [zone for zone in zones if zone[0].holder == name], own, folds))
    return [each for each in holders if each[1] or each[2]]


def _is_of(form: MoveForm, offer: Offer) -> bool:
    return (form.offer.act, form.offer.card) == (offer.act, offer.card)


def _states(card: BoardCard) -> list[tuple[str, str]]:
    return [(look, worded(words)) for look, words in card.states]


def _entries(board: Board, live: Sequence[Mapping[str, Any]], struck: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """Every move in words, those struck out among them."""
    entries = [
        Entry(act["id"], place, worded(each.words), act["by"],
              tuple((worded(mark.words), mark.clause) for mark in each.marks))
        for place, (each, act) in enumerate(zip(board.played, live, strict=True), 1)
    ]  # fmt: skip
    labels = {key: _(label) for key, label in board.labels.items()}
    gone = [Entry(act["id"], None, labels.get(str(act.get("act")), ""), act.get("struck_by", "")) for act in struck]
    return newest_first([*entries, *gone])
