"""Reads the score sheet of a table of Doomlings, a JSON object.

The sheet:
  players        list, in turn order: the left neighbour of a player is the next one. 1 is solo play.
  discard_pile   list of trait names; the table's discard pile at the end. Default: empty.
  catastrophe    name of the catastrophe that ended the world, or null.
  options        object, see below.
  tie_draws      list of rounds, each a list of {"name": player, "face": number or null for none printed}, in which
                 tied players drew (option "ties": "draw"). Default: none.
  own_cards      list of traits that the catalogue does not have, at most 100: {"name", "face": number or null for none
                 printed, "colors": list, none for colorless, "dominant", "effectless" (a card without text), "action",
                 "attachment", "worlds_end": true, "points": fixed points of its bonus, or "bonus": {"kind", "numbers"}
                 as a card of the catalogue has}. All but the name may be left out. Every list of trait names may then
                 name them. Other effects are not known: what those did is entered as it came out.
  own_catastrophe  a catastrophe that the catalogue does not have: {"name", "gold": {"kind", "numbers"} as one of the
                 catalogue has}, without "gold" each player's "catastrophe_points" are entered. "catastrophe" names it.
  birth_of_a_hero  true or false: whether a third dominant called Heroic came with the Birth of a Hero. Default: true.
A player:
  name           text. Default: "Player 1", "Player 2", …; no two alike.
  traits         list of trait names: the pile when the world ended, in the order of play. Needed, or else sums.
  sums           {"face_value", "bonus", "catastrophe"}: three numbers in place of the traits, for a table in a hurry.
  hand           list of trait names held at the end. Default: empty.
  hand_size      number of cards held, where their names are not wanted. Default: the length of the hand.
  gene_pool      number. Default: 5.
  choices        object: what was chosen for a card of the pile at World's End, by the name of the card: a color, or
                 {"from": color, "to": color} for Faith. "<card>_host" names the trait of the pile that a card is
                 attached to. A list has one answer for each copy of the card, in the order of the pile.
  drawn_face     face value of the card drawn for the catastrophe, or null.
  discarded_at_worlds_end  list of trait names, discarded by World's End effects and then by the catastrophe: they leave
                 the pile before anything is counted. Default: empty. A catastrophe that makes players discard takes
                 exactly as many as its gold text asks, as far as cards fit.
  discarded_by_effects  list of trait names, where it has to be distinguished what the World's End effects of traits
  took:
                 "discarded_at_worlds_end" is then what the catastrophe took. Default: empty.
  returned       list of trait names returned to the hand at World's End; they leave the pile likewise. Default: empty.
  hand_pick      name of the hand card shown for the catastrophe.
  revealed       color of the card revealed for the catastrophe, or "colorless".
  catastrophe_points  number: what the gold text of a described catastrophe gives (below 0: takes). Default: 0.
  own_cards      list of traits as above, that this player alone names.
  lab            list of trait names in the Lab of solo play, which score nothing. Default: empty.
  discard_pile   list of trait names: the player's own discard pile, with the option "intelligent_design".
Options:
  check_limits   true (usual): a sheet that breaks a limit of the rules is refused; false: that is only reported.
  ties           "shared" (usual) or "draw".
  prosperous_world  "none" (usual), "3x4", "4x3_third" or "4x3_fourth": piles, and which catastrophe ends the world.
  intelligent_design, genetic_mishap, stunted_growth, strategic_start  true or false (usual).
  second_dominant  "added" (usual) or "instead": how a catastrophe pays that names a first and a second dominant.
The tally: {"players": [{"name", "score", "face_value", "bonus", "catastrophe", "lines": [{"card", "kind", "points"}]}],
"winners": [names], "violations": [{"rule", "player", "message", "cards"}]}, kinds being face, bonus and catastrophe.

Colors are blue, green, purple, red. Names are those of the catalogue in any spelling of case, accents and dashes. What
is not answered counts 0. Everything but "players" and each player's "traits" may be left out.

One long module, since it begins with the whole description of the sheet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rules_engine.cards import normalise_name
from rules_engine.messages import Message, Sentence, gettext_noop
from scoring.games.doomlings.tally.cards import (
    COLORLESS,
    COLORS,
    RECOLORS_PILE,
    Catastrophe,
    Trait,
    catastrophes,
    find_catastrophe,
    nearest_names,
    traits,
)
from scoring.games.doomlings.tally.kinds import MAX_NUMBER
from scoring.games.doomlings.tally.options import OPTIONS
from scoring.games.doomlings.tally.own_cards import MAX_NAME, Known, read_own_catastrophe
from scoring.sheets.tallies.json_reader import SHEET_WORDS, Part, bad_sheet, place_of, shown

MAX_PLAYERS = 20
MAX_CARDS = 500
MAX_SUM = 9_999
USUAL_GENE_POOL = 5
HOST = "_host"
SUMS = ("face_value", "bonus", "catastrophe")

SHEET_KEYS = (
    "players", "discard_pile", "catastrophe", "options", "tie_draws", "birth_of_a_hero", "own_cards", "own_catastrophe",
)  # fmt: skip
ANSWERS = (
    "choices", "drawn_face", "discarded_at_worlds_end", "discarded_by_effects", "returned", "revealed",
    "birth_of_a_hero", "catastrophe_points",
)  # fmt: skip
"""Keys that take what cards ask."""
WORDS = {
    **SHEET_WORDS,
    **dict.fromkeys(ANSWERS, gettext_noop("What the cards ask")),
    "tie_draws": gettext_noop("Tie draws"),
    "own_catastrophe": gettext_noop("A catastrophe that isn't in the list"),
    "traits": gettext_noop("Trait pile"),
    "sums": gettext_noop("Sums"),
    "hand": gettext_noop("Hand"),
    "hand_size": gettext_noop("Cards in hand"),
    "gene_pool": gettext_noop("Gene Pool"),
    "discard_pile": gettext_noop("Discard pile"),
    "lab": gettext_noop("Lab"),
    "catastrophe": gettext_noop("Catastrophe"),
    "own_cards": gettext_noop("A card that isn't in the list"),
    "hand_pick": gettext_noop("Card in hand"),
}
"""What people call the keys of a sheet."""
TIE_DRAWS = Sentence(Message(WORDS["tie_draws"]), "tie_draws")
PLAYER_KEYS = (
    "name", "traits", "sums", "hand", "hand_size", "gene_pool", "choices", "drawn_face", "discarded_at_worlds_end",
    "discarded_by_effects", "returned", "hand_pick", "revealed", "lab", "discard_pile",
    "own_cards", "catastrophe_points",
)  # fmt: skip
OPTION_KEYS = (*(option.key for option in OPTIONS), "birth_of_a_hero", "tie_draws", "signatures")

Recoloring: TypeAlias = tuple[str, str]
Answer: TypeAlias = str | Recoloring | None


@dataclass(frozen=True, slots=True)
class Player:
    """What one player brought to the sheet; `choices` and `hosts` by name of the card, one answer a copy."""

    name: str
    traits: tuple[Trait, ...] = ()
    sums: Mapping[str, int] | None = None
    hand: tuple[Trait, ...] = ()
    hand_size: int = 0
    gene_pool: int = USUAL_GENE_POOL
    choices: Mapping[str, Sequence[Answer]] = field(default_factory=dict)
    hosts: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    drawn_face: int | None = None
    discarded: tuple[Trait, ...] = ()
    discarded_by_effects: tuple[Trait, ...] = ()
    returned: tuple[Trait, ...] = ()
    hand_pick: Trait | None = None
    revealed: str | None = None
    lab: tuple[Trait, ...] = ()
    discard_pile: tuple[Trait, ...] = ()
    catastrophe_points: int = 0
    given: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Draw:
    """The trait a tied player drew: its face value, None where none is printed."""

    name: str
    face: int | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as it was read; `options` are checked and complete, `given` are the keys that stood there."""

    players: tuple[Player, ...]
    discard_pile: tuple[Trait, ...]
    catastrophe: Catastrophe | None
    options: Mapping[str, Any]
    tie_draws: tuple[tuple[Draw, ...], ...]
    birth_of_a_hero: bool
    given: frozenset[str]


def read_sheet(value: object, *, draft: bool = False) -> Sheet:
    """The sheet in a JSON object; DomainError "bad_sheet" says which player and which card is wrong, and what to do.

    In a draft a player may be without traits still.
    """
    sheet = Part(value, "", SHEET_KEYS, words=WORDS)
    options = sheet.part("options", OPTION_KEYS)
    listed = sheet.items("players", MAX_PLAYERS)
    known = Known().with_own(sheet)
    players = tuple(_read_player(number, each, known, draft=draft) for number, each in enumerate(listed, 1))
    if not players:
        raise bad_sheet(gettext_noop("The sheet names no players."))
    _require_different(players)
    of_table = sheet if sheet.has("tie_draws") else options
    return Sheet(
        players=players,
        discard_pile=_traits_of(sheet, "discard_pile", known),
        catastrophe=_catastrophe_of(sheet),
        options=_read_options(options),
        tie_draws=tuple(_read_round(each) for each in of_table.items("tie_draws", MAX_PLAYERS)),
        birth_of_a_hero=sheet.flag("birth_of_a_hero", options.flag("birth_of_a_hero", True)),
        given=sheet.given(),
    )


def _read_player(number: int, value: object, known: Known, *, draft: bool) -> Player:
    place = place_of(gettext_noop("Player %(number)d"), number, "Player")
    part = Part(value, place, PLAYER_KEYS, named=MAX_NAME, words=WORDS)
    known = known.with_own(part)
    hand = _traits_of(part, "hand", known)
    size = part.number("hand_size", 0, MAX_NUMBER)
    gene_pool = part.number("gene_pool", -MAX_NUMBER, MAX_NUMBER)
    choices, hosts = _read_choices(part, known)
    return Player(
        name=part.place,
        traits=_pile_of(part, known, draft=draft),
        sums=_read_sums(part),
        hand=hand,
        hand_size=len(hand) if size is None else size,
        gene_pool=USUAL_GENE_POOL if gene_pool is None else gene_pool,
        choices=choices,
        hosts=hosts,
        drawn_face=part.number("drawn_face", -MAX_NUMBER, MAX_NUMBER),
        discarded=_traits_of(part, "discarded_at_worlds_end", known),
        discarded_by_effects=_traits_of(part, "discarded_by_effects", known),
        returned=_traits_of(part, "returned", known),
        hand_pick=_hand_pick(part, hand, known),
        revealed=part.choice("revealed", (*COLORS, COLORLESS)),
        lab=_traits_of(part, "lab", known),
        discard_pile=_traits_of(part, "discard_pile", known),
        catastrophe_points=part.number("catastrophe_points", -MAX_NUMBER, MAX_NUMBER) or 0,
        given=part.given(),
    )


def _require_different(players: Sequence[Player]) -> None:
    """Winners are named."""
    seen: set[str] = set()
    for player in players:
        if player.name in seen:
            raise bad_sheet(gettext_noop("Two players are called “%(name)s”: rename one."), name=player.name)
        seen.add(player.name)


def _pile_of(part: Part, known: Known, *, draft: bool) -> tuple[Trait, ...]:
    if part.has("traits") == part.has("sums") and not draft:
        text = gettext_noop("Enter “%(traits)s” (names in the pile) or three “%(sums)s”.")
        part.refuse(text, traits=part.called("traits"), sums=part.called("sums"))
    return _traits_of(part, "traits", known)


def _read_sums(part: Part) -> dict[str, int] | None:
    if not part.has("sums"):
        return None
    sums = part.part("sums", SUMS)
    return {key: sums.number(key, -MAX_SUM, MAX_SUM) or 0 for key in SUMS}


def _traits_of(part: Part, key: str, known: Known) -> tuple[Trait, ...]:
    names, listed = part.items(key, MAX_CARDS), traits()
    return tuple(
        listed[name] if isinstance(name, str) and name in listed else _trait(part, key, name, known) for name in names
    )


def _trait(part: Part, key: str, name: object, known: Known) -> Trait:
    """The trait of that name; the refusal offers the nearest ones, and says how to enter a new one."""
    typed = _name_of_card(part, key, name)
    if (trait := known.find(typed)) is not None:
        return trait
    near = _near(typed, known.names)
    template = gettext_noop("“%(key)s”: no card “%(name)s”. Add it to “%(own)s”.")
    template_near = gettext_noop("“%(key)s”: no card “%(name)s”. Did you mean %(near)s? Or add it to “%(own)s”.")
    part.refuse(
        template_near if near else template, key=key, name=shown(typed), near=near, own=part.called("own_cards")
    )


def _catastrophe_of(part: Part) -> Catastrophe | None:
    if not part.has("catastrophe"):
        return None
    typed = _name_of_card(part, "catastrophe", part.get("catastrophe"))
    own = (
        read_own_catastrophe(part.get("own_catastrophe"), part.below("own_catastrophe"))
        if part.has("own_catastrophe")
        else None
    )
    if own is not None and normalise_name(own.name) == normalise_name(typed):
        return own
    if (found := find_catastrophe(typed)) is not None:
        return found
    near = _near(typed, catastrophes())
    template = gettext_noop("“%(key)s”: no card “%(name)s”.")
    template_near = gettext_noop("“%(key)s”: no card “%(name)s”. Did you mean %(near)s?")
    part.refuse(template_near if near else template, key="catastrophe", name=shown(typed), near=near)


def _near(typed: str, names: Mapping[str, object]) -> str:
    return ", ".join(f"“{each}”" for each in nearest_names(typed, names))


def _name_of_card(part: Part, key: str, name: object) -> str:
    if not isinstance(name, str) or len(name) > MAX_NAME:
        part.refuse(gettext_noop("“%(key)s”: %(name)s is no card name."), key=key, name=shown(name))
    return name


def _hand_pick(part: Part, hand: Sequence[Trait], known: Known) -> Trait | None:
    pick = _trait(part, "hand_pick", part.get("hand_pick"), known) if part.has("hand_pick") else None
    if pick is not None and hand and pick not in hand:
        part.refuse(gettext_noop("“%(key)s”: “%(card)s” is not in hand."), key="hand_pick", card=pick.name)
    return pick


def _read_choices(part: Part, known: Known) -> tuple[dict[str, list[Answer]], dict[str, list[str | None]]]:
    """The answers and the hosts by name of the card."""
    given = {} if part.get("choices") is None else part.get("choices")
    if not isinstance(given, Mapping) or len(given) > MAX_CARDS:
        part.refuse(gettext_noop("“%(key)s”: key an object by card, not %(value)s."), key="choices", value=shown(given))
    choices: dict[str, list[Answer]] = {}
    hosts: dict[str, list[str | None]] = {}
    for key, value in given.items():
        attached = isinstance(key, str) and key.endswith(HOST)
        card = _trait(part, "choices", key.removesuffix(HOST) if attached else key, known)
        answers = value if isinstance(value, list) and len(value) <= MAX_CARDS else [value]
        if attached:
            hosts[card.name] = [_read_host(part, card, each, known) for each in answers]
        else:
            choices[card.name] = [_read_answer(part, card, each) for each in answers]
    return choices, hosts


def _read_answer(part: Part, card: Trait, value: object) -> Answer:
    """A color, or two of them for what recolors a pile; nothing where one of the two is open."""
    takes_two = card.name in RECOLORS_PILE or card.is_copy
    if value is None or (isinstance(value, str) and value in COLORS and card.name not in RECOLORS_PILE):
        return value
    if isinstance(value, Mapping) and takes_two:
        pair = (value.get("from"), value.get("to"))
        if all(each is None or (isinstance(each, str) and each in COLORS) for each in pair):
            return None if None in pair else (str(pair[0]), str(pair[1]))
    wanted = gettext_noop("“%(key)s”, “%(card)s”: use one of %(colors)s, not %(value)s.")
    wanted_two = gettext_noop("“%(key)s”, “%(card)s”: use “from” and “to” with %(colors)s, not %(value)s.")
    part.refuse(
        wanted_two if takes_two else wanted,
        key="choices", card=card.name, colors=", ".join(COLORS), value=shown(value),
    )  # fmt: skip


def _read_host(part: Part, card: Trait, value: object, known: Known) -> str | None:
    """The name of a trait in the same pile, not of the card itself."""
    if value is None:
        return None
    key = Sentence(Message("%(card)s", {"card": card.name}), f"choices, {card.name}{HOST}")
    host = _trait(part, key, value, known)
    pile = [each.name for each in _traits_of(part, "traits", known)]
    if host.name not in pile or (host is card and pile.count(card.name) < 2):
        part.refuse(
            gettext_noop("Attach “%(card)s” to another trait of this pile, not “%(host)s”."),
            card=card.name, host=host.name,
        )  # fmt: skip
    return host.name


def _read_round(value: object) -> tuple[Draw, ...]:
    if not isinstance(value, list) or len(value) > MAX_PLAYERS:
        template = gettext_noop("“%(key)s” is a list of lists of draws, not %(value)s.")
        raise bad_sheet(template, key=TIE_DRAWS, value=shown(value))
    return tuple(_read_draw(Part(each, TIE_DRAWS, ("name", "face"), words=WORDS)) for each in value)


def _read_draw(part: Part) -> Draw:
    return Draw(part.text("name", MAX_NAME) or "", part.number("face", -MAX_NUMBER, MAX_NUMBER))


def _read_options(part: Part) -> dict[str, Any]:
    """Every option with its value, the usual one where none is given."""
    for option in OPTIONS:
        if part.has(option.key) and not option.takes(part.get(option.key)):
            part.refuse(
                gettext_noop("Option “%(option)s” can't be “%(value)s”."),
                value=shown(part.get(option.key)), option=option.called,
            )  # fmt: skip
    return {option.key: part.get(option.key) if part.has(option.key) else option.usual for option in OPTIONS}
