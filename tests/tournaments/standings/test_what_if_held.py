"""What would have been equals what is: a second event is really held by the rules, rounds, cut and results supposed.

In Swiss rounds the second event is given the pairings of the first, since other points would have paired others; so it
is said on the page. Lots are those of the number, the same in both events.
"""

from collections.abc import Iterable, Mapping
from random import Random

import pytest

from scoring.standings.presets import PRESETS
from scoring.standings.records import PointsBy, ScoringPolicy
from scoring.standings.standings import Standing
from scoring.standings.tiebreakers import TIEBREAKERS
from tests.tournaments.factories import NOW, account, event, next_round
from tournaments.core.rounds import matches_of, rounds_of
from tournaments.entries.services.attendance import drop_entry
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, Round, Stage, Tournament
from tournaments.results.forms.scores import read_score
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import ManualPairing, MatchKind, enter_pairings, publish_round
from tournaments.standings.forms.supposed_results import read_supposed
from tournaments.standings.selectors.standings import StandingsGiven, standings_of
from tournaments.standings.selectors.what_if import WhatIf, suppose, supposed_by
from tournaments.structure.selectors.stages import field_of
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import begin_next_stage, set_stages

pytestmark = pytest.mark.django_db
PROFILES = [
    key for key, each in PRESETS.items() if each.policy.points_by is PointsBy.OUTCOME and not each.policy.counts_scores
]
CRITERIA = [key for key in TIEBREAKERS if key not in ("match_points", "lot")]
SCORES = ("2-0", "2-1", "1-1", "1-2", "0-2")
Results = dict[tuple[int, int], str]
"""What is typed for round and table."""


@pytest.fixture(autouse=True)
def _one_lot_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (
        "standings.selectors.standings",
        "standings.selectors.what_if",
        "structure.selectors.cuts",
        "rounds.services.rounds",
    ):
        monkeypatch.setattr(f"tournaments.{module}.lot_of", lambda _event, number: number * 7919 % 101)


class Case:
    """A first event, what is supposed of it, and the second event."""

    def __init__(self, seed: int) -> None:
        self.draw = Random(seed)
        self.players = self.draw.randint(4, 8)
        self.is_swiss = self.draw.random() < 0.7
        self.rounds = self.draw.randint(2, 4) if self.is_swiss else self.players - 1 + self.players % 2
        self.here = PRESETS[self.draw.choice(PROFILES)].policy
        self.drops: dict[int, str] = {}
        self.results: Results = {}
        self.held = self._started(self.here, self.rounds, [])
        self._play_first()
        self._suppose()

    def _started(self, policy: ScoringPolicy, rounds: int, later: list[StageDraft]) -> Tournament:
        held = event(self.players, policy=policy)
        first = StageDraft(planned_rounds=rounds) if self.is_swiss else StageDraft(Stage.Kind.ROUND_ROBIN)
        set_stages(account("olive"), held, [first, *later], NOW)
        return start_tournament(account("olive"), held, NOW)

    def _play_first(self) -> None:
        for number in range(1, self.rounds + 1):
            for match in matches_of(next_round(self.held, self.draw.randrange(999))):
                if match.kind == Match.Kind.PLAYED:
                    self.results[number, match.table_number or 0] = self.draw.choice(SCORES)
                    report(match, self.results[number, match.table_number or 0])
            if self.is_swiss and number < self.rounds and self.draw.random() < 0.2:
                gone = self.draw.choice(self.held.entries.filter(state="registered").order_by("number"))
                self.drops[number] = gone.name
                drop_entry(account("olive"), gone, NOW)

    def _suppose(self) -> None:
        """At least one thing is another: rules, points, criteria, rounds, cut or a result."""
        draw = self.draw
        self.after = draw.randint(1, self.rounds) if self.is_swiss and draw.random() < 0.5 else self.rounds
        there = self.players - len([number for number in self.drops if number <= self.after])
        self.cut = draw.choice([each for each in (2, 4) if each <= there]) if draw.random() < 0.5 else 0
        self.changed: Results = {}
        if draw.random() < 0.5:
            place = draw.choice(sorted(each for each in self.results if each[0] <= self.after))
            self.changed[place] = draw.choice(SCORES)
        points: Mapping[str, int | None] = {"win": None, "draw": None, "loss": None}
        if draw.random() < 0.5:
            points = {"win": draw.randint(3, 6), "draw": draw.randint(1, 2), "loss": draw.choice([0, 1, None])}
        criteria = ["match_points", *draw.sample(CRITERIA, 3), "lot"] if draw.random() < 0.5 else []
        rules = draw.choice(["", *PROFILES])
        after = self.after if self.after < self.rounds else None
        records = {}
        for (number, table), typed in self.changed.items():
            records |= read_supposed(self.held, number, table, typed, after)
        self.supposed = supposed_by(
            self.here, rules=rules, points=points, tiebreakers=criteria, after=after, cut=self.cut, results=records
        )

    def found(self) -> WhatIf:
        """What is supposed of the first event."""
        return suppose(self.held, self.rounds, self.supposed)

    def really_held(self) -> Tournament:
        """The second event, played round by round through the services, up to the cut."""
        policy, later = self.supposed.policy, []
        if self.cut:
            kind, top = Stage.Kind.SINGLE_ELIMINATION, Stage.Qualify.TOP
            later = [StageDraft(kind, qualify=top, qualify_value=self.cut)]
        assert policy is not None
        other = self._started(policy, self.after if self.is_swiss else self.rounds, later)
        results = self.results | self.changed
        for round_ in list(rounds_of(self.held))[: self.after]:
            again = self._paired_likewise(other, round_) if self.is_swiss else next_round(other)
            here, there = ({seats_of(match) for match in matches_of(each)} for each in (round_, again))
            assert here == there
            for match in matches_of(again):
                if match.kind == Match.Kind.PLAYED:
                    report(match, results[again.number, match.table_number or 0])
            if again.number in self.drops and again.number <= self.after:
                drop_entry(account("olive"), other.entries.get(name=self.drops[again.number]), NOW)
        return other

    def _paired_likewise(self, other: Tournament, round_: Round) -> Round:
        entries = {entry.name: entry for entry in other.entries.all()}
        pairings = []
        for match in matches_of(round_):
            first, *others = (entries[name] for name in seats_of(match)[1:])
            kind = MatchKind.PLAYED if others else MatchKind.BYE
            pairings.append(ManualPairing(first, others[0] if others else None, kind))
        return publish_round(account("olive"), enter_pairings(account("olive"), other, pairings, NOW), NOW)


def seats_of(match: Match) -> tuple[int | str | None, ...]:
    return (match.table_number, *(seat.entry.name for seat in sorted(match.seats.all(), key=lambda each: each.order)))


def report(match: Match, typed: str) -> None:
    report_result(account("olive"), match, read_score(typed, match.round.stage.match_length).as_result(), NOW)


def values_of(tournament: Tournament, lines: tuple[Standing, ...]) -> list[tuple[object, ...]]:
    """The lines with names, whole, tied ones by name."""
    names = dict(tournament.entries.values_list("pk", "name"))
    return sorted((line.rank, names[line.contender], line.tally, line.keys) for line in lines)


def all_as_if_held(seeds: Iterable[int]) -> None:
    for seed in seeds:
        as_if_held(seed)


def as_if_held(seed: int) -> None:
    case = Case(seed)
    found, other = case.found(), case.really_held()
    lines = tuple(line.standing for line in found.lines)
    assert values_of(case.held, lines) == values_of(other, standings_of(other)), seed
    if case.cut:
        entries = dict(case.held.entries.values_list("pk", "name"))
        stage = begin_next_stage(account("olive"), other, NOW)
        names = {each.pk: each.name for each in other.entries.all()}
        assert {entries[each.standing.contender] for each in found.lines if each.in_cut} == {
            names[pk] for pk in field_of(stage)
        }, seed


def test_what_is_supposed_ranks_as_in_an_event_held_so(seed: int) -> None:
    all_as_if_held(range(seed, seed + 6))


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_what_is_supposed_ranks_as_in_500_events_held_so(seed: int, part: int) -> None:
    all_as_if_held(range(seed + 50 * part, seed + 50 * part + 50))


def test_another_result_that_is_forgotten_is_noticed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without the change of the record, events with another result come out otherwise."""
    monkeypatch.setattr(StandingsGiven, "with_record", lambda self, *_given: self)
    with pytest.raises(AssertionError):
        all_as_if_held(range(seed, seed + 30))
