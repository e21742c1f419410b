"""The board of a game as its page shows it: who holds what, the forms of the moves, every entry in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.http.wording import worded
from rules_engine.cards import normalise_name
from rules_engine.messages import Message
from rules_engine.systems import get_system
from scoring.sheets.boards import Board, BoardCard, Holder, Offer
from scoring.sheets.forms.boards import NAME, MoveForm
from scoring.sheets.ledgers import live_acts, struck_acts
from scoring.sheets.selectors import ABSENT
from scoring.sheets.web.board_about import About, Seen
from scoring.sheets.web.entries import Entry, newest_first
from scoring.sheets.web.frames import SheetFrame, title_of

FEW_MOVES, FEW_OTHERS, FEW_CARDS, FEW_ZONES = 2, 6, 2, 2
"""So many usual moves, other moves once they are asked for, and cards of a player not at turn on a phone, lie open;
more fold away. Players with no more zones than that stand close together, above all cards."""
SHOWN = 30
"""So many entries stand on the page; the rest behind a link."""
CLOCK_CHOICES = (30, 60, 90)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A card that a page suggests by its name: what else it says of it, and the number that is printed on it."""

    name: str
    words: str = ""
    printed: str = ""


Suggested = Callable[[SheetFrame], Sequence[Suggestion]]


def nothing(_frame: SheetFrame) -> Sequence[Suggestion]:
    """No card is suggested."""
    return ()


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card on the board with its name, states and links in words, and the forms of its moves."""

    card: BoardCard
    name: str
    states: list[tuple[str, str]]
    links: list[tuple[str, str]]
    forms: list[MoveForm]


@dataclass(frozen=True, slots=True)
class HolderShown:
    """What lies with one player, team or, without a name, in common; a zone is its count, label and notes.

    The cards of who `folds` fold away on a phone.
    """

    name: str
    team: str
    is_on: bool
    states: list[tuple[str, str]]
    zones: list[tuple[int, str, list[str]]]
    cards: list[CardShown]
    folds: bool


def context_of(
    frame: SheetFrame,
    subject: About,
    seen: Seen,
    board: Board,
    suggested: Sequence[Suggestion],
    refused: MoveForm | None,
    *,
    shows_all: bool,
) -> dict[str, Any]:
    """What the page of a board shows; `refused` comes back in the place of its form."""
    forms = [refused if refused and _is_of(refused, offer) else MoveForm(offer) for offer in board.offers]
    of_table = [form for form in forms if not form.offer.card]
    usual = [form for form in of_table if form.offer.is_usual]
    asking, others = [form for form in usual if form.fields], [form for form in of_table if not form.offer.is_usual]
    entries, holders = _entries(subject, board, seen), _holders(board, forms, refused)
    live, revision = live_acts(seen.held), seen.progress.revision if seen.progress else None
    ending, system = board.ending, get_system(frame.sheet.game)
    clause = system.find_clause(ending.clause) if ending else None
    return {
        "board": board,
        "games_part": f"scores/{frame.sheet.game}/games.html",
        "number": subject.number,
        "is_over": subject.is_over,
        "is_sheet": subject.ledger is not None,
        "aim": worded(board.aim) if board.aim else "",
        "phase": worded(board.phase),
        "notices": _lines(board.notices),
        "endings": _lines(board.endings),
        "holders": holders,
        "are_close": all(len(each.zones) <= FEW_ZONES for each in holders if each.name),
        "asking": asking,
        "presses": [form for form in usual if not form.fields],
        "are_many": len(usual) > FEW_MOVES or len(asking) > 1,
        "others": others,
        "are_others_many": len(others) > FEW_OTHERS,
        "refused": refused,
        "printed": _printed(suggested, refused),
        "suggested": suggested,
        "entries": entries if shows_all else entries[:SHOWN],
        "hidden": 0 if shows_all else max(len(entries) - SHOWN, 0),
        "shows_all": shows_all,
        "last": live[-1]["id"] if live else None,
        "seen": seen.mark,
        "may_write": 0 in frame.places,
        "ended": worded(ending.words) if ending else "",
        "ended_by": worded(ending.how) if ending and ending.how else _(clause.text) if clause else "",
        "replaced": [(each, title_of(frame.sheet, each)) for each in (replaced(frame, board.parts) if ending else ())],
        "wrong": [(worded(mark.words), mark.clause, system.find_clause(mark.clause)) for mark in board.wrong],
        "clock": seen.clock,
        "clock_choices": CLOCK_CHOICES,
        "progress": seen.progress,
        "changed": revision is not None and live_acts(revision.content) != live,
    }


def replaced(frame: SheetFrame, parts: Mapping[int, Mapping[str, Any]]) -> list[int]:
    """The places of this phone whose part holds something else than the board knows."""
    stored = {part.place: part.content for part in frame.sheet.parts.all() if part.content != ABSENT}
    return [
        place
        for place in sorted(frame.places & parts.keys() & stored.keys())
        if any(stored[place].get(key) not in (None, "", [], {}, value) for key, value in parts[place].items())
    ]


def _printed(suggested: Sequence[Suggestion], refused: MoveForm | None) -> Suggestion | None:
    """The card that a refused form names, where a number of it is printed."""
    key = normalise_name(str(refused.data.get(NAME) or "")) if refused else ""
    return next((each for each in suggested if key and each.printed and normalise_name(each.name) == key), None)


def _holders(board: Board, forms: Sequence[MoveForm], refused: MoveForm | None) -> list[HolderShown]:
    """What lies in common, then by player or team, each with its words and a card with its moves.

    Who is at turn comes first where cards lie by name, with the whole team, and so does a card that is due. Many cards
    of a player not at turn fold away on a phone.
    """
    told = {each.name: each for each in board.holders}
    named = [*told, *(zone.holder for zone in board.zones), *(card.holder for card in board.cards)]
    common, *by_name = [
        _holder(board, told.get(name, Holder(name)), forms, refused) for name in dict.fromkeys(["", *named])
    ]
    ordered = [common, *(_turned(by_name) if board.cards else by_name)]
    return [each for each in ordered if each.zones or each.cards or each.states or each.team]


def _holder(board: Board, holder: Holder, forms: Sequence[MoveForm], refused: MoveForm | None) -> HolderShown:
    name = holder.name
    is_on = bool(name) and name in (board.turn, *(each.team for each in board.holders if each.name == board.turn))
    own = sorted((card for card in board.cards if card.holder == name), key=lambda card: not card.is_due)
    is_asked = any(card.is_due or (refused and refused.offer.card == card.id) for card in own)
    return HolderShown(
        name,
        holder.team,
        is_on,
        _words(holder.states),
        [(zone.count, _(zone.label), _lines(zone.notes)) for zone in board.zones if zone.holder == name],
        [_card(card, forms) for card in own],
        folds=not is_on and len(own) > FEW_CARDS and not is_asked,
    )


def _turned(holders: Sequence[HolderShown]) -> list[HolderShown]:
    """The holders from the one at turn on, or from that one's team."""
    at = next((place for place, each in enumerate(holders) if each.is_on), 0)
    return [*holders[at:], *holders[:at]]


def _card(card: BoardCard, forms: Sequence[MoveForm]) -> CardShown:
    name = worded(card.name) if card.name else _("Card %(number)d") % {"number": card.number}
    own = [form for form in forms if form.offer.card == card.id]
    return CardShown(card, name, _words(card.states), _words(card.links), own)


def _is_of(form: MoveForm, offer: Offer) -> bool:
    asked = form.offer
    return (asked.act, asked.card, bool(asked.fields)) == (offer.act, offer.card, bool(offer.fields))


def _lines(messages: Sequence[Message]) -> list[str]:
    return [worded(each) for each in messages]


def _words(pairs: Sequence[tuple[str, Message]]) -> list[tuple[str, str]]:
    return [(each, worded(words)) for each, words in pairs]


def _entries(subject: About, board: Board, seen: Seen) -> list[Entry]:
    """Every move in words, those struck out among them."""
    entries = [
        Entry(act["id"], place, worded(each.words), act["by"],
              tuple((worded(mark.words), mark.clause) for mark in each.marks),
              each.gains, worded(each.note) if each.note else "")
        for place, (each, act) in enumerate(zip(board.played, live_acts(seen.held), strict=True), 1)
    ]  # fmt: skip
    return newest_first([*entries, *_struck(subject, board, seen)])


def _struck(subject: About, board: Board, seen: Seen) -> Iterator[Entry]:
    """The moves that were struck out: as a ledger tells them, else by their kind."""
    for act in struck_acts(seen.held):
        label = board.labels.get(str(act.get("act")), "")
        words = subject.ledger.describe(act) if subject.ledger else _(label) if label else ""
        if words is not None:
            yield Entry(act["id"], None, worded(words), act.get("struck_by", ""))
