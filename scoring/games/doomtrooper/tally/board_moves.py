"""The moves of a board of Doomtrooper: the acts that can be written now, and what each asks for.

A move has "player", "other" (whose warrior, or against whom), "name" (of a card), "value" (also Destiny spent, or
warriors in play), "promotion" and "destiny" (of a kill or a sabotage the part that is taken so), "by" and "same_combat"
(how it was killed), "entered" and "unfit" (of a turn). `act_of` makes it the act of the ledger.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules_engine.errors import Conflict, DomainError
from rules_engine.messages import Message, gettext_noop
from scoring.games.doomtrooper.tally.board_state import Game, Setting, game_of
from scoring.games.doomtrooper.tally.table import WARRIOR, CardInPlay
from scoring.games.doomtrooper.tally.words import CARD_KINDS, KEYS, KINDS
from scoring.sheets.boards import Move, MoveField, Offer, player_field

MAX_VALUE = 99
CARD_LENGTH = 80

ASKED = {
    "kill": ("player", "other", "name", "value", "destiny", "by", "same_combat"),
    "sabotage": ("player", "other", "name", "value", "destiny", "by"),
    "muster": ("player", "name", "value", "entered"),
    "cover": ("player", "name", "value"),
    "spend": ("player", "value", "name"),
    "gain": ("player", "promotion", "destiny", "name"),
    "attack_secondary": ("player", "other"),
    "enter": ("player", "name"),
    "turn": ("player", "unfit"),
    "warriors_in_play": ("player", "value"),
    "win": ("player", "name"),
    **dict.fromkeys(("end_turn", "time_called"), ()),
}
"""What a kind of move asks for; usually who alone."""
USUAL = ("kill", "muster")
BY = (
    ("warrior", gettext_noop("a warrior")),
    ("freelancer", gettext_noop("a Freelancer: Destiny only")),
    ("affiliated", gettext_noop("a Freelancer with an affiliation")),
)
NO_YES = (("no", gettext_noop("no")), ("yes", gettext_noop("yes")))
WAYS_IN = (
    ("open", gettext_noop("openly, paid at once")),
    ("in_cover", gettext_noop("in cover, paid later")),
    ("unfit", gettext_noop("openly, takes no part in combat")),
)
VALUES = {
    "kill": (gettext_noop("Modified Value"), gettext_noop("Empty: as printed.")),
    "sabotage": (gettext_noop("Saboteur’s Value"), gettext_noop("Half of it counts. Empty: as printed.")),
    "muster": (gettext_noop("Destiny paid"), gettext_noop("Empty: as printed on a known card, else 0.")),
    "cover": (gettext_noop("Value to pay"), gettext_noop("Empty: as printed.")),
    "spend": (gettext_noop("Destiny spent"), ""),
    "warriors_in_play": (KEYS["count"], ""),
}
"""What the number of each kind is called, and its help."""
PRINTED = ("kill", "sabotage", "muster", "cover")


def offers_of(game: Game, *, has_next: bool) -> Iterator[Offer]:
    """The usual moves by one press, the acts that can happen at this table, then those of each card in play.

    After the end of the game all are among the others, for what was forgotten.
    """
    if has_next:
        number = Message(gettext_noop("Begin game %(number)s"), {"number": len(game.match["games"]) + 1})
        yield Offer("next_game", number)
    if not game.is_over:
        yield from _presses(game)
    for kind in _kinds(game):
        is_usual = kind in USUAL and not game.is_over
        asked = tuple(_field(game, kind, name) for name in ASKED.get(kind, ("player",)))
        yield Offer(kind, KINDS[kind], asked, is_usual=is_usual)
    for card in () if game.is_over else game.cards:
        yield from _of_card(game, card)


def acts_of(card: CardInPlay) -> list[str]:
    """What can happen to a card by one press."""
    if not card.is_warrior:
        return ["discard"]
    if card.is_unpaid:
        return ["leave"]
    return ["heal" if card.is_wounded else "wound", "exit" if card.in_cover else "seek", "leave"]


def _kinds(game: Game) -> Iterator[str]:
    """The kinds of acts that can happen at this table."""
    options = game.setting.options
    left_out = {"next_game"}
    if not game.tally["countdown"]:
        left_out.add("fit")
    if options.get("sabotage", "off") == "off":
        left_out.add("sabotage")
    if not game.has_targets:
        left_out.add("attack_secondary")
    if options.get("time") == "none":
        left_out |= {"time_called", "warriors_in_play"}
    return (kind for kind in KINDS if kind not in left_out)


def _presses(game: Game) -> Iterator[Offer]:
    """The next turn, which may be one without a warrior, and what the player at turn does."""
    name, follows = game.turn, game.following
    plain = Message(gettext_noop("Turn of %(name)s"), {"name": follows})
    unfit = Message(gettext_noop("Turn of %(name)s, no warrior fit"), {"name": follows})
    lacks = game.lacks_warrior(follows)
    yield Offer("turn", unfit if lacks else plain, preset={"player": follows, "unfit": "yes" if lacks else "no"})
    if name and game.table.actions_left:
        text = gettext_noop("%(name)s meditates: +1")
        yield Offer("meditate", Message(text, {"name": name}), preset={"player": name})
    if name and game.table.may_attack:
        yield Offer("attack", Message(gettext_noop("%(who)s attacks"), {"who": name}), preset={"player": name})
    if name in game.tally["countdown"]:
        yield Offer("fit", Message(gettext_noop("%(who)s has a fit warrior"), {"who": name}), preset={"player": name})
    if not lacks:
        yield Offer("turn", unfit, preset={"player": follows, "unfit": "yes"})


def _of_card(game: Game, card: CardInPlay) -> Iterator[Offer]:
    """What can happen to a card: whose it is, and which one, nobody is asked."""
    key = game.id_of(card)
    own = {"player": card.owner, "name": card.name}
    for kind in acts_of(card):
        yield Offer(kind, CARD_KINDS[kind], preset=own, card=key)
    if not card.is_warrior:
        return
    if card.is_unpaid:
        asked = tuple(_field(game, "cover", name) for name in ("name", "value"))
        yield Offer("cover", gettext_noop("Shows itself"), asked, card=key, preset={"player": card.owner})
        return
    asked = (_killer(game, card), *(_field(game, "kill", name, card.value) for name in _OF_KILL))
    yield Offer("kill", gettext_noop("Killed"), asked, card=key, preset={"other": card.owner, "name": card.name})


def _killer(game: Game, card: CardInPlay) -> MoveField:
    """Who has killed a card: usually whose turn it is, of that player's own card the next one."""
    turn, people = game.tally["turn"] or game.following, game.people
    usual = people[(people.index(turn) + 1) % len(people)] if card.owner == turn else turn
    return player_field("player", KEYS["player"], people, usual)


def _field(game: Game, kind: str, name: str, printed: int | None = None) -> MoveField:
    """One field of a move; `printed` is the Value of the card that the move is about."""
    turn = game.tally["turn"] or game.following
    if name == "player":
        return player_field(name, KEYS["player"], game.people, turn)
    if name == "other":
        names = tuple(dict.fromkeys((*game.sides, *game.people)))
        left = game.sides[(game.sheet.places[turn] + 1) % len(game.sides)]
        return player_field(name, KEYS["victim"], names, left)
    if name == "name":
        may_lack = kind not in ("enter", "win")
        return MoveField(name, KEYS["card"], longest=CARD_LENGTH, may_lack=may_lack)
    if name in _CHOSEN:
        label, choices = _CHOSEN[name]
        return MoveField(name, label, usual=choices[0][0], choices=choices, may_lack=True, is_rare=name in _RARE)
    return _number(kind, name, printed)


def _number(kind: str, name: str, printed: int | None) -> MoveField:
    if name == "value":
        label, help_text = VALUES[kind]
        is_printed, usual = kind in PRINTED, printed or 0
        return MoveField(name, label, 0, MAX_VALUE, usual, may_lack=True, help=help_text, is_printed=is_printed)
    if kind == "gain":
        label = gettext_noop("Destiny Points") if name == "destiny" else KEYS["promotion"]
        below = gettext_noop("Below 0 for what a card takes.")
        return MoveField(name, label, -MAX_VALUE, MAX_VALUE, may_lack=True, help=below)
    rest = gettext_noop("The rest is Promotion.")
    return MoveField(name, gettext_noop("Taken as Destiny"), 0, MAX_VALUE, may_lack=True, help=rest)


_CHOSEN = {
    "by": (gettext_noop("By"), BY),
    "same_combat": (gettext_noop("Second kill of the same combat"), NO_YES),
    "entered": (gettext_noop("How it enters"), WAYS_IN),
    "unfit": (gettext_noop("Without a warrior that can fight"), NO_YES),
}
"""What a move asks to choose: its label, and the choices with the usual one first."""
_OF_KILL = ("value", "destiny", "by", "same_combat")
_RARE = ("by", "same_combat")


ACT_KEYS = {
    ("spend", "value"): "destiny", ("warriors_in_play", "value"): "count", ("kill", "other"): "victim",
    ("", "other"): "target",
}  # fmt: skip
"""What the act of a kind, "" for any other, calls a field of the move."""
CHOSEN: Mapping[str, Mapping[str, Any]] = {
    "freelancer": {"freelancer": True},
    "affiliated": {"freelancer": True, "affiliated": True},
    "yes": {"same_combat": True},
    "in_cover": {"in_cover": True},
    "unfit": {"fights": False},
}
"""What a choice says of the act, where it is not the usual one."""


NEEDED = {
    "kill": gettext_noop("Enter the modified Value, or name a warrior."),
    "warriors_in_play": gettext_noop("Type how many warriors are in play."),
    "spend": gettext_noop("Type how many Destiny Points are spent."),
    "gain": gettext_noop("Enter the points the card gives or takes."),
    "worth": gettext_noop("You can take %(worth)d at most."),
}


def act_of(setting: Setting, move: Move, before: Sequence[Move]) -> dict[str, Any]:
    """The act that a move stands for after those written.

    A warrior's printed Value stands in for one that was not typed; the turn of who has no warrior on the ledger says
    so, and counts (DT-NOWARRIOR). DomainError "bad_move" with its "field" where it lacks something, "bad_sheet" where
    the ledger could not be read with it; Conflict "card_gone" of a card that has left, or that is already so.
    """
    game, kind = game_of(setting, before), str(move["act"])
    _check_card(game, move)
    if kind in ("end_turn", "time_called", "next_game"):
        act: dict[str, Any] = {"act": kind}
    else:
        act = {"act": kind, "player": move["player"], **_facts(game, kind, move)}
    if kind == "turn" and (move.get("unfit") == "yes" or game.lacks_warrior(move["player"])):
        act["warriors"] = 0
    setting.sheet([*before, act])
    return act


def clash(act: Move, newer: Sequence[Move], is_press: bool) -> Move | None:
    """The newer act of the same kind and player; a press is about the turn it was drawn in: it follows no newer one."""
    for each in newer:
        is_same = (each["act"], each.get("player")) == (act["act"], act.get("player"))
        if is_same or (is_press and each["act"] == "turn"):
            return each
    return None


def _check_card(game: Game, move: Move) -> None:
    if not move.get("card"):
        return
    card = game.card(move["card"])
    if card is None or (move["act"] not in ("kill", "cover") and move["act"] not in acts_of(card)):
        raise Conflict("card_gone", Message(gettext_noop("This card has changed, or left play. Look at the board.")))


def _facts(game: Game, kind: str, move: Move) -> dict[str, Any]:
    """What the act says besides its kind and player."""
    asked = ASKED.get(kind, ())
    name = " ".join(str(move.get("name") or "").split())
    value = move.get("value")
    if "value" in asked and value is None:
        value = game.table.value_of(name) if game.table.type_of(name) == WARRIOR else None
    _check(game, kind, {**move, "name": name, "value": value})
    given = {**move, "value": value}
    facts = {
        ACT_KEYS.get((kind, key), ACT_KEYS.get(("", key), key)): given[key]
        for key in ("other", "value", "promotion", "destiny")
        if key in asked and given.get(key) is not None and (key == "value" or given[key])
    }
    facts |= {"card": name} if name else {}
    for key in ("by", "entered", "same_combat"):
        facts |= CHOSEN.get(str(move.get(key)), {})
    return facts


def _check(game: Game, kind: str, move: Mapping[str, Any]) -> None:
    """Refuse a move that lacks something, or whose split cannot be."""
    value, destiny = move["value"], move.get("destiny") or 0
    worth = value if kind == "kill" else ((value or 0) + 1) // 2
    is_fight = kind in ("kill", "sabotage")
    found: tuple[tuple[str, str, dict[str, object]], ...] = (
        ("name", _fault_of_card(game, kind, move), {}),
        (
            "value",
            NEEDED.get(kind, NEEDED["kill"])
            if "value" in ASKED.get(kind, ()) and kind != "muster" and value is None
            else "",
            {},
        ),
        ("promotion", NEEDED[kind] if kind == "gain" and not (move.get("promotion") or destiny) else "", {}),
        ("destiny", NEEDED["worth"] if is_fight and value is not None and destiny > worth else "", {"worth": worth}),
    )
    for field, text, params in found:
        if text:
            raise DomainError("bad_move", Message(text, params), field=field)


def _fault_of_card(game: Game, kind: str, move: Mapping[str, Any]) -> str:
    """What is wrong with the card that a move names, or does not; "" for nothing."""
    name = move["name"]
    if kind == "enter" and game.table.type_of(name) == WARRIOR:
        return gettext_noop("This is a warrior: choose “Warrior enters”, with 0 where nothing is paid.")
    if kind == "muster" and name and move.get("entered") == "in_cover":
        return gettext_noop("Nobody knows a warrior in cover: leave the card out.")
    return ""
