"""The impact of a change in words: lines that move, cut seats, rounds, tables and what they cost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.standings.records import ScoringPolicy
from scoring.standings.results import MatchResult, ResultKind
from scoring.standings.tiebreakers import TIEBREAKERS
from tournaments.core.round_names import level_name
from tournaments.impact.selectors import Impact, MovedBout, MovedCut, MovedSeed, MovedTables
from tournaments.models import ResultReport, Stage, Tournament
from tournaments.results.forms.scores import Score
from tournaments.standings.selectors.moved import MovedKey, MovedLine
from tournaments.standings.words import name_of, short_name, value_text
from tournaments.structure.selectors.stages import current_stage
from tournaments.web.shared.manual_pairing_words import CostRow, bill_rows, places_in_words
from tournaments.web.shared.standing_words import stage_called

MAX_LINES = 20
Called = Callable[[int], str]
"""What to call the entry of an id."""


@dataclass(frozen=True, slots=True)
class ImpactLine:
    """A line that moves: whose, the rank now and afterwards ("–" for none), the values as (name, short, now, then)."""

    name: str
    before: str
    after: str
    trend: str
    values: tuple[tuple[str, str, str, str], ...]


@dataclass(frozen=True, slots=True)
class ImpactCut:
    """A cut that would be another one: to which stage, whether it was made already, and each seat in a sentence."""

    stage: str
    begun: bool
    seats: tuple[str, ...]
    more: int


def describe_impact(tournament: Tournament, impact: Impact, called: Called) -> dict[str, Any]:
    """An impact for the template: long lists are cut, and what was cut is counted."""
    lines = sorted(impact.lines, key=lambda line: (not line.moves, line.rank_before or line.rank_after or 0))
    policy = tournament.scoring_policy
    return {
        "impact": impact,
        "summary": summary_of(impact.lines),
        "lines": [_describe_line(line, policy, called) for line in lines[:MAX_LINES]],
        "more_lines": max(0, len(lines) - MAX_LINES),
        "cuts": [_describe_cut(cut, tournament, called) for cut in impact.cuts],
        "built": built_sentence(impact.built),
        "tables": _describe_tables(impact.tables, called) if impact.tables else None,
        "bouts": _describe_bouts(impact.bouts, tournament, called) if impact.bouts else [],
    }


def _describe_bouts(
    bouts: Sequence[MovedBout], tournament: Tournament, called: Called
) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """What each match of the bracket is called, who plays it now, and who afterwards."""
    stage = current_stage(tournament)
    rows = []
    for bout in bouts:
        level, _dash, position = bout.match.partition("-")
        name = level_name(stage, level, position=int(position))
        rows.append((name, tuple(map(called, bout.before)), tuple(map(called, bout.after))))
    return rows


def typed_result(result: MatchResult) -> str:
    """What was typed, in short: the games of two seats as everywhere, the places at a table, else what happened."""
    if result.kind is ResultKind.PLAYED and len(result.games_won) == 2:
        return Score(*result.games_won, result.games_drawn).text
    if result.placings:
        return _("places %(places)s in order of seats") % {"places": ", ".join(map(str, result.placings))}
    return str(ResultReport.Kind(result.kind.value).label)


def summary_of(lines: Sequence[MovedLine]) -> str:
    """How many lines move, in a sentence."""
    ranks = sum(line.moves for line in lines)
    if not lines:
        return _("No rank changes.")
    if not ranks:
        text = ngettext(
            "No rank changes. Tiebreakers change for %(count)d player.",
            "No rank changes. Tiebreakers change for %(count)d players.",
            len(lines),
        )
        return text % {"count": len(lines)}
    text = ngettext("%(count)d rank changes", "%(count)d ranks change", ranks) % {"count": ranks}
    others = len(lines) - ranks
    if not others:
        return f"{text}."
    more = ngettext(
        "%(ranks)s; other values change for %(count)d more player.",
        "%(ranks)s; other values change for %(count)d more players.",
        others,
    )
    return more % {"ranks": text, "count": others}


def built_sentence(numbers: Sequence[int]) -> str:
    """Which rounds were paired on what changes; "" for none."""
    if not numbers:
        return ""
    text = ngettext(
        "Round %(rounds)s was paired from this result. It is marked but stays.",
        "Rounds %(rounds)s were paired from this result. They are marked but stay.",
        len(numbers),
    )
    return text % {"rounds": ", ".join(map(str, numbers))}


def _describe_line(line: MovedLine, policy: ScoringPolicy, called: Called) -> ImpactLine:
    before, after = (str(rank) if rank is not None else "–" for rank in (line.rank_before, line.rank_after))
    trend = ""
    if line.moves and line.rank_after is not None and line.rank_before is not None:
        trend = "up" if line.rank_after < line.rank_before else "down"
    values = tuple(_describe_key(each, policy) for each in line.keys)
    return ImpactLine(called(line.entry), before, after, trend, values)


def _describe_key(moved: MovedKey, policy: ScoringPolicy) -> tuple[str, str, str, str]:
    """A value before and after, exactly where the published digits do not tell them apart."""
    column = TIEBREAKERS[moved.key]
    before, after = (value_text(column, value, policy) for value in (moved.before, moved.after))
    if before == after:
        before, after = str(moved.before), str(moved.after)
    return name_of(moved.key), short_name(column), before, after


def _describe_cut(cut: MovedCut, tournament: Tournament, called: Called) -> ImpactCut:
    stage = Stage.objects.filter(pk=cut.stage, tournament=tournament).first()
    seats = sorted(cut.seeds, key=lambda seed: (seed.before is not None and seed.after is not None, seed.after or 0))
    name = stage_called(stage) if stage else ""
    rows = tuple(_describe_seed(seed, called) for seed in seats[:MAX_LINES])
    return ImpactCut(name, cut.begun, rows, max(0, len(seats) - MAX_LINES))


def _describe_seed(seed: MovedSeed, called: Called) -> str:
    facts = {"name": called(seed.entry), "before": seed.before, "after": seed.after}
    if seed.before is None:
        return _("%(name)s is in, as seed %(after)d.") % facts
    if seed.after is None:
        return _("%(name)s is out, no longer seed %(before)d.") % facts
    return _("%(name)s: seed %(after)d, was %(before)d.") % facts


def _describe_tables(tables: MovedTables, called: Called) -> dict[str, Any]:
    return {
        "moved": tables,
        "gone": places_in_words(tables.gone[:MAX_LINES], called),
        "come": places_in_words(tables.come[:MAX_LINES], called),
        "more": max(0, len(tables.come) - MAX_LINES),
        "count": len(tables.come),
        "rows": _rows(tables),
    }


def _rows(tables: MovedTables) -> list[CostRow]:
    """Only the terms that differ, from the weightiest: what is the same throughout decides nothing."""
    rows = bill_rows(tables.before, tables.after, tables.repaired)
    return [row for row in rows if len({row.now, row.after, row.best}) > 1]
