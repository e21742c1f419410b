"""Ways to play a game: one choice from which an event's format, match, tables, sheets and standings follow.

A game's rules file names them under `[[ways]]`; a format or variant that no way names is one by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules_engine.constraints import Clause

USUAL_WARNINGS = (10, 5)
"""Minutes left when a clock warns."""


@dataclass(frozen=True, slots=True)
class WayTables:
    """How many sit at a table: `preferred`, or where that does not come out even from `least` to `most`."""

    preferred: int
    least: int
    most: int
    primary_targets: bool = False


@dataclass(frozen=True, slots=True)
class DraftStep:
    """One pass of a draft: of `hold` cards everybody keeps `keep` and hands the rest on, `towards` "left" or "right".

    `towards` is "" where nothing is left to pass. `minutes` are what a table is given for it.
    """

    hold: int
    keep: int
    towards: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Draft:
    """Cards shared out at the table before a game, by `clause`, wherever the sheet option called `option` is on.

    `makes_deck`: what was kept is the player's deck for that game alone.
    """

    option: str
    clause: Clause
    makes_deck: bool
    steps: tuple[DraftStep, ...]


@dataclass(frozen=True, slots=True)
class WayFinal:
    """A single elimination of the `top` of the standings, with its own minutes and options of score sheets."""

    top: int
    round_minutes: int | None = None
    sheet_options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Way:
    """How a game is played at an event, one choice.

    `variant` "" is a format without any. `best_of` games make a match, all of them played if `exact_games`. `tables` is
    None where two meet. `score_sheets` None: as is usual for the game. `sheet_options` are those that are not as usual.
    `preset` "" is the game's own rules of scoring; `round_minutes` None: as the game's rules give them; at
    `warnings`, in minutes left, its clock warns. `reasons` are the clauses for what it says, by the name of the setting
    or option; `finals` the stages after the first, `cut_minutes` the minutes of a cut that an organiser
    adds, and of the last two rounds of any elimination.
    """

    slug: str
    name: str
    note: str
    format: str
    variant: str
    best_of: int
    exact_games: bool = False
    deciding_game: str = ""
    tables: WayTables | None = None
    score_sheets: bool | None = None
    sheet_options: Mapping[str, Any] = field(default_factory=dict)
    preset: str = ""
    round_minutes: int | None = None
    warnings: tuple[int, ...] = USUAL_WARNINGS
    reasons: Mapping[str, Clause] = field(default_factory=dict)
    finals: tuple[WayFinal, ...] = ()
    cut_minutes: int | None = None
