"""The limits of Doomlings that a sheet can show: every breach at once, each with its clause."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules_engine.messages import Message, gettext_noop
from scoring.games.doomlings.tally.cards import traits
from scoring.games.doomlings.tally.discards import discards_of
from scoring.games.doomlings.tally.options import GENETIC_MISHAP, OPTIONS
from scoring.games.doomlings.tally.piles import Pile, leaving_traits, remaining_traits
from scoring.games.doomlings.tally.sheet import Player, Sheet
from scoring.games.doomlings.tally.violation import Violation
from scoring.sheets.tallies.options import players_in_words

DOMINANTS_MOST = 2
THIRD_DOMINANT = "Heroic"
GENE_POOLS = range(1, 9)


def violations_of(sheet: Sheet, piles: Sequence[Pile]) -> list[Violation]:
    """Every limit that the table or a player breaks: the table's first, then by player in turn order."""
    return [
        *table_sizes(len(sheet.players), sheet.options),
        *_box(sheet),
        *(violation for player in sheet.players for violation in _of_player(player, sheet)),
        *discards_of(sheet, piles),
    ]


def table_sizes(count: int, options: Mapping[str, Any]) -> Iterator[Violation]:
    """DL-PLAYERS, and the variations made for fewer players. More than 6 may play: the book's FAQ says how."""
    if count == 1 and GENETIC_MISHAP.is_usual(options):
        template = gettext_noop("Choose %(variation)s for 1 player, or enter 2 or more.")
        message = Message(template, {"variation": Message(GENETIC_MISHAP.label)})
        yield Violation("DL-PLAYERS", None, message, serious=False)
    for option in OPTIONS:
        if option.players is None or option.is_usual(options) or count in option.players:
            continue
        template = gettext_noop("%(variation)s is for %(players)s, not %(count)d.")
        params = {"variation": Message(option.label), "players": players_in_words(option.players), "count": count}
        yield Violation(option.clause, None, Message(template, params))


def _box(sheet: Sheet) -> Iterator[Violation]:
    """DL-BOX: no more copies of a card on the whole table than a box holds."""
    for name, count in _copies_seen(sheet).items():
        listed = traits().get(name)  # what a sheet describes itself may be of any box
        if listed and count > listed.copies:
            copies = listed.copies
            template = gettext_noop("“%(card)s”: %(count)d listed, but a box has %(copies)d.")
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
        template = gettext_noop("%(player)s: Gene Pool %(count)d, allowed %(least)d to %(most)d.")
        params = {"player": player.name, "count": player.gene_pool, "least": GENE_POOLS[0], "most": GENE_POOLS[-1]}
        yield Violation("DL-GENES", player.name, Message(template, params))


def _dominants(player: Player, *, third_allowed: bool) -> Iterator[Violation]:
    """DL-DOMINANT: two of them, Heroic as a third with the Birth of a Hero; none of them leaves the pile."""
    names = [trait.name for trait in player.traits if trait.dominant]
    most = DOMINANTS_MOST + (third_allowed and THIRD_DOMINANT in names)
    if len(names) > most:
        template = gettext_noop("%(player)s: %(count)d dominants, limit %(most)d.")
        message = Message(template, {"player": player.name, "count": len(names), "most": most})
        yield Violation("DL-DOMINANT", player.name, message, tuple(names))
    gone = _gone(player)
    if gone:
        template = gettext_noop("%(player)s can't discard or return dominants: %(cards)s.")
        message = Message(template, {"player": player.name, "cards": ", ".join(gone)})
        yield Violation("DL-DOMINANT", player.name, message, gone)


def _gone(player: Player) -> tuple[str, ...]:
    """The dominants of the pile that are said to have left it."""
    left = leaving_traits(player)
    return tuple(dict.fromkeys(trait.name for trait in left if trait.dominant and trait in player.traits))
