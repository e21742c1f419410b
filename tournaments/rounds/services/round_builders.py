"""What a round of each kind of stage is made of, before it is stored."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from rules_engine.errors import DomainError
from scoring.standings.records import MatchKind
from tournaments.core.rounds import missing_matches
from tournaments.entries.selectors.private_needs import wanted_tables
from tournaments.models import Stage, Tournament
from tournaments.pairing.brackets.fixed_rounds import FIXED_ENGINE, ROBIN, FixedInput, FixedPlace, pair_fixed
from tournaments.pairing.pods.contenders import SeatedRound, TableInput
from tournaments.pairing.pods.explain import explain_seated
from tournaments.pairing.pods.pods import seat_tables
from tournaments.pairing.swiss.contenders import RoundInput, RoundPairing, places_digest
from tournaments.pairing.swiss.explain import AWARDED_BYE, explain_round
from tournaments.pairing.swiss.swiss import pair_swiss
from tournaments.pairing.swiss.table_numbers import needed_tables, number_seatings, seated_places
from tournaments.rounds.selectors.contenders import fixed_tables_of, round_input_of, table_input_of
from tournaments.structure.selectors.brackets import bracket_of
from tournaments.structure.selectors.stages import contestants, field_of, rounds_in, rounds_planned

Kind = Stage.Kind
LEAST = 2


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match to be stored: its table, the entries in order of seats, and why they meet (`Reason.as_dict`)."""

    table: int | None
    entries: tuple[int, ...]
    kind: MatchKind = MatchKind.PLAYED
    explanation: list[dict[str, Any]] = field(default_factory=list)
    locked: bool = False
    bracket: str = ""


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A round to be stored: its matches, what `Round` keeps of how it came about, and what it was paired from."""

    matches: list[PlannedMatch]
    certificate: dict[str, Any]
    given: dict[str, Any]


def build_round(tournament: Tournament, stage: Stage, number: int, seed: int) -> RoundPlan:
    """The next round of a stage, which has this number in the event.

    Raises DomainError "no_rounds_left", "too_few_entries"; in a bracket "nothing_playable" while its next matches wait
    for others.
    """
    if stage.is_bracket:
        return _plan_wave(tournament, stage)
    played, planned = rounds_in(stage).count(), rounds_planned(stage)
    if planned is not None and played >= planned:
        raise DomainError(
            "no_rounds_left",
            _("All rounds (%(count)d) are played. Continue, or add one in settings.") % {"count": played},
        )
    if contestants(stage).count() < LEAST:
        raise DomainError("too_few_entries", _("A round needs at least two players."))
    if stage.kind == Kind.ROUND_ROBIN:
        return _plan_fixed(
            tournament, _fixed_input(tournament, stage, ROBIN, extra=stage.return_leg, number=played + 1)
        )
    if stage.kind == Kind.TABLES:
        return _plan_tables(tournament, number, seed)
    return _plan_swiss(tournament, number, seed)


def _plan_swiss(tournament: Tournament, number: int, seed: int) -> RoundPlan:
    given = round_input_of(tournament, number, seed)
    pairing = pair_swiss(given)
    fixed = {each.id: each.fixed_table for each in given.contenders if each.fixed_table is not None}
    if needed := needed_tables(pairing.pairs, fixed, wanted_tables(tournament)):
        seated = (replace(each, fixed_table=needed.get(each.id, each.fixed_table)) for each in given.contenders)
        given = replace(given, contenders=tuple(seated))
        tables = number_seatings(pairing.pairs, fixed | needed)
        pairing = replace(pairing, tables=tuple(tables), input_hash=given.digest())
    return RoundPlan(planned_matches(given, pairing), certificate_of(pairing), given.as_dict())


def certificate_of(pairing: RoundPairing) -> dict[str, Any]:
    """What a `Round` keeps of a pairing: whence it came, what it costs, and what that is worth."""
    return {
        "engine": pairing.engine, "seed": pairing.seed, "input_hash": pairing.input_hash,
        "pairing_hash": pairing.digest(),
        "cost": asdict(pairing.cost), "bound": asdict(pairing.bound), "proved": pairing.proved,
    }  # fmt: skip


def planned_matches(given: RoundInput, pairing: RoundPairing) -> list[PlannedMatch]:
    """A pairing as matches to be stored, by table, then the byes, each with its reasons."""
    reasons, locked = explain_round(given, pairing), {frozenset(pair) for pair in given.locked}
    planned = [
        PlannedMatch(table, pair, explanation=[each.as_dict() for each in why], locked=frozenset(pair) in locked)
        for table, pair, why in zip(pairing.tables, pairing.pairs, reasons.pairs, strict=True)
    ]
    byes = [PlannedMatch(None, (entry,), MatchKind.BYE, [AWARDED_BYE.as_dict()]) for entry in pairing.awarded_byes]
    if pairing.bye is not None:
        byes.append(PlannedMatch(None, (pairing.bye,), MatchKind.BYE, [each.as_dict() for each in reasons.bye]))
    return [*planned, *byes]


def _plan_tables(tournament: Tournament, number: int, seed: int) -> RoundPlan:
    given = table_input_of(tournament, number, seed)
    fixed = fixed_tables_of(tournament)
    seated = seat_tables(given)
    if not seated.tables:
        raise DomainError(
            "too_few_entries",
            _("A table needs at least %(least)d players.") % {"least": given.policy.least},
        )
    fixed |= needed_tables(seated.tables, fixed, wanted_tables(tournament))
    places = seated_places(seated, fixed)
    certificate = {
        "engine": seated.engine, "seed": seated.seed, "input_hash": seated.input_hash,
        "pairing_hash": places_digest(places),
        "cost": asdict(seated.cost), "bound": asdict(seated.bound), "proved": seated.proved,
    }  # fmt: skip
    inputs = {**given.as_dict(), "fixed": sorted([entry, table] for entry, table in fixed.items())}
    return RoundPlan(list(_table_matches(given, seated, fixed)), certificate, inputs)


def _table_matches(given: TableInput, seated: SeatedRound, fixed: Mapping[int, int]) -> Iterator[PlannedMatch]:
    reasons = {seats: [each.as_dict() for each in why] for seats, why in explain_seated(given, seated)}
    for table, seats in sorted(zip(number_seatings(seated.tables, fixed), seated.tables, strict=True)):
        yield PlannedMatch(table, seats, explanation=reasons[seats])
    for entry in seated.awarded_byes:
        yield PlannedMatch(None, (entry,), MatchKind.BYE, [AWARDED_BYE.as_dict()])
    for entry in seated.byes:
        yield PlannedMatch(None, (entry,), MatchKind.BYE, reasons[(entry,)])


def _plan_wave(tournament: Tournament, stage: Stage) -> RoundPlan:
    found = bracket_of(stage)
    assert found is not None
    if not found.filled.open:
        raise DomainError("no_rounds_left", _("The bracket is played: finish the event."))
    extra = stage.bracket_reset if stage.kind == Kind.DOUBLE_ELIMINATION else stage.third_place
    given = _fixed_input(tournament, stage, stage.kind, extra=extra, winners=found.winners, paired=tuple(found.matches))
    plan = _plan_fixed(tournament, given)
    if not plan.matches:
        raise DomainError("nothing_playable", _("The bracket is waiting for results."))
    return plan


def _fixed_input(
    tournament: Tournament,
    stage: Stage,
    kind: str,
    *,
    extra: bool,
    number: int = 1,
    winners: Mapping[str, int] | None = None,
    paired: tuple[str, ...] = (),
) -> FixedInput:
    seeds = tuple(stage.seeds or ())
    there = set(contestants(stage).values_list("pk", flat=True))
    still = missing_matches(tournament).filter(table_number__isnull=False)
    return FixedInput(
        kind,
        seeds,
        extra,
        number,
        winners or {},
        paired,
        tuple(entry for entry in field_of(stage) if entry not in there),
        tuple((entry, table) for entry, table in fixed_tables_of(tournament).items() if entry in seeds),
        tuple(match.table_number for match in still if match.table_number is not None),
    )


def _plan_fixed(tournament: Tournament, given: FixedInput) -> RoundPlan:
    paired = pair_fixed(given)
    seatings = [each.seats for each in paired.matches if each.table is not None]
    if needed := needed_tables(seatings, dict(given.fixed), wanted_tables(tournament), given.taken):
        given = replace(given, fixed=(*given.fixed, *needed.items()))
        paired = pair_fixed(given)
    certificate = {
        "engine": FIXED_ENGINE, "seed": 0, "input_hash": paired.input_hash, "pairing_hash": paired.digest(),
        "proved": True, "levels": list(paired.levels),
    }  # fmt: skip
    return RoundPlan([planned_fixed(each) for each in paired.matches], certificate, given.as_dict())


def planned_fixed(place: FixedPlace) -> PlannedMatch:
    """A place of a round without chance as a match to be stored; of two without a table the first seat plays on."""
    kind = MatchKind.PLAYED if place.table is not None else MatchKind.AWARDED if place.bracket else MatchKind.BYE
    explanation = [each.as_dict() for each in place.reasons]
    return PlannedMatch(place.table, place.seats, kind, explanation, bracket=place.bracket)
