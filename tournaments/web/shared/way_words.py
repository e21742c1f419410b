"""How an event plays its game, and where that is not as usual, in words."""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules_engine.constraints import Clause
from rules_engine.systems import get_system
from scoring.sheets.tallies.options import Option
from tournaments.core.ways import way_of
from tournaments.events.selectors.ways import Difference, differences, differences_of_cut, seats_of
from tournaments.models import Tournament
from tournaments.structure.services.stage_drafts import BRACKETS, StageDraft, usual_cut


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """One setting that is not as usual for the way to play, and the clause that it leaves, if there is one.

    `usual_length` is "" but where the setting is the event's own match length.
    """

    text: str
    clause: Clause | None
    usual_length: str = ""


def way_facts(tournament: Tournament, stages: Sequence[StageDraft]) -> dict[str, Any]:
    """How an event is played, each fact once, for its page: `way`, `length`, `length_line`, `differences`.

    `way` is the name of the way an organiser chose, "" without one and where it only says a match length;
    `length_line` is the difference from the usual match length, if there is one.
    """
    lines = difference_lines(tournament, stages)
    length = length_words(tournament.best_of, exact_games=tournament.exact_games)
    length_line = next((line for line in lines if line.usual_length), None)
    way = _(way_of(tournament).name) if tournament.way else ""
    lengths = {length.lower(), length_line.usual_length.lower() if length_line else ""}
    return {
        "way": "" if way.lower() in lengths else way,
        "length": length,
        "length_line": length_line,
        "differences": [line for line in lines if line is not length_line],
    }


def difference_lines(tournament: Tournament, stages: Sequence[StageDraft] = ()) -> list[DifferenceLine]:
    """A line for each setting of an event that its way to play has otherwise; what the first stage says goes before.

    Of eliminations after a cut, how long they are played and to what; of one that is the first stage, how long its
    semi-finals and final are, as they are played like those of a cut.
    """
    first = [(seats_of(each.kind, each.tables), _played(tournament, each)) for each in stages[:1]]
    seats, played = first[0] if first else (False, tournament)
    lines = [
        DifferenceLine(_line(played, each), each.clause, _usual_length(tournament, each))
        for each in differences(played, seats)
    ]
    if stages and stages[0].kind in BRACKETS:
        minutes = stages[0].round_minutes, way_of(tournament).cut_minutes
        for each in differences_of_cut(played, played, minutes):
            text = _("Semi-finals and final: %(difference)s") % {"difference": _line(played, each)}
            lines.append(DifferenceLine(text, each.clause))
    for number, stage in enumerate(stages[1:], 2):
        if stage.kind in BRACKETS:
            usual = usual_cut(tournament)
            minutes = stage.round_minutes, usual.round_minutes
            for each in differences_of_cut(_played(tournament, stage), _played(tournament, usual), minutes):
                values = {"number": number, "difference": _line(played, each)}
                lines.append(DifferenceLine(_("Stage %(number)d: %(difference)s") % values, each.clause))
    return lines


def _usual_length(tournament: Tournament, found: Difference) -> str:
    is_of_event = found.setting == "best_of" and found.now == (tournament.best_of, tournament.exact_games)
    return _value(found, found.usual) if is_of_event else ""


def _played(tournament: Tournament, stage: StageDraft) -> Tournament:
    """An event with what one of its stages says instead; never saved."""
    played = copy(tournament)
    for name in ("best_of", "round_minutes", "clock_warnings"):
        said = getattr(stage, name)
        setattr(played, name, getattr(tournament, name) if said is None else said)
    played.sheet_options = {**tournament.sheet_options, **stage.sheet_options}
    return played


def new_contradictions(
    tournament: Tournament, before: Iterable[DifferenceLine], stages: Sequence[StageDraft] = ()
) -> list[DifferenceLine]:
    """What leaves a clause of the rules and was not so before: to be confirmed by whoever wants it."""
    known = {line.text for line in before}
    return [line for line in difference_lines(tournament, stages) if line.clause and line.text not in known]


def length_words(best_of: int, *, exact_games: bool) -> str:
    if exact_games:
        text = ngettext("%(games)d game", "%(games)d games, all played", best_of)
        return text % {"games": best_of}
    return _("best of %(count)d") % {"count": best_of}


def _line(tournament: Tournament, found: Difference) -> str:
    if found.setting == "deciding_game":
        labels = get_system(tournament.game).match.deciding_labels
        now, usual = (_(labels.get(each, "")) or _("They swap as usual") for each in (found.now, found.usual))
    else:
        now, usual = _value(found, found.now), _value(found, found.usual)
    label = _label(found)
    return _("%(label)s: %(now)s (usual: %(other)s)") % {"label": label, "now": now, "other": usual}


def _label(found: Difference) -> str:
    if found.option is not None:
        return _(found.option.label)
    labels = {
        "best_of": _("Match length"),
        "tables": _("Seats"),
        "score_sheets": _("Score sheets"),
        "round_minutes": _("Round length (minutes)"),
        "warnings": _("Clock warns at (minutes left)"),
        "deciding_game": _("Roles in the deciding game"),
    }
    return labels[found.setting]


def _value(found: Difference, value: Any) -> str:
    if found.option is not None:
        return _option_value(found.option, value)
    if found.setting == "best_of":
        return length_words(value[0], exact_games=value[1])
    if found.setting == "round_minutes":
        return str(value)
    if found.setting == "warnings":
        return ", ".join(map(str, value))
    if found.setting == "tables":
        if value is None:
            return _("two a match")
        least, most = value
        return _("tables of %(least)d to %(most)d") % {"least": least, "most": most}
    return _("yes") if value else _("no")


def _option_value(option: Option, value: Any) -> str:
    if option.choices:
        return _(dict(option.choices)[value] or "no").rstrip(".")
    if option.is_flag:
        return _("yes") if value else _("no")
    return _("not set") if value is None else str(value)
