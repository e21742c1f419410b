"""Reading the sheet of a Doomtrooper game: who plays, what was agreed on, and the acts, all in their proper form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from rules_engine.errors import DomainError
from rules_engine.messages import Message, gettext_noop
from scoring.tallies.doomtrooper_options import MODE, OPTIONS, RULES_1997, SABOTAGE, TARGET, TEAM_POOL
from scoring.tallies.options import SIGNATURES, Option, check_options

MOST_SIDES = 12
MOST_MEMBERS = 12
MOST_ACTS = 5_000
MOST_POINTS = 999
TEXT_LENGTH = 200

CHECK_LIMITS = Option(key="check_limits", label="", usual=True)

NUMBERS = ("value", "promotion", "destiny", "count", "warriors")
NAMES = ("victim", "target")
FLAGS = ("in_cover", "fights", "freelancer", "affiliated", "same_combat")
TEXTS = ("card", "note")
SPLIT = ("promotion", "destiny", "freelancer", "affiliated")


@dataclass(frozen=True, slots=True)
class Form:
    """What an act of one kind says besides "act", "player", "card" and "note"."""

    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    of_nobody: bool = False


KINDS = {
    "turn": Form(takes=("warriors",)),
    "end_turn": Form(of_nobody=True),
    "muster": Form(takes=("value", "in_cover", "fights")),
    "kill": Form(("victim", "value"), (*SPLIT, "same_combat")),
    "sabotage": Form(("target", "value"), SPLIT),
    "cover": Form(("value",)),
    "meditate": Form(),
    "spend": Form(("destiny",)),
    "gain": Form(takes=("promotion", "destiny")),
    "attack_secondary": Form(("target",)),
    "draw_pile_out": Form(),
    "warriors_in_play": Form(("count",)),
    "concede": Form(),
    "win": Form(("card",)),
    "time_called": Form(of_nobody=True),
}
"""Every kind of act."""


@dataclass(frozen=True, slots=True)
class Side:
    """A player or a team, with its members: the player alone, or the members of the team in turn order."""

    name: str
    members: tuple[str, ...]
    deck_size: int | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What the table agreed on; `target` None for none."""

    mode: str
    target: int | None
    sabotage: str
    team_pool: str
    rules_1997: bool
    check_limits: bool


@dataclass(frozen=True, slots=True)
class Act:
    """One act of the ledger: `number` from 1, the place of its side, and its member where one was named.

    Acts of nobody have the place None.
    """

    number: int
    kind: str
    place: int | None
    member: str | None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def number_of(self, name: str) -> int:
        """A number of the act, 0 where it was left out."""
        return int(self.facts.get(name) or 0)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet that could be read."""

    sides: tuple[Side, ...]
    acts: tuple[Act, ...]
    options: Options

    @property
    def is_teams(self) -> bool:
        """Whether sides are teams."""
        return self.options.mode == "teams"

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody in turn order: the first member of each side, then the second ones."""
        most = max(len(side.members) for side in self.sides)
        return tuple(side.members[turn] for turn in range(most) for side in self.sides if turn < len(side.members))

    def place_of(self, member: str) -> int:
        """The place of the side somebody belongs to."""
        return next(place for place, side in enumerate(self.sides) if member in side.members)


def bad(template: str, **params: Any) -> DomainError:
    """A sheet that cannot be tallied, and why."""
    return DomainError("bad_sheet", Message(template, params))


def read_sheet(sheet: Mapping[str, Any]) -> Sheet:
    """The sheet as values; DomainError "bad_sheet" that says which player or act is wrong and what to do."""
    if not isinstance(sheet, Mapping):
        raise bad(gettext_noop("A sheet is an object with players and acts."))
    _refuse_slips(sheet, ("players", "acts", "options"), gettext_noop("the sheet"))
    options = _options(sheet.get("options") or {}, sheet.get("players"))
    sides = _sides(sheet.get("players"), options)
    acts = sheet.get("acts") or []
    if not isinstance(acts, list) or len(acts) > MOST_ACTS:
        raise bad(gettext_noop("The acts are a list of %(most)d at the most."), most=MOST_ACTS)
    return Sheet(sides, tuple(_act(act, number, sides) for number, act in enumerate(acts, 1)), options)


def _options(options: Any, players: Any) -> Options:
    if not isinstance(options, Mapping):
        raise bad(gettext_noop("The options are an object."))
    try:
        check_options((*OPTIONS, SIGNATURES, CHECK_LIMITS), options)
    except DomainError as error:
        raise DomainError("bad_sheet", error.wording, **error.details) from None
    teams = isinstance(players, list) and any(
        isinstance(player, Mapping) and len(player.get("members") or ()) > 1 for player in players
    )
    mode = options.get(MODE.key, "teams" if teams else MODE.usual)
    if teams and mode != "teams":
        raise bad(gettext_noop("A player of this sheet has members: set the option “mode” to “teams”."))
    return Options(
        mode, TARGET.value_in(options), SABOTAGE.value_in(options), TEAM_POOL.value_in(options),
        RULES_1997.value_in(options), CHECK_LIMITS.value_in(options),
    )  # fmt: skip


def _sides(players: Any, options: Options) -> tuple[Side, ...]:
    if not isinstance(players, list) or not 1 < len(players) <= MOST_SIDES:
        raise bad(
            gettext_noop("Doomtrooper is played by 2 players or more, %(most)d at the most here."), most=MOST_SIDES
        )
    sides = tuple(_side(player, number, options) for number, player in enumerate(players, 1))
    owners: dict[str, int] = {}
    for place, side in enumerate(sides):
        for name in {side.name, *side.members}:
            if owners.setdefault(name, place) != place:
                raise bad(
                    gettext_noop("“%(name)s” stands twice on the sheet: give everybody a name of their own."), name=name
                )
        if len(set(side.members)) < len(side.members):
            raise bad(gettext_noop("A member of “%(name)s” is named twice."), name=side.name)
    return sides


def _side(player: Any, number: int, options: Options) -> Side:
    if not isinstance(player, Mapping) or not _is_name(player.get("name")):
        raise bad(gettext_noop("Player %(number)d has no name."), number=number)
    name, members, size = player["name"], player.get("members") or [], player.get("deck_size")
    if not isinstance(members, list) or len(members) > MOST_MEMBERS or not all(map(_is_name, members)):
        raise bad(gettext_noop("The members of “%(name)s” are a list of names."), name=name)
    if size is not None and not _is_number(size, 9_999):
        raise bad(gettext_noop("The deck size of “%(name)s” is a whole number."), name=name)
    return Side(name, tuple(members) if members and options.mode == "teams" else (name,), size)


def _act(act: Any, number: int, sides: Sequence[Side]) -> Act:
    kind = act.get("act") if isinstance(act, Mapping) else None
    if not isinstance(kind, str) or kind not in KINDS:
        kinds = ", ".join(KINDS)
        raise bad(
            gettext_noop("Act %(number)d is of no known kind; “act” is one of: %(kinds)s."), number=number, kinds=kinds
        )
    form, known = KINDS[kind], (*KINDS[kind].needs, *KINDS[kind].takes)
    _refuse_slips(act, ("act", "player", *known, *TEXTS), f"act {number} ({kind})")
    for name in form.needs:
        if act.get(name) is None:
            raise bad(gettext_noop("Act %(number)d (%(kind)s) lacks “%(name)s”."), number=number, kind=kind, name=name)
    place, member = _who(act.get("player"), number, sides) if act.get("player") or not form.of_nobody else (None, None)
    facts = {
        name: _fact(kind, name, act[name], number, sides) for name in (*known, *TEXTS) if act.get(name) is not None
    }
    return Act(number, kind, place, member, facts)


def _who(name: Any, number: int, sides: Sequence[Side]) -> tuple[int, str | None]:
    """The place of the side that is meant, and its member where one is: in a side of one it always is."""
    for place, side in enumerate(sides):
        if name in side.members:
            return place, name
        if name == side.name:
            return place, side.members[0] if len(side.members) == 1 else None
    raise bad(gettext_noop("Act %(number)d names “%(name)s”, who is not on this sheet."), number=number, name=name)


def _fact(kind: str, name: str, value: Any, number: int, sides: Sequence[Side]) -> Any:
    if name in NAMES:
        return _who(value, number, sides)
    if name in TEXTS and isinstance(value, str):
        return value[:TEXT_LENGTH]
    if name in FLAGS and isinstance(value, bool):
        return value
    may_fall = kind == "gain" or name == "value"
    if name in NUMBERS and _is_number(value, MOST_POINTS) and (value >= 0 or may_fall):
        return value
    if name == "warriors" and isinstance(value, bool):
        return value
    raise bad(gettext_noop("Act %(number)d: “%(name)s” cannot be “%(value)s”."), number=number, name=name, value=value)


def _refuse_slips(given: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    """Refuse a key that is a slip of the pen; others are none of our business."""
    for key in given:
        if key not in known and (close := get_close_matches(str(key), known, 1, 0.75)):
            raise bad(
                gettext_noop("“%(key)s” is unknown in %(where)s; did you mean “%(close)s”?"),
                key=key, where=where, close=close[0],
            )  # fmt: skip


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= TEXT_LENGTH


def _is_number(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -most <= value <= most
