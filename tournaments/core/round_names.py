"""What rounds and matches are called: “Round 3”, “Semi-finals”, “Final”."""

from django.utils.translation import gettext as _

from tournaments.models import Match, Round, Stage
from tournaments.pairing.brackets.elimination import Side


def round_name(round_: Round) -> str:
    """What a round is called: “Round 3”, “Semi-finals”, “Losers' bracket, round 2”; no query with its stage loaded."""
    if not round_.levels:
        return _("Round %(number)d") % {"number": round_.number}
    levels = [level for level in round_.levels if level != THIRD_PLACE or len(round_.levels) == 1]
    return " · ".join(level_name(round_.stage, level) for level in levels)


def match_name(match: Match) -> str:
    """What a match of a bracket is called by itself: “Quarter-final 2”, “Final”; "" elsewhere."""
    if not match.bracket:
        return ""
    level, _dash, position = match.bracket.partition("-")
    return level_name(match.round.stage, level, position=int(position))


THIRD_PLACE = "T1"


SIDES = {"W": Side.WINNERS, "L": Side.LOSERS, "F": Side.GRAND_FINAL, "T": Side.THIRD_PLACE}


def level_name(stage: Stage, level: str, *, position: int | None = None) -> str:
    """A round of a bracket by its level ("W1", "L2", "T1", "F1"), or one match of it by its position."""
    side, number = SIDES[level[0]], int(level[1:])
    if side is Side.THIRD_PLACE:
        return _("Match for third place")
    if side is Side.GRAND_FINAL:
        return _("Grand final") if number == 1 else _("Grand final, second match")
    if stage.kind == Stage.Kind.SINGLE_ELIMINATION:
        return _cup_name(_levels_after(stage, level), position)
    name = _("Winners' bracket, round %(number)d") if side is Side.WINNERS else _("Losers' bracket, round %(number)d")
    return _numbered(name % {"number": number}, position)


def rounds_to_come(round_: Round) -> int | None:
    """How many rounds of its bracket follow a round, 0 for a final; None outside brackets."""
    return max((_levels_after(round_.stage, level) for level in round_.levels), default=None)


def _levels_after(stage: Stage, level: str) -> int:
    size, number = (len(stage.seeds or ()) - 1).bit_length(), int(level[1:])
    if level[0] in "FT":
        return 0
    if stage.kind == Stage.Kind.SINGLE_ELIMINATION:
        return size - number
    return (size if level[0] == "W" else 2 * (size - 1)) - number + 1


def _cup_name(rounds_to_come: int, position: int | None) -> str:
    """A round of a cup by how many come after it."""
    if rounds_to_come == 0:
        return _("Final")
    plural = {1: _("Semi-finals"), 2: _("Quarter-finals")}
    single = {1: _("Semi-final %(match)d"), 2: _("Quarter-final %(match)d")}
    if rounds_to_come in plural:
        return plural[rounds_to_come] if position is None else single[rounds_to_come] % {"match": position}
    return _numbered(_("Round of %(players)d") % {"players": 2 ** (rounds_to_come + 1)}, position)


def _numbered(name: str, position: int | None) -> str:
    return name if position is None else _("%(round)s, match %(match)d") % {"round": name, "match": position}
