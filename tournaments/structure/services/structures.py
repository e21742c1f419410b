"""Ready-made structures of a new event: one choice that makes its stages."""

from dataclasses import replace

from django.utils.translation import gettext as _

from rules_engine.ways import Way
from tournaments.core.ways import way_of
from tournaments.models import Stage, Tournament
from tournaments.structure.services.stage_drafts import StageDraft, check_stages, stage_fault, usual_cut, usual_stages

Kind = Stage.Kind
ROUNDS, TOP = "rounds", "top-"
CUTS = (4, 8)
"""How many play on in the cuts offered where two meet in a match; a way's own final comes on top."""
WHOLE = (Kind.ROUND_ROBIN, Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ELIMINATION)
"""Kinds that are the whole event; they need two a match."""


def structures_of(way: Way) -> dict[str, str]:
    """The structures that a way to play allows, by their keys, as people call them."""
    at_tables = way.tables is not None
    has_winners = not way.exact_games or way.best_of % 2 == 1  # an elimination takes no match that may end level
    tops = sorted({final.top for final in way.finals[:1]} | set(CUTS if has_winners and not at_tables else ()))
    cut = _("Tables, then top %(count)d") if at_tables else _("Swiss, then top %(count)d")
    return {
        ROUNDS: _("Tables each round") if at_tables else _("Swiss rounds"),
        **{f"{TOP}{top}": cut % {"count": top} for top in tops},
        **({} if at_tables else {Kind.ROUND_ROBIN: _("Round robin")}),
        **(_eliminations() if has_winners and not at_tables else {}),
    }


def _eliminations() -> dict[str, str]:
    return {Kind.SINGLE_ELIMINATION: _("Single elimination"), Kind.DOUBLE_ELIMINATION: _("Double elimination")}


def usual_structure(way: Way) -> str:
    """The structure that a way to play has where nobody chooses another."""
    return f"{TOP}{way.finals[0].top}" if way.finals else ROUNDS


def stages_of_structure(tournament: Tournament, structure: str) -> list[StageDraft]:
    """The stages of a new event with this structure, "" for the usual one; DomainError "bad_stage" if not offered."""
    way, usual = way_of(tournament), usual_stages(tournament)
    if structure in ("", usual_structure(way)):
        return usual
    if structure not in structures_of(way):
        raise stage_fault(1, "kind", _("choose one of the kinds offered."))
    drafts = [replace(usual[0], kind=structure, planned_rounds=None)] if structure in WHOLE else usual[:1]
    if structure.startswith(TOP):
        top = int(structure.removeprefix(TOP))
        drafts.append(replace(usual_cut(tournament), qualify_value=top))
    check_stages(tournament, drafts)
    return drafts
