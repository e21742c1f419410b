"""Random histories of rounds: pair, publish, report, correct, take back, drop, finish.

See docs/how-it-works/trust.md#p4, #p6 and #r8.

After each act the database says what a plain model says. The control takes guards out: a short history then goes wrong.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import DomainError
from tests.invariants.round_model import PAIRED, PUBLISHED, Games, Model, Sitting
from tests.tournaments.factories import NOW, account, running, score
from tournaments.core.rounds import missing_matches, rounds_of
from tournaments.entries.services.attendance import drop_entry
from tournaments.events.selectors.events import next_step
from tournaments.events.services.events import finish_tournament, reopen_tournament
from tournaments.models import Match, Round, Seat, Tournament
from tournaments.results.services import corrections, stored_reports
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.rounds.selectors.contenders import contenders_of
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round
from tournaments.standings.selectors.standings import compute_standings_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

PLAYERS, ROUNDS, STEPS = 5, 4, 30
ANY = st.integers(0, 10**6)
GAMES = st.sampled_from([(2, 0), (1, 1), (1, 2)])
REASON = "so it goes"


class Histories(RuleBasedStateMachine):
    """One event, and what a model makes of the same acts; everything is taken back afterwards."""

    @initialize()
    def begin(self) -> None:
        self.olive = account("olive")
        self.event = running(PLAYERS, swiss_rounds=ROUNDS)
        self.model = Model(ROUNDS, set(self.event.entries.values_list("pk", flat=True)))
        self.is_running = True
        self.is_ready = True

    def __init__(self) -> None:
        super().__init__()
        self.is_ready, self.acts = False, 0
        self.frame = transaction.atomic()
        self.frame.__enter__()

    def teardown(self) -> None:
        try:
            if self.is_ready:
                assert verify_stream(self.event.stream) == []
        finally:
            transaction.set_rollback(True)
            self.frame.__exit__(None, None, None)

    def attempt(self, act: Callable[[], Any], expected: str) -> tuple[Any, DomainError | None]:
        """The answer of an act or its refusal, which must be of the expected code; "" expects none."""
        answer, refusal = None, None
        try:
            answer = act()
        except DomainError as error:
            refusal = error
        assert (refusal.code if refusal else "") == expected
        return answer, refusal

    def now(self) -> datetime:
        """Each act later than the one before."""
        self.acts += 1
        return NOW + timedelta(seconds=self.acts)

    def round_(self, number: int) -> Round:
        return rounds_of(self.event).select_related("stage__tournament").get(number=number)

    def any_match(self, pick: int) -> Match | None:
        played = self.model.played()
        if not played:
            return None
        _wave, sitting = played[pick % len(played)]
        return Match.objects.select_related("round__stage__tournament").get(pk=sitting.pk)

    # Acts

    @precondition(lambda self: self.is_running)
    @rule(accepted=st.sampled_from(["none", "some", "all"]), pick=ANY, reason=st.sampled_from(["", REASON]))
    def pair(self, accepted: str, pick: int, reason: str) -> None:
        missing = self.model.missing()
        some = {pk for place, pk in enumerate(missing) if pick >> place % 20 & 1}
        self.pair_without({"none": set(), "all": set(missing), "some": some}[accepted], pick, reason)

    def pair_without(self, without: set[int], pick: int, reason: str) -> None:
        expected, missing = self.model.refuse_pairing(without, reason), self.model.missing()
        met = self.model.opponents(len(self.model.waves) + 1)
        round_, refusal = self.attempt(
            lambda: pair_next_round(self.olive, self.event, self.now(), seed=pick, without=without, reason=reason),
            expected,
        )
        if refusal is not None:
            named = {each["match"] for each in refusal.details.get("missing", [])}
            assert named == (set(missing) - without if expected == "missing_results" else set())
            return
        self.model.pair(sittings_of(round_))
        placed = [entry for each in self.model.waves[-1].sittings.values() for entry in each.seats]
        assert sorted(placed) == sorted(self.model.active)
        assert {each.id: list(each.opponents) for each in round_.stored_input.value.contenders} == met
        logged = LedgerEntry.objects.filter(stream=self.event.stream, act="round.paired").latest("sequence")
        assert logged.subjects.get("missing", 0) == len(missing)

    @precondition(lambda self: self.is_running and self.model.waves)
    @rule()
    def publish(self) -> None:
        newest = self.model.waves[-1]
        expected = "" if newest.state == PAIRED else "published_already"
        if self.attempt(lambda: publish_round(self.olive, self.round_(newest.number), self.now()), expected)[0]:
            newest.state = PUBLISHED

    @precondition(lambda self: self.is_running and len(self.model.waves) < ROUNDS)
    @rule(pick=ANY)
    def go_on(self, pick: int) -> None:
        """The next round, whatever is missing, at once published."""
        if not self.model.waves or self.model.waves[-1].state != PAIRED:
            self.pair_without(set(self.model.missing()), pick, REASON)
        self.publish()

    @precondition(lambda self: self.is_running and self.model.played())
    @rule(pick=ANY, games=GAMES, by=st.sampled_from([None, None, 0, 1]))
    def report(self, pick: int, games: Games, by: int | None) -> None:
        match = self.any_match(pick)
        seat = None if by is None else match.seats.order_by("order")[by]
        expected = self.model.report(match.pk, games, None if seat is None else seat.pk)
        self.attempt(lambda: report_result(self.olive, match, score(*games), self.now(), seat=seat), expected)

    @precondition(lambda self: self.is_running and self.model.missing())
    @rule(pick=ANY, games=GAMES)
    def settle(self, pick: int, games: Games) -> None:
        """The staff enter a result that is missing, of the newest round or late."""
        missing = self.model.missing()
        match = Match.objects.select_related("round__stage__tournament").get(pk=missing[pick % len(missing)])
        expected = self.model.report(match.pk, games, None)
        self.attempt(lambda: report_result(self.olive, match, score(*games), self.now()), expected)

    @precondition(lambda self: self.is_running and self.model.played())
    @rule(pick=ANY, games=GAMES)
    def correct(self, pick: int, games: Games) -> None:
        match = self.any_match(pick)
        expected = self.model.correct(match.pk, games)
        self.attempt(lambda: correct_result(self.olive, match, score(*games), REASON, self.now()), expected)

    @precondition(lambda self: self.is_running and self.model.waves)
    @rule(pick=ANY)
    def withdraw(self, pick: int) -> None:
        wave = self.model.waves[-1 - pick % min(2, len(self.model.waves))]
        round_ = self.round_(wave.number)
        expected = self.model.withdraw(wave)
        self.attempt(lambda: withdraw_round(self.olive, round_, REASON, self.now()), expected)

    @precondition(lambda self: self.is_running and len(self.model.active) > PLAYERS - 2)
    @rule(pick=ANY)
    def drop(self, pick: int) -> None:
        entry = sorted(self.model.active)[pick % len(self.model.active)]
        drop_entry(self.olive, self.event.entries.get(pk=entry), self.now())
        self.model.active.remove(entry)

    @precondition(lambda self: self.is_running and len(self.model.waves) > 1)
    @rule()
    def finish(self) -> None:
        expected = self.model.finish()
        if self.attempt(lambda: finish_tournament(self.olive, self.event, self.now()), expected)[0]:
            self.is_running = False

    @precondition(lambda self: not self.is_running)
    @rule()
    def reopen(self) -> None:
        reopen_tournament(self.olive, self.event, REASON, self.now())
        self.model.reopen()
        self.is_running = True

    # What must hold after each of them

    @invariant()
    def rounds_are_what_the_model_says(self) -> None:
        if not self.is_ready:
            return
        found = [
            (each.number, each.state, each.paired_without, each.results_changed_at is not None)
            for each in rounds_of(self.event)
        ]
        assert found == [(each.number, each.state, each.without, each.marked) for each in self.model.waves]

    @invariant()
    def tables_are_those_that_were_paired(self) -> None:
        for wave in self.model.waves if self.is_ready else []:
            seats = {pk: each.seats for pk, each in sittings_of(self.round_(wave.number)).items()}
            assert seats == {pk: each.seats for pk, each in wave.sittings.items()}

    @invariant()
    def opponents_are_who_sat_together(self) -> None:
        if self.is_ready:
            number = len(self.model.waves) + 1
            found = {each.id: list(each.opponents) for each in contenders_of(self.event, number)}
            assert found == self.model.opponents(number)

    @invariant()
    def points_follow_from_what_counts(self) -> None:
        if self.is_ready:
            points = {each.contender: each.match_points for each in compute_standings_of(self.event)}
            assert points == {entry: self.model.points()[entry] for entry in points}

    @invariant()
    def everything_missing_is_named(self) -> None:
        if self.is_ready:
            assert {match.pk for match in missing_matches(self.event)} == set(self.model.missing())
            if self.is_running and self.model.waves:
                assert {match.pk for match in next_step(self.current()).missing} == set(self.model.missing())

    def current(self) -> Tournament:
        return Tournament.objects.get(pk=self.event.pk)


def sittings_of(round_: Round) -> dict[int, Sitting]:
    """The matches of a round as they stand in the database, by id."""
    seats: dict[int, list[int]] = {}
    rows = Seat.objects.filter(round=round_).order_by("match__table_number", "match_id", "order")
    for match, entry in rows.values_list("match_id", "entry_id"):
        seats.setdefault(match, []).append(entry)
    return {match: Sitting(match, tuple(entries)) for match, entries in seats.items()}


def run(histories: int, chance: int) -> None:
    """So many histories, repeatable by the seed of the run."""
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    usual = settings(
        max_examples=histories, stateful_step_count=STEPS, deadline=None, suppress_health_check=checks, database=None
    )
    run_state_machine_as_test(seed(chance)(Histories), settings=usual)


def test_histories_go_as_the_model_says(many, request, seed):
    """Five histories in the full run, each of up to thirty acts; 1,500 with `--long`, two with `--quick`."""
    usual = 2 if request.config.getoption("--quick") else 5
    run(many(1500, usual), seed)


def play_two_rounds() -> None:
    """One short history: two rounds, the second paired without a result that comes late, then another is corrected."""
    history = Histories()
    try:
        history.begin()
        history.go_on(0)
        history.settle(0, (2, 0))
        history.go_on(0)
        while history.model.missing():
            history.settle(0, (2, 0))
        history.correct(0, (1, 2))
        history.rounds_are_what_the_model_says()
    finally:
        history.teardown()


@pytest.mark.postgresql
def test_a_history_goes_wrong_without_a_guard(monkeypatch):
    play_two_rounds()
    for module, guard in ((corrections, "_mark_rounds_built_on"), (stored_reports, "_close_if_complete")):
        with monkeypatch.context() as patch:
            patch.setattr(module, guard, lambda *_given: None)
            with pytest.raises(AssertionError):
                play_two_rounds()
