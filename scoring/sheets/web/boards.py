"""The board of a game, beside its score sheet or as the sheet itself: any phone at the table moves, all phones follow.

A game that has a board gives `board_pages(about)` among its own pages, and `ledger_pages(about)` where the moves are
what its sheet consists of.
"""

from collections.abc import Callable, Mapping, Sequence
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
from rules_engine.errors import DomainError, NotAllowed
from rules_engine.messages import gettext_noop
from scoring.sheets.boards import Board, Move, Offer
from scoring.sheets.forms.boards import HandForm, MoveForm
from scoring.sheets.forms.sheets import filed_content
from scoring.sheets.ledgers import live_acts, with_act, without_act
from scoring.sheets.selectors import ABSENT, content_of
from scoring.sheets.web.board_about import About, look_at
from scoring.sheets.web.board_shown import Suggested, context_of, nothing, replaced
from scoring.sheets.web.clock import set_clock
from scoring.sheets.web.frames import SheetFrame, show
from scoring.sheets.web.hands import hand_of, keep_hand, take_from_hand
from scoring.sheets.web.own_pages import OwnPages
from scoring.sheets.web.sheets import filed
from scoring.sheets.web.writing import change_by_form, strike_out, writer_of

PLAY = "play"
"""The move that brings a named card from a player's hand on the board."""
Subject = Callable[[SheetFrame, Mapping[str, Any]], About]
"""What the board of a sheet with this content is about."""
Complete = Callable[[SheetFrame, Move, Sequence[Move]], Move]
"""What becomes of a move before it is kept after those written, as what is printed on its card; DomainError where it
cannot be kept."""


def unchanged(_frame: SheetFrame, move: Move, _before: Sequence[Move]) -> Move:
    """A move that needs nothing more."""
    return move


def ledger_pages(about: Subject, complete: Complete, suggested: Suggested) -> OwnPages:
    """The pages of a sheet that is its board: "" shows it, and it is filed from there; it has a clock.

    The games of its match stand in the game's template "games", which takes `games` and `sides`.
    """
    pages = board_pages(about, complete, suggested)
    return {"": pages["board"], "move": pages["move"], "unmove": pages["unmove"], "clock": set_clock, "file": _file}


def board_pages(about: Subject, complete: Complete = unchanged, suggested: Suggested = nothing) -> OwnPages:
    """The pages of a game's board by name: "board" shows it, "move" adds a move, "unmove" strikes one out, "hand" notes
    the hand of the phone's player, "fill" takes the board over to the sheet."""

    def shown(
        request: ActorRequest, frame: SheetFrame, refused: MoveForm | None = None, noted: HandForm | None = None
    ) -> HttpResponse:
        content = content_of(frame.sheet)
        subject = about(frame, content)
        try:
            board = subject.stands(content)
        except DomainError as error:
            return show(frame, "broken", reason=worded(error.wording))
        seen, shows_all = look_at(frame, subject, content), bool(request.GET.get("all"))
        context = context_of(frame, subject, seen, board, suggested(frame), refused, shows_all=shows_all)
        hand = _hand(request, frame, subject, board, noted)
        return show(frame, "board", hand=hand, home=_home(frame, subject), **context)

    def board(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """GET <root>play/board/: the game as it stands; asked for again with `seen`, nothing (204) while it is so."""
        if request.headers.get("HX-Request"):
            content = content_of(frame.sheet)
            if request.GET.get("seen") == look_at(frame, about(frame, content), content).mark:
                return HttpResponse(status=HTTPStatus.NO_CONTENT)
        return shown(request, frame)

    @require_POST
    def move(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """POST <root>play/move/ (act, its fields, seen): one move more. What is refused comes back with its form.

        Of a `press` nothing was typed: the board as it is says what was refused.
        """
        content = content_of(frame.sheet)
        subject = about(frame, content)
        asked = request.POST.get("act", ""), posted_number(request, "card") or 0
        offer = _offered(subject.stands(content).offers, *asked)
        form = MoveForm(offer or Offer(asked[0][:20], ""), request.POST)
        if offer is None:
            form.add_error(None, _("This move isn't possible now. Look at the board."))
        if form.is_valid() and _stored(request, frame, subject, form, complete):
            if (asked[0], request.POST.get("player")) == (PLAY, writer_of(frame)):
                take_from_hand(request, frame, subject.number, request.POST.get("name", ""))
            return HttpResponseRedirect(_home(frame, subject))
        if "press" in request.POST:
            refused = form.non_field_errors() or [_("This move isn't possible now. Look at the board.")]
            messages.error(request, str(refused[0]))
            return HttpResponseRedirect(_home(frame, subject))
        return shown(request, frame, form)

    @require_POST
    def hand(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """POST <root>play/hand/ (name, or out: a place from 1): note a card of your hand, or take one out.

        NotAllowed "no_hand" for a phone that writes for no player with a hand on the board, or for several.
        """
        content = content_of(frame.sheet)
        subject = about(frame, content)
        number, out = subject.number, posted_number(request, "out")
        if writer_of(frame) not in subject.stands(content).hands:
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
        subject = about(frame, content_of(frame.sheet))
        strike_out(
            request, frame, lambda content, *given: subject.kept(content, without_act(subject.held(content), *given))
        )
        return HttpResponseRedirect(_home(frame, subject))

    @require_POST
    def fill(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
        """POST <root>play/fill/ (replaces, a place, several times): what the board knows goes on those parts of the
        sheet that this phone writes. Other text that was typed stays, and is shown, unless the POST `replaces` it.
        """
        content = content_of(frame.sheet)
        parts = about(frame, content).stands(content).parts
        agreed = {str(place) for place in request.POST.getlist("replaces")}
        if not {str(place) for place in replaced(frame, parts)} <= agreed:
            messages.warning(request, _("The sheet has changed. See below whose part this replaces."))
            return HttpResponseRedirect(f"{frame.root}play/board/")
        for place in sorted(frame.places & parts.keys()):
            frame.change(place, partial(_filled, parts[place]))
        return HttpResponseRedirect(frame.root)

    return {"board": board, "move": move, "unmove": unmove, "hand": hand, "fill": fill}


@require_POST
def _file(request: ActorRequest, frame: SheetFrame) -> HttpResponse:
    """POST <root>play/file/: file the sheet; with `cards_allow` although moves break a rule."""
    if not frame.may_file:
        raise NotAllowed("no_filing", frame.note or _("You can't file this sheet."))
    content = filed_content(frame.sheet)
    if request.POST.get("cards_allow"):
        content = {**content, "options": {**content["options"], "check_limits": False}}
    return filed(request, frame, content)


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
    usual = {each.name: "" if each.may_lack else str(each.usual) for each in offer.fields} if offer else {}
    plays = [Offer(PLAY, gettext_noop("Play"), preset={**usual, "player": name, "name": card}) for card in cards]
    forms = [MoveForm(each) if offer else None for each in plays]
    return {"cards": list(zip(cards, forms, strict=True)), "form": noted or HandForm()}


def _home(frame: SheetFrame, subject: About) -> str:
    return frame.root if subject.ledger else f"{frame.root}play/board/"


def _offered(offers: Sequence[Offer], act: str, card: int) -> Offer | None:
    """The offer of an act; what one press gives is asked for by another offer of the act, where there is one."""
    fitting = [each for each in offers if (each.act, each.card) == (act, card)]
    return next((each for each in fitting if each.fields), fitting[0] if fitting else None)


def _filled(known: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
    """A part with what the board knows; that of a player who did not come stays as it is."""
    if content == ABSENT:
        return dict(content)
    return {key: value for key, value in {**content, **known}.items() if value is not None or key not in known}


def _stored(request: ActorRequest, frame: SheetFrame, subject: About, form: MoveForm, complete: Complete) -> bool:
    """Keep a move, unless what was written since its page was drawn speaks against it."""
    by, now, seen = writer_of(frame), database_now(), request.POST.get("seen", "")

    def moved(content: Mapping[str, Any]) -> dict[str, Any]:
        held = subject.held(content)
        made = complete(frame, form.move(), live_acts(held))
        subject.check_seen(held, seen, made, is_press="press" in request.POST)
        return subject.kept(content, with_act(held, made, by, now))

    return change_by_form(frame, form, moved)
