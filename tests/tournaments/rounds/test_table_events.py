"""Whole events at tables of several: who sits where, in which order, and how a final table decides."""

from collections import Counter

import pytest

from scoring.standings.results import table_result
from tests.tournaments.factories import NOW, account, event, next_round, report_all
from tournaments.core.rounds import matches_of
from tournaments.events.services.events import start_tournament
from tournaments.models import Stage, Tournament
from tournaments.pairing.pods.contenders import Remainder, TablePolicy
from tournaments.pairing.pods.sizes import table_sizes
from tournaments.results.services.reports import report_result
from tournaments.standings.selectors.standings import standing_rows
from tournaments.structure.recommended import recommended_stages
from tournaments.structure.services.stage_drafts import StageDraft, usual_tables
from tournaments.structure.services.stages import begin_next_stage, set_stages

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
NOT_OF_FOURS_AND_FIVES = (2, 3, 6, 7, 11)


def started(players, game="doomlings", game_format="standard", stages=()):
    tournament = event(players, game=game, game_format=game_format, best_of=1)
    if stages:
        set_stages(account("olive"), tournament, stages, NOW)
    return start_tournament(account("olive"), tournament, NOW)


def seats_of(round_):
    return [[seat.entry.name for seat in match.seats.order_by("order")] for match in matches_of(round_)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("players", range(2, 41))
def test_tables_of_doomlings_are_of_four_and_five_wherever_that_can_be(players):
    found = table_sizes(players, usual_tables(Tournament(game="doomlings", game_format="standard")))
    assert (sum(found.sizes), found.byes, found.fault) == (players, 0, "")
    assert max(found.sizes) - min(found.sizes) <= 1
    if players not in NOT_OF_FOURS_AND_FIVES:
        assert set(found.sizes) <= {4, 5}
    assert {6: (3, 3), 7: (4, 3), 11: (4, 4, 3), 13: (5, 4, 4)}.get(players, found.sizes) == found.sizes


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_doomtrooper_free_for_all_seats_everybody_at_one_table(players):
    free = TablePolicy(max(players, 3), 2, 6, Remainder.LARGER)
    round_ = next_round(started(players, "doomtrooper", "second-edition", [StageDraft("tables", tables=free)]))
    assert [len(table) for table in seats_of(round_)] == [players]
    report_all(round_, *((1, 0) if players == 2 else ()))
    assert len(standing_rows(round_.stage.tournament)) == players


@pytest.mark.parametrize("players", [2, 6, 7, 11, 13])
def test_events_of_doomlings_are_played_through_without_a_bye(players):
    tournament, won = started(players), (1, 0) if players == 2 else ()
    for _number in range(2):
        round_ = next_round(tournament)
        seated = [name for table in seats_of(round_) for name in table]
        assert len(seated) == len(set(seated)) == players
        report_all(round_, *won)
    rows = standing_rows(tournament)
    assert len(rows) == players


def test_everybody_begins_once_in_as_many_rounds_as_seats():
    tournament = started(4, stages=[StageDraft("tables", planned_rounds=4, tables=TablePolicy(4, 2, 5))])
    places = Counter()
    for _number in range(4):
        round_ = next_round(tournament)
        places.update((name, seat) for table in seats_of(round_) for seat, name in enumerate(table))
        report_all(round_)
    assert set(places.values()) == {1}
    assert len(places) == 16


def test_a_final_table_decides_the_first_places():
    tournament = started(13, stages=recommended_stages(Tournament(game="doomlings", game_format="standard"), 13))
    for _number in range(3):
        report_all(next_round(tournament))
    before = [row.entry.name for row in standing_rows(tournament)]
    final = begin_next_stage(account("olive"), tournament, NOW)
    assert (final.kind, final.qualify, len(final.seeds)) == (Stage.Kind.TABLES, Stage.Qualify.TOP, 4)
    (match,) = matches_of(next_round(tournament))
    names = [seat.entry.name for seat in match.seats.order_by("order")]
    assert set(names) == set(before[:4])
    wanted = list(reversed(before[:4]))
    report_result(account("olive"), match, table_result([wanted.index(name) + 1 for name in names]), NOW)
    assert [row.entry.name for row in standing_rows(tournament)] == wanted + before[4:]
