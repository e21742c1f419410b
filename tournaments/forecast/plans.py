"""The plan that an event's settings and entries mean, and what it comes to."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tournaments.entries.selectors.entries import active_entries
from tournaments.forecast.planning import MAX_PLAYERS, MAX_ROUNDS, Outcome, Plan, first_runs, simulate_plan
from tournaments.forecast.timetable import Moments, Pace, planned_end
from tournaments.models import Tournament
from tournaments.pairing.brackets.cut import recommended_structure
from tournaments.pairing.swiss.swiss import recommended_rounds
from tournaments.room.selectors.clocks import minutes_a_round
from tournaments.structure.selectors.stages import stages_of

USUAL_PLAYERS, FEWEST_PLAYERS = 16, 4
USUAL_DRAWS = 5
"""Drawn matches in a hundred, where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class PlanLine:
    """What a plan comes to, and when its event ends; `is_recommended` for the structure recommended by attendance."""

    outcome: Outcome
    end: Moments
    is_recommended: bool

    @property
    def plan(self) -> Plan:
        return self.outcome.plan


def usual_plan(tournament: Tournament) -> Plan:
    """The plan by entries (else by the player limit) and the structure recommended for them; two queries."""
    players = active_entries(tournament).count()
    if players < FEWEST_PLAYERS:
        players = tournament.capacity or USUAL_PLAYERS
    return usual_plan_for(min(max(players, FEWEST_PLAYERS), MAX_PLAYERS))


USUAL_PLAYERS = 16
"""For how many an event is planned that does not exist yet."""


def usual_plan_for(players: int) -> Plan:
    """The structure recommended for so many players, with the usual share of draws."""
    advised = recommended_structure(players)
    return Plan(players, min(advised.rounds, MAX_ROUNDS), advised.cut, USUAL_DRAWS / 100)


def usual_minutes_of(tournament: Tournament) -> int:
    """The round length of the event's first stage; 0 without a clock."""
    return minutes_a_round(tournament, stages_of(tournament)[0])


def compared(plan: Plan) -> list[Plan]:
    """The plan beside those with a round less and more, and the recommended one where it is another."""
    return list(dict.fromkeys((*_neighbours(plan), recommended(plan))))


def compare_plans(pace: Pace, plan: Plan, minutes: int, seed: int) -> list[PlanLine]:
    """What the compared plans come to, by a few hundred runs each, in less than two seconds."""
    plans = compared(plan)
    return [plan_line(pace, each, minutes, seed, max(1, first_runs(each) // len(plans))) for each in plans]


def plan_line(pace: Pace, plan: Plan, minutes: int, seed: int, runs: int) -> PlanLine:
    return line_of(pace, simulate_plan(plan, runs, seed), minutes, seed)


def line_of(pace: Pace, found: Outcome, minutes: int, seed: int) -> PlanLine:
    """What was found of a plan, with the end of its event."""
    return PlanLine(found, planned_end(pace, found.plan, minutes, seed), found.plan == recommended(found.plan))


def recommended(plan: Plan) -> Plan:
    """The structure recommended for as many players: with a cut where the plan has one, else without."""
    advised = recommended_structure(plan.players)
    if plan.cut and advised.cut:
        return replace(plan, rounds=advised.rounds, cut=advised.cut)
    return replace(plan, rounds=recommended_rounds(plan.players), cut=0)


def _neighbours(plan: Plan) -> Iterator[Plan]:
    for rounds in (plan.rounds - 1, plan.rounds, plan.rounds + 1):
        if 1 <= rounds <= MAX_ROUNDS:
            yield replace(plan, rounds=rounds)
