"""The stages of a tournament: which is being played, who plays in it, its rounds and what they are called."""

from collections.abc import Sequence
from math import ceil, log

from django.db.models import QuerySet

from tournaments.kept_answers import kept_answer
from tournaments.models import Entry, Round, Stage, Tournament
from tournaments.pairing.brackets.cut import recommended_structure
from tournaments.pairing.brackets.elimination import Bracket, double_elimination, single_elimination
from tournaments.pairing.brackets.filled import fill_bracket
from tournaments.pairing.swiss.swiss import recommended_rounds

Kind = Stage.Kind


@kept_answer
def stages_of(tournament: Tournament) -> list[Stage]:
    """The stages of a tournament, first to last, each with its tournament; one query."""
    return list(tournament.stages.order_by("number"))


def has_begun(stage: Stage) -> bool:
    """Whether a stage is played or over: the first with the event, any other once its seeds stand."""
    return stage.seeds is not None or (stage.number == 1 and stage.tournament.started_at is not None)


def begun_stages(tournament: Tournament) -> list[Stage]:
    """The stages that have begun, first to last; the first always counts as one."""
    return [stage for stage in stages_of(tournament) if stage.number == 1 or has_begun(stage)]


def current_stage(tournament: Tournament) -> Stage:
    """The stage being played: the last that has begun, the first before the start."""
    return begun_stages(tournament)[-1]


def next_stage(tournament: Tournament) -> Stage | None:
    """The stage that begins when the current one is over; None when that is the last."""
    return next((stage for stage in stages_of(tournament) if stage.number > 1 and not has_begun(stage)), None)


def rounds_in(stage: Stage) -> QuerySet[Round]:
    """The rounds of a stage that count, first to last."""
    return Round.objects.filter(stage=stage, superseded_at=None).order_by("number")


def sections(stages: Sequence[Stage] | QuerySet[Stage]) -> list[tuple[Stage, ...]]:
    """The stages where points count, in order, grouped: a group ends where points start anew; brackets are left out."""
    found: list[tuple[Stage, ...]] = []
    for stage in stages:
        if stage.is_bracket:
            continue
        if found and stage.carries_points:
            found[-1] = (*found[-1], stage)
        else:
            found.append((stage,))
    return found or [()]


def field_of(stage: Stage) -> tuple[int, ...]:
    """Who plays in a stage that has begun, as ids of entries, the best seed first; none before its seeds stand."""
    return tuple(seed for seed in stage.seeds or () if seed is not None)


def contestants(stage: Stage) -> QuerySet[Entry]:
    """Who is paired next in a stage: its field without whoever left; before its seeds stand, everybody who plays."""
    active = stage.tournament.entries.filter(state=Entry.State.REGISTERED)
    return active if stage.seeds is None else active.filter(pk__in=field_of(stage))


def rounds_planned(stage: Stage) -> int | None:
    """How many rounds a stage has: as the organiser chose, as its kind gives, or as its field recommends.

    None while the field is not known. In a bracket the rounds of play: a grand final played twice is one more.
    """
    if stage.counts_rounds:
        chosen = stage.tournament.swiss_rounds if stage.number == 1 else stage.planned_rounds
        if chosen is not None:
            return chosen
    size = _field_size(stage)
    if size is None or size < 2:
        return None
    return usual_rounds(stage, size, cut_follows=stage.kind == Kind.SWISS and _cut_follows(stage))


def _cut_follows(stage: Stage) -> bool:
    following = stage.tournament.stages.filter(number=stage.number + 1).first()
    return following is not None and following.is_bracket


def usual_rounds(stage: Stage, size: int, *, cut_follows: bool = False) -> int:
    """The rounds that a stage of this kind has, or is recommended to have, for a field of `size` (two or more).

    Swiss rounds before a bracket are those of docs/how-it-works/standings-and-tiebreakers.md#rounds.
    """
    if stage.kind == Kind.ROUND_ROBIN:
        return (size - 1 + size % 2) * (2 if stage.return_leg else 1)
    if stage.kind == Kind.TABLES:
        return 1 + max(1, ceil(round(log(size, stage.table_policy.preferred), 9)))
    if stage.is_bracket:
        return len(waves_of(bracket_from(stage, range(1, size + 1))))
    return recommended_structure(size).rounds if cut_follows else recommended_rounds(size)


def advised_rounds(tournament: Tournament, playing: int) -> int:
    """The rounds that the first stage of an event is recommended to have for `playing` entries (two or more)."""
    first, *later = stages_of(tournament)
    return usual_rounds(first, playing, cut_follows=bool(later) and later[0].is_bracket)


def _field_size(stage: Stage) -> int | None:
    if stage.seeds is not None:
        return len(stage.seeds) if stage.is_bracket else len(field_of(stage))
    if stage.number == 1 and stage.tournament.started_at is not None:
        return contestants(stage).count()
    return stage.qualify_value if stage.qualify == Stage.Qualify.TOP else None


def bracket_from(stage: Stage, seeds: Sequence[int | None]) -> Bracket:
    """The bracket that a stage makes of these seeds; DomainError "bad_bracket_size", "repeated_entrant"."""
    if stage.kind == Kind.DOUBLE_ELIMINATION:
        return double_elimination(seeds, reset=stage.bracket_reset)
    return single_elimination(seeds, third_place=stage.third_place)


def waves_of(bracket: Bracket) -> list[tuple[str, ...]]:
    """The levels of a bracket that are played at the same time, wave by wave, when the better seed always wins."""
    results: dict[str, int] = {}
    waves: list[tuple[str, ...]] = []
    while playable := fill_bracket(bracket, results).playable:
        waves.append(tuple(dict.fromkeys(each.match.level for each in playable)))
        results |= {each.match.id: min(seat for seat in each.seats if seat is not None) for each in playable}
    return waves
