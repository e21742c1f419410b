"""What players still need: certain by points or by trying every course, likely by the newest simulation."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby

from django.core.cache import cache

from journal.ledger.selectors import head_of
from scoring.standings.records import Outcome
from scoring.standings.standings import Standing
from tournaments.forecast.certainty import compute_prospects
from tournaments.forecast.inputs import OpenMatch, OutlookGiven
from tournaments.forecast.playouts import Playouts, Tallies, Tally
from tournaments.forecast.stage_state import Prospect, Verdict
from tournaments.models import AwardedBye, Match, OutlookRun, Round, Seat, Stage, Tournament
from tournaments.pairing.brackets.fixed_rounds import ROBIN, FixedInput, pair_fixed
from tournaments.standings.selectors.standings import StandingsGiven, standings_given
from tournaments.structure.selectors.stages import contestants, current_stage, field_of, next_stage, rounds_planned

Kind, Qualify = Stage.Kind, Stage.Qualify
CACHE_SECONDS = 24 * 3600
PRIZES = ((16, 8), (4, 4))
"""Where no cut is set: so many places in a field of more than so many; else the first alone."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What can be said at one position of the event.

    `prospects` by points, where points can say anything; `tallies` over every course, where they are few: then
    tiebreakers count, as far as matches end with one of the usual scores.
    """

    given: OutlookGiven
    stage: Stage
    into: Stage | None
    standings: tuple[Standing, ...]
    prospects: Mapping[int, Prospect]
    tallies: Mapping[int, Tally] | None

    @property
    def open_matches(self) -> int:
        """Known matches without a result."""
        return sum(len(match.seats) > 1 for match in self.given.matches)

    @property
    def unpaired_rounds(self) -> int:
        return len(self.given.rounds)

    def verdict(self, entry: int) -> Verdict:
        """What is certain of a person, by points or with tiebreakers; who left and takes no place is out."""
        if self.has_left(entry):
            return Verdict.OUT
        prospect = self.prospects.get(entry)
        if prospect is not None and prospect.now is not Verdict.OPEN:
            return prospect.now
        return Verdict.OPEN if self.tallies is None else verdict_of(self.tallies[entry])

    def is_by_points(self, entry: int) -> bool:
        """Whether points say so, or that it left; what tiebreakers say holds where matches end with usual scores."""
        prospect = self.prospects.get(entry)
        return self.has_left(entry) or (prospect is not None and prospect.now is not Verdict.OPEN)

    def has_left(self, entry: int) -> bool:
        """Whether a person takes no place any more."""
        return entry in self.given.gone and not self.given.gone_take_places

    def after(self, entry: int) -> dict[Outcome, Verdict]:
        """What is certain after each result of a person's next match; {} where none is to come."""
        prospect = self.prospects.get(entry)
        found = dict(prospect.after) if prospect else {}
        if (tally := (self.tallies or {}).get(entry)) is not None:
            for outcome in Outcome:
                if tally.seen[outcome] and found.get(outcome, Verdict.OPEN) is Verdict.OPEN:
                    found[outcome] = verdict_of(tally, outcome)
        return found


def verdict_of(tally: Tally, *results: Outcome | None) -> Verdict:
    """What every course says."""
    inside, level, seen = tally.share(*results)
    if seen and inside == seen:
        return Verdict.IN
    return Verdict.OUT if seen and not inside + level else Verdict.OPEN


@dataclass(frozen=True, slots=True)
class RunState:
    """A simulation: how far it is, whether it is about what counts now, and only then what it found so far."""

    run: OutlookRun
    done: int
    is_current: bool
    tallies: Tallies = field(default_factory=dict)

    @property
    def samples(self) -> int:
        """Courses tried so far."""
        return self.done * self.run.samples_a_chunk

    @property
    def is_running(self) -> bool:
        return self.run.cancelled_at is None and self.done < self.run.chunks


def outlook_given(tournament: Tournament) -> tuple[OutlookGiven, Stage, Stage | None] | None:
    """What the outlook of now depends on, the stage that is played, and the one that its best reach.

    None while the event does not run, before its first published round, in a bracket, and where everybody plays on.
    """
    if tournament.state != Tournament.State.RUNNING:
        return None
    stage, into = current_stage(tournament), next_stage(tournament)
    planned = rounds_planned(stage)
    if stage.is_bracket or planned is None or (into is not None and into.qualify == Qualify.EVERYBODY):
        return None
    published = _published(stage)
    if not published:
        return None
    return _given(tournament, stage, into, planned, published), stage, into


def _published(stage: Stage) -> list[int]:
    """The rounds of a stage that everybody may see, by number; a round that is paired in secret is none."""
    rounds = Round.objects.filter(stage=stage, superseded_at=None).exclude(state=Round.State.PAIRED)
    return list(rounds.order_by("number").values_list("number", flat=True))


def _given(
    tournament: Tournament, stage: Stage, into: Stage | None, planned: int, published: list[int]
) -> OutlookGiven:
    standings = standings_given(tournament)
    within = field_of(stage) if stage.seeds is not None else tuple(each.id for each in standings.contenders)
    playing = set(contestants(stage).values_list("pk", flat=True))
    gone = tuple(sorted(set(within) - playing))
    open_, rounds, next_round = _left(tournament, stage, standings, planned, published, gone)
    decided = [record for record in standings.records.values() if len(record.seats) > 1]
    places, points = _target(into, len(within))
    return OutlookGiven(
        contenders=standings.contenders,
        records=tuple(standings.records.values()),
        policy=standings.policy,
        within=tuple(sorted(within)),
        gone=gone,
        gone_take_places=into is None or not into.replaces_dropped,
        places=places,
        points=points,
        matches=open_,
        rounds=rounds,
        next_round=next_round,
        length=stage.match_length,
        later=tuple(each.contenders for each in standings.stages),
        table_size=stage.table_policy.preferred if stage.kind == Kind.TABLES else 2,
        draws=sum(all(seat.outcome is Outcome.DRAW for seat in record.seats) for record in decided),
        decided=len(decided),
    )


def _target(into: Stage | None, size: int) -> tuple[int | None, int | None]:
    """The places or the points that it takes."""
    if into is None:
        return next((places for above, places in PRIZES if size > above), 1), None
    if into.qualify == Qualify.POINTS:
        return None, into.qualify_value or 0
    return into.qualify_value or 0, None


Left = tuple[tuple[OpenMatch, ...], tuple[tuple[int, ...], ...], int]


def _left(
    tournament: Tournament,
    stage: Stage,
    standings: StandingsGiven,
    planned: int,
    published: list[int],
    gone: tuple[int, ...],
) -> Left:
    """The known matches, the rounds not paired yet with the byes awarded there, and the number of the first of them."""
    shift = standings.first_round - 1
    rows = (
        Seat.objects.filter(round__stage=stage, round__superseded_at=None, round__number__in=published)
        .exclude(match__state=Match.State.DONE)
        .order_by("round__number", "match_id", "order")
        .values_list("round__number", "match_id", "entry_id")
    )
    open_ = [
        OpenMatch(number - shift, tuple(row[2] for row in seats))
        for (number, _match), seats in groupby(rows, key=lambda row: row[:2])
    ]
    last = published[-1]
    to_come = range(last + 1, last + 1 + max(0, planned - len(published)))
    if stage.kind == Kind.ROUND_ROBIN:
        for count, number in enumerate(to_come, start=len(published) + 1):
            given = FixedInput(ROBIN, tuple(stage.seeds or ()), stage.return_leg, count, gone=gone)
            open_ += [OpenMatch(number - shift, place.seats) for place in pair_fixed(given).matches]
        return tuple(open_), (), last + 1 - shift
    awarded: defaultdict[int, list[int]] = defaultdict(list)
    byes = AwardedBye.objects.filter(entry__tournament=tournament, round_number__gt=last).order_by("entry_id")
    for number, entry in byes.exclude(entry__in=gone).values_list("round_number", "entry_id"):
        awarded[number].append(entry)
    return tuple(open_), tuple(tuple(awarded[number]) for number in to_come), last + 1 - shift


def outlook_of(tournament: Tournament) -> Outlook | None:
    """The outlook of now, from the cache where it holds this very ledger position; None where there is none to give."""
    key = f"outlook:{tournament.stream}:{head_of(tournament.stream)}"
    found: Outlook | None = cache.get(key)
    if found is None and (found := compute_outlook(tournament)) is not None:
        cache.set(key, found, CACHE_SECONDS)
    return found


def compute_outlook(tournament: Tournament) -> Outlook | None:
    """The same from the database alone."""
    found = outlook_given(tournament)
    if found is None:
        return None
    given, stage, into = found
    courses = Playouts(given)
    tallies = dict(courses.tally_all()) if courses.is_few() else None
    return Outlook(given, stage, into, given.standings(), _prospects(given), tallies)


def _prospects(given: OutlookGiven) -> dict[int, Prospect]:
    situation = given.situation()
    return {} if situation is None else compute_prospects(situation)


def newest_run(tournament: Tournament, given: OutlookGiven | None) -> RunState | None:
    """The newest simulation with what its chunks found so far; two queries."""
    run = tournament.outlook_runs.first()
    if run is None:
        return None
    tallies: Tallies = defaultdict(Tally)
    counts = list(run.done.values_list("counts", flat=True))
    is_current = given is not None and given.as_dict() == run.given
    for chunk in counts if is_current else ():
        for entry, found in chunk.items():
            tallies[int(entry)].add_list(found)
    return RunState(run, len(counts), is_current, dict(tallies))
