"""The impact of a change: which lines of the standings, cut seats and tables differ before and after it."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.standings.standings import Standing
from tournaments.core.rounds import current_round, rounds_of
from tournaments.entries.selectors.entries import last_round_seated
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.models import Entry, Round, Seat, Stage, Tournament
from tournaments.pairing.manual.changes import bill_of, change_draft
from tournaments.pairing.manual.round_draft import Act, Change, CostReport, Refused, RoundDraft, Seating, difference
from tournaments.pairing.swiss.contenders import RoundInput
from tournaments.rounds.selectors.contenders import round_input_of
from tournaments.standings.selectors.moved import MovedLine, lines_between
from tournaments.standings.selectors.standings import StandingsGiven, lot_of, standings_given
from tournaments.structure.selectors.cuts import cut_of, ranked_lines
from tournaments.structure.selectors.stages import current_stage, field_of, has_begun, rounds_in, stages_of

MARK_LENGTH = 32


@dataclass(frozen=True, slots=True)
class MovedSeed:
    """An entry whose seed in a stage changes, the best 1; None: it is not in."""

    entry: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class MovedCut:
    """The cut to a stage that would be another one; `begun`: it was made already, and nothing moves in it any more."""

    stage: int
    begun: bool
    seeds: tuple[MovedSeed, ...]


@dataclass(frozen=True, slots=True)
class MovedBout:
    """A paired match of the bracket that others play afterwards: its id in the bracket, who plays by order of seats.

    `after` is empty where the match goes until its players are known.
    """

    match: str
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MovedTables:
    """The newest round, not closed yet, that was paired on something else: what its tables cost by what counts.

    `before` by the results until now, `after` by those to come, `repaired` once the tables `gone` have given way to
    those that `come`: both empty where no other pairing is better, as far as tables may be touched.
    """

    round: int
    number: int
    published: bool
    before: CostReport
    after: CostReport
    repaired: CostReport
    gone: tuple[Seating, ...] = ()
    come: tuple[Seating, ...] = ()


@dataclass(frozen=True, slots=True)
class Impact:
    """What a change moves. `built` are the numbers of the rounds that were paired on what changes.

    `tables` is None where the newest round is as good afterwards as before, or was not asked about. `mark` tells what
    all this was computed from: it moves with anything that this depends on.
    """

    lines: tuple[MovedLine, ...]
    cuts: tuple[MovedCut, ...]
    built: tuple[int, ...]
    tables: MovedTables | None
    mark: str
    bouts: tuple[MovedBout, ...] = ()


@dataclass(frozen=True, slots=True)
class CutGiven:
    """What a cut depends on beside the standings: the stage, who may come into it, who left, everybody's lot."""

    stage: Stage
    begun: bool
    within: frozenset[int]
    gone: frozenset[int]
    lots: Mapping[int, int]

    def seeds(self, standings: Iterable[Standing]) -> dict[int, int]:
        """Everybody who would be in, with the seed."""
        cut = cut_of(self.stage, ranked_lines(standings, self.within, self.gone, self.lots))
        return {entry: seed for seed, entry in enumerate(cut.seeds, start=1) if entry is not None}


@dataclass(frozen=True, slots=True)
class TablesGiven:
    """The newest round while it can be changed, its places, and what it would be paired from now; `seen` marks it."""

    round: Round
    draft: RoundDraft
    given: RoundInput
    seen: str


@dataclass(frozen=True, slots=True)
class Situation:
    """All that a change can move, read at one moment; `changed` are the rounds marked as built on changed results.

    `bouts` are the paired matches of the bracket being played, by id in it, with who sits there.
    """

    given: StandingsGiven
    cut: CutGiven | None
    changed: Mapping[int, str]
    tables: TablesGiven | None
    bouts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """Tells this from any other situation in which a change might move something else."""
        cut = self.cut and (self.cut.stage.pk, self.cut.begun, sorted(self.cut.within), sorted(self.cut.gone))
        tables = self.tables and (self.tables.seen, self.tables.given.digest())
        text = repr((self.given, cut, sorted(self.changed.items()), tables, sorted(self.bouts.items())))
        return hashlib.sha256(text.encode()).hexdigest()[:MARK_LENGTH]


def situation_of(tournament: Tournament, *, with_tables: bool) -> Situation:
    """Everything as it stands now, in a constant number of queries; `with_tables` for whoever may see pairings early.

    Its tables tell of people who must be kept apart.
    """
    rounds = rounds_of(tournament).exclude(results_changed_at=None).values_list("number", "results_changed_at")
    changed = {number: str(at) for number, at in rounds}
    tables = _tables_of(tournament) if with_tables else None
    bouts = _bouts_of(tournament, hidden_too=with_tables)
    return Situation(standings_given(tournament), _cut_of(tournament), changed, tables, bouts)


def impact_between(before: Situation, after: Situation) -> Impact:
    """What differs between two situations; two computations of standings."""
    old, new = before.given.compute(), after.given.compute()
    return Impact(
        lines_between(old, new, before.given.policy.tiebreakers),
        tuple(_moved_cuts(before, after, old, new)),
        tuple(sorted(number for number, at in after.changed.items() if before.changed.get(number) != at)),
        _moved_tables(before.tables, after.tables),
        before.mark,
        _moved_bouts(before.bouts, after.bouts),
    )


def _bouts_of(tournament: Tournament, *, hidden_too: bool) -> dict[str, tuple[int, ...]]:
    """Who sits at the paired matches of the bracket being played, by id in it; one query."""
    stage = current_stage(tournament)
    if not stage.is_bracket:
        return {}
    rounds = rounds_in(stage) if hidden_too else rounds_in(stage).exclude(state=Round.State.PAIRED)
    seats = Seat.objects.filter(match__round__in=rounds).exclude(match__bracket="").order_by("order")
    found: dict[str, tuple[int, ...]] = {}
    for match, entry in seats.values_list("match__bracket", "entry"):
        found[match] = (*found.get(match, ()), entry)
    return found


def _moved_bouts(before: Mapping[str, tuple[int, ...]], after: Mapping[str, tuple[int, ...]]) -> tuple[MovedBout, ...]:
    return tuple(
        MovedBout(match, before.get(match, ()), after.get(match, ()))
        for match in sorted({*before, *after})
        if set(before.get(match, ())) != set(after.get(match, ()))
    )


def impact_of_drop(entry: Entry) -> Impact:
    """What the drop of a player would move in standings and cut, computed without doing it: no lock is taken."""
    before = situation_of(entry.tournament, with_tables=False)
    cut = before.cut and replace(before.cut, gone=before.cut.gone | {entry.pk})
    given = before.given.with_drop(entry.pk, last_round_seated(entry))
    return impact_between(before, replace(before, given=given, cut=cut))


def _cut_of(tournament: Tournament) -> CutGiven | None:
    """The cut to the stage that comes next, else to the last one that has begun; None in an event of one stage.

    None also for a stage in which points go on from the one before: its standings hold results of its own.
    """
    stages = stages_of(tournament)
    coming = [stage for stage in stages if stage.number > 1 and not has_begun(stage)]
    stage = coming[0] if coming else stages[-1]
    if stage.number == 1 or (not coming and stage.carries_points):
        return None
    before = next(each for each in stages if each.number == stage.number - 1)
    rows = list(tournament.entries.values_list("pk", "number", "state"))
    everybody = {pk for pk, _number, _state in rows}
    return CutGiven(
        stage,
        not coming,
        frozenset(everybody if before.seeds is None else everybody & set(field_of(before))),
        frozenset(pk for pk, _number, state in rows if state != Entry.State.REGISTERED),
        {pk: lot_of(tournament, number) for pk, number, _state in rows},
    )


def _moved_cuts(
    before: Situation, after: Situation, old: Sequence[Standing], new: Sequence[Standing]
) -> Iterable[MovedCut]:
    if before.cut is None or after.cut is None:
        return
    if before.cut.begun:
        old, new = (_standings_before_stage(each.given, before.cut.stage) for each in (before, after))
    was, will = before.cut.seeds(old), after.cut.seeds(new)
    moved = [
        MovedSeed(entry, was.get(entry), will.get(entry))
        for entry in dict.fromkeys((*will, *was))
        if was.get(entry) != will.get(entry)
    ]
    if moved:
        yield MovedCut(before.cut.stage.pk, before.cut.begun, tuple(moved))


def _standings_before_stage(given: StandingsGiven, stage: Stage) -> tuple[Standing, ...]:
    """The standings that the cut to a stage was made from, the stage being the last that has begun."""
    if stage.is_bracket:
        return replace(given, bracket=None).compute()
    return (given.before or given).compute()


def _tables_of(tournament: Tournament) -> TablesGiven | None:
    round_ = current_round(tournament)
    if round_ is None or round_.state == Round.State.CLOSED or round_.stage.kind != Stage.Kind.SWISS:
        return None
    draft = round_draft_of(round_)
    given = round_input_of(tournament, round_.number, 0)
    return TablesGiven(round_, draft, given, seen_mark(round_, draft))


def _moved_tables(before: TablesGiven | None, after: TablesGiven | None) -> MovedTables | None:
    if before is None or after is None:
        return None
    if before.given == after.given and before.draft == after.draft:
        return None
    repaired = _repaired(after)
    gone, come = difference(after.draft, repaired)
    return MovedTables(
        after.round.pk,
        after.round.number,
        after.round.state == Round.State.PUBLISHED,
        bill_of(before.draft, before.given),
        bill_of(after.draft, after.given),
        bill_of(repaired, after.given),
        gone,
        come,
    )


def _repaired(tables: TablesGiven) -> RoundDraft:
    try:
        return change_draft(tables.draft, Change(Act.REPAIR_MINIMAL), tables.given).draft
    except Refused:
        return tables.draft
