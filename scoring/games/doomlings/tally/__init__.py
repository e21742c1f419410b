"""The tally of Doomlings: what a table scores at World's End, every point on a line with its card (DL-SCORE)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from typing import Any

from rules_engine.errors import DomainError
from rules_engine.messages import Message, Sentence, gettext_noop
from scoring.games.doomlings.tally.bonuses import looks_around, points_given, points_of
from scoring.games.doomlings.tally.cards import Trait
from scoring.games.doomlings.tally.catastrophes import AROUND, catastrophe_points
from scoring.games.doomlings.tally.limits import violations_of
from scoring.games.doomlings.tally.options import OPTIONS
from scoring.games.doomlings.tally.piles import Pile, lay_out
from scoring.games.doomlings.tally.questions import ask_for_draw, questions_of
from scoring.games.doomlings.tally.sheet import SUMS, Player, Sheet, read_sheet
from scoring.games.doomlings.tally.ties import open_tie, tied_of, winners_of
from scoring.sheets.tallies.json_reader import bad_sheet
from scoring.sheets.tallies.registry import Tallier

KINDS = dict(zip(SUMS, ("face", "bonus", "catastrophe"), strict=True))
"""The kind of a line by the sum it is counted in."""

FROM_HAND = "if_in_hand_at_end"


def tally(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """What the players of a sheet score, as JSON: see `doomlings_sheet` for what goes in.

    {"players": [{"name", "score", "face_value", "bonus", "catastrophe", "lines": [{"card", "kind", "points"}]}],
    "winners": [names], "violations": [{"rule", "player", "message", "cards"}]}; a player's lines add up to the score.
    Raises DomainError "bad_sheet", with all "violations" where limits are broken and not merely reported.
    """
    read = read_sheet(sheet)
    piles = lay_out(read)
    _require_piles(read, piles)
    players = _count(read, piles)
    winners = winners_of(read, {player["name"]: player["score"] for player in players})
    violations = [*violations_of(read, piles), *open_tie(read, winners)]
    serious = [violation.as_json() for violation in violations if violation.serious]
    if serious and read.options["check_limits"]:
        raise DomainError("bad_sheet", reduce(_together, (each["message"] for each in serious)), violations=serious)
    return {"players": players, "winners": winners, "violations": [each.as_json() for each in violations]}


def _together(first: Sentence, then: Sentence) -> Sentence:
    return Sentence(Message("%(first)s %(then)s", {"first": first, "then": then}))


def questions(sheet: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the cards of a sheet, still a draft perhaps, ask of its players: see `questions_of`.

    DomainError "bad_sheet" where something on it cannot be read.
    """
    read = read_sheet(sheet, draft=True)
    piles = lay_out(read)
    asked = questions_of(read, piles)
    if not all(player.given & {"traits", "sums"} for player in read.players):
        return asked
    winners, drawn = tied_of(read, {player["name"]: player["score"] for player in _count(read, piles)})
    return [*asked, ask_for_draw(winners, drawn + 1)] if open_tie(read, winners) else asked


def _require_piles(sheet: Sheet, piles: Sequence[Pile]) -> None:
    """Refuse a sheet on which something counts on the pile of a player who gave only sums."""
    without = [pile.player.name for pile in piles if not pile.known]
    if not without:
        return
    cards = [card.trait.name for pile in piles for card in pile.cards if card.bonus and looks_around(card.bonus)]
    if sheet.catastrophe and sheet.catastrophe.gold.kind in AROUND and any(pile.known for pile in piles):
        cards.append(sheet.catastrophe.name)
    if cards:
        raise bad_sheet(
            gettext_noop("“%(card)s” needs the traits of %(players)s, or sums for all."),
            card=cards[0], players=", ".join(without),
        )  # fmt: skip


def _count(sheet: Sheet, piles: Sequence[Pile]) -> list[dict[str, Any]]:
    return [_player_line(player, list(_lines(sheet, piles, place))) for place, player in enumerate(sheet.players)]


def _player_line(player: Player, lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    sums = {key: sum(line["points"] for line in lines if line["kind"] == kind) for key, kind in KINDS.items()}
    return {"name": player.name, "score": sum(sums.values()), **sums, "lines": list(lines)}


def _line(card: str, kind: str, points: int) -> dict[str, Any]:
    return {"card": card, "kind": kind, "points": points}


def _lines(sheet: Sheet, piles: Sequence[Pile], place: int) -> Iterator[dict[str, Any]]:
    """A player's lines: faces, own bonuses, what others' cards give or take, and the catastrophe."""
    pile = piles[place]
    if pile.player.sums is not None:
        yield from (_line("", KINDS[key], points) for key, points in pile.player.sums.items())
        return
    for card in pile.cards:
        if card.face is not None:
            yield _line(card.trait.name, "face", card.face)
    for card in pile.cards:
        if card.trait.drop_of_life:
            points = points_of(card.bonus, piles, place, card) if card.bonus else 0
            yield _line(card.trait.name, "bonus", points)
    yield from _from_hand(pile.player.hand)
    yield from _from_others(piles, place)
    if sheet.catastrophe:
        added = sheet.options["second_dominant"] == "added"
        points_or_none = catastrophe_points(sheet.catastrophe, piles, place, second_added=added)
        if points_or_none is not None:
            yield _line(sheet.catastrophe.name, "catastrophe", points_or_none)


def _from_hand(hand: Sequence[Trait]) -> Iterator[dict[str, Any]]:
    for trait in hand:
        if trait.bonus is not None and trait.bonus.kind == FROM_HAND:
            yield _line(trait.name, "bonus", trait.bonus.params["amount"])


def _from_others(piles: Sequence[Pile], place: int) -> Iterator[dict[str, Any]]:
    for owner, pile in enumerate(piles):
        for card in pile.cards if owner != place else ():
            if card.bonus and (points := points_given(card.bonus, piles, owner, card, place)):
                yield _line(card.trait.name, "bonus", points)


TALLIER = Tallier(tally=tally, options=OPTIONS, read=partial(read_sheet, draft=True))
