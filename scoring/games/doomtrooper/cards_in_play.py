"""The cards in play on the page of a Doomtrooper ledger: their state in words, and what can happen to each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.games.doomtrooper.forms import CARD_KINDS
from scoring.games.doomtrooper.tally.table import CardInPlay, Table


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card in play; `id` is that of the entry that brought it.

    `states` are a style and words each, `acts` what a button says of it: kind and words, `links` lead to the form with
    what is known: address and words.
    """

    id: int
    name: str
    states: tuple[tuple[str, str], ...]
    acts: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]


def lines_of(table: Table, owner: str, ids: Mapping[int, int]) -> list[CardLine]:
    """The cards of a player, in the order they came; `ids` are those of the entries by their number."""
    return [
        CardLine(
            ids[card.act], _name(card), tuple(_states(table, card)), tuple(_acts(card)), tuple(_links(table, card))
        )
        for card in table.of(owner)
    ]


def act_on(card: CardInPlay, kind: str) -> dict[str, Any]:
    """The act that a button of a card stands for."""
    return {"act": kind, "player": card.owner, **({"card": card.name} if card.name else {})}


def acts_of(card: CardInPlay) -> list[str]:
    """What can happen to a card, besides what the form asks more about."""
    if not card.is_warrior:
        return ["discard"]
    if card.is_unpaid:
        return ["leave"]
    return ["heal" if card.is_wounded else "wound", "exit" if card.in_cover else "seek", "leave"]


def _name(card: CardInPlay) -> str:
    return card.name or _("A warrior")


def _states(table: Table, card: CardInPlay) -> list[tuple[str, str]]:
    found = [
        ("wait", _("wounded"), card.is_wounded),
        ("plain", _("in cover"), card.in_cover),
        ("plain", _("not paid yet"), card.is_unpaid),
        ("plain", _("no part in combat"), card.is_warrior and not card.fights),
        ("plain", _ratings(table, card), card.is_warrior and bool(table.printed(card.name, "fight"))),
        ("plain", _("Value %(value)d") % {"value": card.value or 0}, card.value is not None),
        ("plain", _(card.type), bool(card.type) and not card.is_warrior),
    ]
    return [(look, words) for look, words, holds in found if holds]


def _ratings(table: Table, card: CardInPlay) -> str:
    """The printed ratings of a warrior, shortened as players do."""
    printed = {key: table.printed(card.name, key) for key in ("fight", "shoot", "armor")}
    return _("F %(fight)s · S %(shoot)s · A %(armor)s") % printed


def _acts(card: CardInPlay) -> list[tuple[str, str]]:
    return [(kind, str(CARD_KINDS[kind])) for kind in acts_of(card)]


def _links(table: Table, card: CardInPlay) -> list[tuple[str, str]]:
    if not card.is_warrior:
        return []
    named = {"card": card.name} if card.name else {}
    if card.is_unpaid:
        return [(f"?{urlencode({'kind': 'cover', 'player': card.owner, **named})}#act", _("Shows itself"))]
    killed = (f"?{urlencode({'kind': 'kill', 'other': card.owner, **named})}#act", _("Killed"))
    if not card.name:
        return [killed]
    return [killed, (f"{reverse('doomtrooper_combat')}?{urlencode(_combat(table, card))}", _("Combat"))]


def _combat(table: Table, card: CardInPlay) -> dict[str, Any]:
    """What the calculator begins with: whose turn it is attacks, with the only warrior that can where there is one."""
    if card.owner == table.turn:
        return {"attacker": card.name, "attacker_wounded": card.is_wounded}
    facts = {"defender": card.name, "wounded": card.is_wounded, "cover": card.in_cover}
    able = [
        each
        for each in table.of(table.turn or "")
        if each.is_warrior and each.name and each.fights and not each.in_cover
    ]
    return {**facts, "attacker": able[0].name, "attacker_wounded": able[0].is_wounded} if len(able) == 1 else facts
