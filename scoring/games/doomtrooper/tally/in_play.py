"""The cards in play in a Doomtrooper game, as its ledger tells them, and the actions of the turn.

The tally takes no account of this: it earns and costs nothing. A card that was never written down is not missed, and
what the ledger leaves out is not guessed. Cards go by their names: of several alike, an entry means the first it fits.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.messages import gettext_noop
from scoring.games.doomtrooper.tally.sheet import Act, Sheet
from scoring.games.doomtrooper.tally.table import ACTIONS, WARRIOR, CardInPlay, Table

ACTIONS_IN_COVER = 3
RELIC, WARZONE, ALLIANCE = "Relic", "Warzone", "Alliance"
COSTS = {"muster": 1, "meditate": 1, "cover": 1, "seek": 1, "exit": 1, "enter": 1, "sabotage": 1}
"""Actions that an entry takes in its player's own turn."""
FREE = (ALLIANCE, "Special", "Art")
"""Types of cards that take no action."""
ATTACKS: dict[str, tuple[str, ...]] = {
    "attack_secondary": (), "attack": ("attack_secondary",), "kill": ("attack_secondary", "attack"),
}  # fmt: skip
"""Entries of an attack, and after which of them each tells more of the same one."""

_Effect = Callable[[Table, Act, str], None]
"""What an entry does to the table; the third is whose it is."""


def lay_out(
    sheet: Sheet, known: Mapping[str, CardFacts], discarded: Collection[int] = (), out: Collection[str] = ()
) -> Table:
    """The table after all entries of a sheet; `known` cards by normalised name.

    `discarded` are the entries by which a revealed warrior was lost, as it could not be paid for (DT-COVER); `out` is
    who has left the game.
    """
    table = Table(known)
    for act in sheet.acts:
        owner = act.member or (sheet.sides[act.place].name if act.place is not None else "")
        _count_actions(table, act)
        if act.kind == "kill":
            _check_target(table, act, sheet, out)
        elif act.kind == "attack_secondary":
            table.paid_for.add(act.facts["target"][0])
        lost = _shown(table, act, owner) if act.number in discarded else None
        _EFFECTS.get(act.kind, _nothing)(table, act, owner)
        if lost:
            table.cards = [each for each in table.cards if each.act != lost.act]
    return table


def _name_of(act: Act) -> str:
    return str(act.facts.get("card") or "")


def _check_attack(table: Table, act: Act, turn: str) -> None:
    """One attack a turn, none in a player's first (DT-ATTACK)."""
    goes_on = table.attack in ATTACKS[act.kind]
    if table.turns[turn] == 1 and not goes_on:
        table.object_to(act, "DT-ATTACK", gettext_noop("No attack in a player's first turn."))
    elif table.attack and not goes_on and not act.facts.get("same_combat"):
        table.object_to(act, "DT-ATTACK", gettext_noop("One attack a turn, unless both kills are of one combat."))
    table.attack = act.kind


def _check_target(table: Table, act: Act, sheet: Sheet, out: Collection[str]) -> None:
    """Who kills a warrior of another than the primary target has paid for the attack in this turn (DT-MULTI)."""
    own, (place, _member), sides = act.place, act.facts["victim"], len(sheet.sides)
    if own is None or act.member != table.turn or sheet.options.mode != "primary_targets" or sides < 3:
        return
    between = [sheet.sides[(own + step) % sides] for step in range(1, (place - own) % sides)]
    if any(side.name not in out for side in between) and place not in table.paid_for:
        table.object_to(act, "DT-MULTI", gettext_noop("An attack on a secondary target costs 2 Destiny before."))


def _count_actions(table: Table, act: Act) -> None:
    """Three actions a turn, an attack the last of them (DT-ACTIONS)."""
    if table.turn is None or act.member != table.turn:
        return
    if act.kind in ATTACKS:
        _check_attack(table, act, table.turn)
    cost = _cost(table, act)
    if cost and table.attack:
        table.object_to(act, "DT-ACTIONS", gettext_noop("The attack is the last action of a turn."))
    elif cost and table.spent + cost > ACTIONS:
        table.object_to(act, "DT-ACTIONS", gettext_noop("A turn has three actions."))
    table.spent += cost


def _cost(table: Table, act: Act) -> int:
    if act.facts.get("in_cover"):
        return ACTIONS_IN_COVER
    if act.kind == "enter" and table.type_of(_name_of(act)) in FREE:
        return 0
    return COSTS.get(act.kind, 0)


def _nothing(table: Table, act: Act, owner: str) -> None:
    """Nothing comes into play, changes or leaves."""


def _turn(table: Table, act: Act, owner: str) -> None:
    table.turn, table.spent, table.attack = owner, 0, ""
    table.paid_for.clear()
    table.turns[owner] = table.turns.get(owner, 0) + 1
    if "warriors" in act.facts:
        table.fit = table.fit | {owner} if act.facts["warriors"] else table.fit - {owner}


def _fit(table: Table, act: Act, owner: str) -> None:
    table.fit.add(owner)


def _end_turn(table: Table, act: Act, owner: str) -> None:
    table.turn = None


def _muster(table: Table, act: Act, owner: str) -> None:
    name, in_cover, fights = _name_of(act), bool(act.facts.get("in_cover")), bool(act.facts.get("fights", True))
    card = CardInPlay(act.number, owner, name, WARRIOR, table.value_of(name), in_cover, in_cover, fights=fights)
    table.lists_warriors = True
    table.cards.append(card)
    if not in_cover:
        _check_personality(table, act, card)


def _check_personality(table: Table, act: Act, card: CardInPlay) -> None:
    """One of each PERSONALITY over all players, as far as they are known (DT-PERSONALITY)."""
    key = normalise_name(card.name)
    if table.printed(card.name, "personality") == "yes" and any(
        each is not card and not each.is_unpaid and normalise_name(each.name) == key for each in table.cards
    ):
        table.object_to(act, "DT-PERSONALITY", gettext_noop("%(name)s is in play already."), name=card.name)


def _shown(table: Table, act: Act, owner: str) -> CardInPlay | None:
    """The warrior that shows itself: one mustered in cover before another of its name."""
    key = normalise_name(_name_of(act))
    unpaid = [each for each in table.of(owner) if each.is_unpaid]
    fitting = [each for each in unpaid if not key or normalise_name(each.name) in ("", key)]
    return max(fitting, key=lambda card: card.name, default=None) or table.find(owner, _name_of(act), "in_cover")


def _reveal(table: Table, act: Act, owner: str) -> None:
    """A warrior mustered in cover shows itself; in the turn of another it was attacked and stays there (DT-SEEK)."""
    card = _shown(table, act, owner)
    if card is None:
        return
    name = _name_of(act) or card.name
    stays = card.in_cover and table.turn not in (None, owner)
    shown = replace(card, name=name, value=table.value_of(name), in_cover=stays, is_unpaid=False)
    table.change(card, shown)
    _check_personality(table, act, shown)


def _alter(wanted: str, **after: Any) -> _Effect:
    """What turns a warrior, one of whom `wanted` holds if there is one, into one of whom `after` does."""

    def altered(table: Table, act: Act, owner: str) -> None:
        if card := table.find(owner, _name_of(act), wanted, "not is_unpaid"):
            table.change(card, replace(card, **after))

    return altered


_hide = _alter("not in_cover", in_cover=True)


def _seek(table: Table, act: Act, owner: str) -> None:
    """A warrior seeks cover; one of them stays outside (DT-SEEK-ONE)."""
    _hide(table, act, owner)
    warriors = [each for each in table.of(owner) if each.is_warrior]
    if warriors and all(each.in_cover for each in warriors):
        table.object_to(act, "DT-SEEK-ONE", gettext_noop("One warrior stays out of cover."))


def _kill(table: Table, act: Act, owner: str) -> None:
    _place, member = act.facts["victim"]
    _leave(table, act, member or "")


def _leave(table: Table, act: Act, owner: str) -> None:
    table.fit.discard(owner)
    if card := table.find(owner, _name_of(act), "is_wounded"):
        table.change(card, None)


def _enter(table: Table, act: Act, owner: str) -> None:
    """Another card than a warrior: Relics and Alliances are unique, of a Warzone each player has one copy."""
    name = _name_of(act)
    kind, key = table.type_of(name), normalise_name(name)
    same = [each for each in table.cards if normalise_name(each.name) == key]
    if kind in (RELIC, ALLIANCE) and same:
        clause = "DT-RELIC" if kind == RELIC else "DT-ALLIANCE"
        table.object_to(act, clause, gettext_noop("%(name)s is in play already."), name=name)
    elif kind == WARZONE and any(each.owner == owner for each in same):
        table.object_to(act, "DT-WARZONE", gettext_noop("%(owner)s has this Warzone already."), owner=owner)
    elif kind == ALLIANCE and any(each.type == ALLIANCE for each in table.of(owner)):
        table.object_to(act, "DT-ALLIANCE", gettext_noop("%(owner)s has an Alliance already."), owner=owner)
    table.cards.append(CardInPlay(act.number, owner, name, kind))


def _discard(table: Table, act: Act, owner: str) -> None:
    key = normalise_name(_name_of(act))
    cards = (each for each in table.of(owner) if not each.is_warrior and normalise_name(each.name) == key)
    if card := next(cards, None):
        table.change(card, None)


def _concede(table: Table, act: Act, owner: str) -> None:
    """The cards of who leaves the game leave with them."""
    table.cards = [each for each in table.cards if each.owner != owner]


_EFFECTS: dict[str, _Effect] = {
    "turn": _turn, "fit": _fit, "end_turn": _end_turn, "muster": _muster, "cover": _reveal, "seek": _seek,
    "exit": _alter("in_cover", in_cover=False), "wound": _alter("not is_wounded", is_wounded=True),
    "heal": _alter("is_wounded", is_wounded=False), "kill": _kill, "leave": _leave, "enter": _enter,
    "discard": _discard, "concede": _concede,
}  # fmt: skip
