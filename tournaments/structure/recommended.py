"""The structure recommended for an attendance, and what a stage starts from when it is added."""

from dataclasses import replace

from tournaments.models import Stage, Tournament
from tournaments.pairing.pods.contenders import TablePolicy
from tournaments.structure.services.stage_drafts import (
    BRACKETS,
    USUAL_CUT,
    StageDraft,
    tables_at,
    usual_cut,
    usual_stages,
    usual_tables,
)

Kind, Qualify = Stage.Kind, Stage.Qualify
EVERYBODY_MEETS, NO_CUT = 4, 8
"""Up to so many players a round robin is short enough; up to so many Swiss rounds need no cut."""
ROUNDS_WITH_CUT = ((16, 5, 4), (32, 5, 8), (64, 6, 8), (128, 7, 8), (226, 8, 8), (409, 9, 8))
"""Most players, Swiss rounds, and the size of the cut after them; 10 above.

See docs/how-it-works/standings-and-tiebreakers.md#rounds.
"""
TABLE_ROUNDS, FINAL_TABLE_FROM = 3, 12


def recommended_stages(tournament: Tournament, players: int) -> list[StageDraft]:
    """The stages that suit so many players: at tables of several where the event is played so, else Swiss and a cut."""
    if tables := tables_at(tournament):
        return _at_tables(tournament, tables, players)
    if players <= EVERYBODY_MEETS:
        return [StageDraft(Kind.ROUND_ROBIN)]
    if players <= NO_CUT:
        return [StageDraft(Kind.SWISS, planned_rounds=3)]
    rounds, cut = next(((rounds, cut) for most, rounds, cut in ROUNDS_WITH_CUT if players <= most), (10, 8))
    return [StageDraft(Kind.SWISS, planned_rounds=rounds), first_draft(Kind.SINGLE_ELIMINATION, tournament, top=cut)]


def _at_tables(tournament: Tournament, tables: TablePolicy, players: int) -> list[StageDraft]:
    first = StageDraft(Kind.TABLES, planned_rounds=TABLE_ROUNDS, tables=tables)
    if players < FINAL_TABLE_FROM:
        return [first]
    if finals := usual_stages(tournament)[1:]:
        return [first, *finals]
    final = StageDraft(
        Kind.TABLES, planned_rounds=1, qualify=Qualify.TOP, qualify_value=tables.preferred, tables=tables
    )
    return [first, final]


def first_draft(kind: str, tournament: Tournament, *, top: int | None = None, is_first: bool = False) -> StageDraft:
    """A stage of a kind as the form offers it at first: after a cut to the top 8, unless it is the first stage.

    An elimination after a cut is as the way to play has it.
    """
    tables = usual_tables(tournament) if kind == Kind.TABLES else TablePolicy()
    if is_first:
        return StageDraft(kind, tables=tables)
    if kind in BRACKETS:
        cut = usual_cut(tournament, kind)
        return replace(cut, qualify_value=top or cut.qualify_value)
    return StageDraft(kind, qualify=Qualify.TOP, qualify_value=top or USUAL_CUT, tables=tables)
