"""Who plays on: the cut from the standings to the next stage, before it is made."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from journal.marks import mark_of
from rules_engine.errors import DomainError
from scoring.standings.standings import Standing
from tournaments.models import Entry, Stage, Tournament
from tournaments.pairing.brackets.cut import Cut, Ranked, cut_at_points, cut_to_top
from tournaments.standings.selectors.standings import lot_of, standings_of
from tournaments.structure.selectors.stages import current_stage, field_of, next_stage

Qualify = Stage.Qualify
PLAY = ("kind", "carries_points", "best_of", "third_place", "bracket_reset", "return_leg", "tables")
"""What the organiser looked at beside the cut: how the stage is played; it stays so once it has begun."""


@dataclass(frozen=True, slots=True)
class NextCut:
    """The stage that would begin, everybody it could take (best first, tied lines in order of their lot), and the cut.

    The names of the entries are in `entries` by id. `mark` tells this cut from any other.
    """

    stage: Stage
    lines: tuple[Ranked, ...]
    cut: Cut
    entries: dict[int, Entry]

    @property
    def mark(self) -> str:
        """A short mark of what the organiser looked at."""
        tie = self.cut.tie
        play = [getattr(self.stage, name) for name in PLAY]
        shown = [self.stage.pk, play, self.cut.seeds, self.cut.missing, tie and [tie.rank, tie.inside, tie.outside]]
        return mark_of(shown)

    @property
    def players(self) -> int:
        return sum(seed is not None for seed in self.cut.seeds)


def preview_next_stage(tournament: Tournament, *, chosen: Collection[int] = ()) -> NextCut:
    """The cut as the standings of now make it; a constant number of queries.

    A tie that it runs through is decided by lot, or by the organiser: `chosen` are then those of the tied who play on
    (DomainError "bad_choice" unless they are tied at the line and fill the places). DomainError "no_stage_left".
    """
    stage = next_stage(tournament)
    if stage is None:
        raise DomainError("no_stage_left", _("There is no further stage: add one first, or finish the event."))
    entries = tournament.entries.in_bulk()
    lines = _lines(tournament, current_stage(tournament), entries)
    cut = cut_of(stage, lines)
    if chosen:
        lines = _decided(lines, cut, chosen)
        cut = cut_of(stage, lines)
    return NextCut(stage, tuple(lines), cut, entries)


def cut_of(stage: Stage, lines: Sequence[Ranked]) -> Cut:
    """The cut that a stage makes of ranked lines; in a stage of points nobody leaves a place empty."""
    keeps_places = stage.is_bracket and not stage.replaces_dropped
    if stage.qualify == Qualify.POINTS:
        points = (stage.qualify_value or 0) * stage.tournament.scoring_policy.point_unit  # as they are written
        cut = cut_at_points(lines, points, replace=not keeps_places)
    else:
        size = len(lines) if stage.qualify == Qualify.EVERYBODY else stage.qualify_value or 0
        cut = cut_to_top(lines, size, replace=stage.replaces_dropped or stage.qualify == Qualify.EVERYBODY)
    if stage.is_bracket:
        return cut
    return replace(cut, seeds=tuple(seed for seed in cut.seeds if seed is not None))


def _lines(tournament: Tournament, current: Stage, entries: dict[int, Entry]) -> list[Ranked]:
    """The standings of those who play in the current stage, tied ones in order of their lot."""
    within = entries.keys() if current.seeds is None else entries.keys() & set(field_of(current))
    gone = {pk for pk, entry in entries.items() if entry.state != Entry.State.REGISTERED}
    lots = {pk: lot_of(tournament, entry.number) for pk, entry in entries.items()}
    return ranked_lines(standings_of(tournament), within, gone, lots)


def ranked_lines(
    standings: Iterable[Standing], within: Collection[int], gone: Collection[int], lots: Mapping[int, int]
) -> list[Ranked]:
    """The standings of those `within` a stage, tied ones in order of their lot; whoever is `gone` does not play on."""
    found = [
        Ranked(line.contender, line.rank, line.match_points, line.contender in gone)
        for line in standings
        if line.contender in within
    ]
    return sorted(found, key=lambda line: (line.rank, lots[line.entrant]))


def _decided(lines: Sequence[Ranked], cut: Cut, chosen: Collection[int]) -> list[Ranked]:
    """The lines with the chosen of a tie before the others of it."""
    tie = cut.tie
    if tie is None or not set(chosen) <= {*tie.inside, *tie.outside} or len(set(chosen)) != len(tie.inside):
        raise DomainError(
            "bad_choice",
            _("Choose as many of the tied players as there are places left for them."),
            places=len(tie.inside) if tie else 0,
        )
    return sorted(lines, key=lambda line: (line.rank, line.rank == tie.rank and line.entrant not in chosen))
