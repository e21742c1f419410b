"""The limits of Doomlings that a sheet can show: every breach at once, each with its clause."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rules_engine.messages import Message, gettext_noop
from scoring.tallies.doomlings_cards import Trait, traits
from scoring.tallies.doomlings_options import OPTIONS
from scoring.tallies.doomlings_piles import remaining_traits
from scoring.tallies.doomlings_sheet import Player, Sheet

PLAYERS_MOST = 6
DOMINANTS_MOST = 2
THIRD_DOMINANT = "Heroic"
GENE_POOLS = range(1, 9)


@dataclass(frozen=True, slots=True)
class Violation:
    """A breach of the rule with id `rule`: by a player, or by the table where that is None, with the cards in it."""

    rule: str
    player: str | None
    message: Message
    cards: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The breach as a tally tells it, in English."""
        return {"rule": self.rule, "player": self.player, "message": str(self.message), "cards": list(self.cards)}


def violations_of(sheet: Sheet) -> list[Violation]:
    """Every limit that the table or a player breaks: the table's first, then by player in turn order."""
    return [
        *_table_sizes(sheet),
        *_box(sheet),
        *(violation for player in sheet.players for violation in _of_player(player, sheet)),
    ]


def _table_sizes(sheet: Sheet) -> Iterator[Violation]:
    """DL-PLAYERS, and the variations made for fewer players."""
    count = len(sheet.players)
    if count > PLAYERS_MOST:
        template = gettext_noop("%(count)d players sit at the table: it seats at most %(most)d.")
        yield Violation("DL-PLAYERS", None, Message(template, {"count": count, "most": PLAYERS_MOST}))
    for option in OPTIONS:
        if option.players is None or option.is_usual(sheet.options) or count in option.players:
            continue
        template = gettext_noop("%(variation)s is made for %(least)d to %(most)d players, not for %(count)d.")
        params = {"least": option.players[0], "most": option.players[-1], "count": count}
        yield Violation(option.clause, None, Message(template, {"variation": Message(option.label), **params}))


def _box(sheet: Sheet) -> Iterator[Violation]:
    """DL-BOX: no more copies of a card on the whole table than a box holds."""
    for name, count in _copies_seen(sheet).items():
        copies = traits()[name].copies
        if count > copies:
            template = gettext_noop("“%(card)s” is there %(count)d times, but a box holds %(copies)d.")
            message = Message(template, {"card": name, "count": count, "copies": copies})
            yield Violation("DL-BOX", None, message, (name,))


def _copies_seen(sheet: Sheet) -> Counter[str]:
    """How many copies of each card there are at least: what left a pile at World's End may lie in a hand again."""
    lying: Counter[str] = Counter()
    left: Counter[str] = Counter()
    elsewhere = Counter(trait.name for trait in sheet.discard_pile)
    for player in sheet.players:
        staying = Counter(trait.name for trait in remaining_traits(player))
        lying += staying
        left += Counter(trait.name for trait in player.traits) - staying
        elsewhere.update(trait.name for trait in (*player.hand, *player.lab, *player.discard_pile))
    return lying + (left | elsewhere)


def _of_player(player: Player, sheet: Sheet) -> Iterator[Violation]:
    yield from _dominants(player, third_allowed=sheet.birth_of_a_hero)
    if player.gene_pool not in GENE_POOLS:
        template = gettext_noop("%(player)s has a Gene Pool of %(count)d: it stays from %(least)d to %(most)d.")
        params = {"player": player.name, "count": player.gene_pool, "least": GENE_POOLS[0], "most": GENE_POOLS[-1]}
        yield Violation("DL-GENES", player.name, Message(template, params))


def _dominants(player: Player, *, third_allowed: bool) -> Iterator[Violation]:
    """DL-DOMINANT: two of them, Heroic as a third with the Birth of a Hero; none of them leaves the pile."""
    names = [trait.name for trait in player.traits if trait.dominant]
    most = DOMINANTS_MOST + (third_allowed and THIRD_DOMINANT in names)
    if len(names) > most:
        template = gettext_noop("%(player)s has %(count)d dominant traits: %(most)d are allowed.")
        message = Message(template, {"player": player.name, "count": len(names), "most": most})
        yield Violation("DL-DOMINANT", player.name, message, tuple(names))
    gone = _gone(player)
    if gone:
        template = gettext_noop("%(player)s cannot discard or return %(cards)s: dominant traits never leave the pile.")
        message = Message(template, {"player": player.name, "cards": ", ".join(gone)})
        yield Violation("DL-DOMINANT", player.name, message, gone)


def _gone(player: Player) -> tuple[str, ...]:
    """The dominants of the pile that are said to have left it."""
    left: Sequence[Trait] = (*player.discarded, *player.returned)
    return tuple(dict.fromkeys(trait.name for trait in left if trait.dominant and trait in player.traits))
