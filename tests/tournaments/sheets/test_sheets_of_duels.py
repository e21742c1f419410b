"""Sheets of Doomtrooper and of Dead or Destroyed at events: ledgers and games become results of their matches."""

from fractions import Fraction

import pytest

from rules_engine.errors import DomainError
from scoring.standings.presets import PRESETS
from scoring.standings.results import table_result
from tests.tournaments.factories import NOW, account
from tests.tournaments.sheet_acts import doomlings, file, fresh, opened, places, played, sign, state, work
from tournaments.models import Match
from tournaments.results.services.reports import report_result
from tournaments.sheets.selectors.sheet_lines import SheetState
from tournaments.sheets.services.writing import save_match_part
from tournaments.standings.selectors.standings import standing_rows

pytestmark = pytest.mark.django_db

TROOPER = {"game": "doomtrooper", "game_format": "second-edition"}
DEAD = {"game": "dead_or_destroyed", "game_format": "standard"}


def table_of(players=2, **changes):
    """A match with an open sheet, and who sits there in seat order."""
    match = opened(played(doomlings(players, **changes)))
    return match, [player["name"] for player in match.score_sheet.sheet.players]


def write_table(match, **content):
    part = match.score_sheet.sheet.parts.get(place=0)
    save_match_part(account("olive"), match, 0, content, part.version, NOW)


def kill(player, victim, value, **facts):
    return {"act": "kill", "player": player, "victim": victim, "value": value, **facts}


def counted(match):
    return Match.objects.get(pk=match.pk).accepted_report


def test_doomtrooper_ledger_signed_by_both_is_the_result():
    match, (one, other) = table_of(**TROOPER)
    write_table(match, acts=[kill(one, other, 12), kill(other, one, 41)])
    revision = file(match)
    work()
    sign(match, revision, 1, 2)
    assert places(match) == [2, 1]
    assert [row.score for row in counted(match).seat_results.order_by("seat__order")] == [12, 41]
    assert counted(match).games == [{"winner": 1, "win_kind": "target", "roles": []}]
    assert standing_rows(match.round.stage.tournament)[0].entry.name == other
    assert fresh(match) is not None


def test_doomtrooper_game_that_goes_on_comes_back_to_the_table():
    match, (one, other) = table_of(**TROOPER)
    write_table(match, acts=[kill(one, other, 12)])
    file(match)
    work()
    assert state(match).state is SheetState.RETURNED
    assert "not over" in state(match).reason
    assert counted(match) is None


def test_doomtrooper_ledger_with_an_unlawful_act_comes_back_with_its_number():
    match, (one, other) = table_of(**TROOPER)
    write_table(match, acts=[kill(one, other, 41, promotion=42)])
    file(match)
    work()
    assert state(match).state is SheetState.RETURNED
    assert "act 1 (kill)" in state(match).reason


def test_doomtrooper_options_of_the_event_hold():
    match, (one, other) = table_of(**TROOPER, sheet_options={"target": 25})
    write_table(match, acts=[kill(one, other, 25)])
    file(match, 0)
    work()
    assert places(match) == [1, 2]


def test_doomtrooper_winner_with_fewer_points_stands_first_and_everybody_keeps_the_score():
    match, (one, other) = table_of(**TROOPER)
    bare = [{"act": "turn", "player": one, "warriors": 0}, {"act": "turn", "player": other}]
    write_table(match, acts=[kill(one, other, 12), *bare * 3])
    file(match, 0)
    work()
    assert places(match) == [2, 1]
    assert [row.score for row in counted(match).seat_results.order_by("seat__order")] == [12, 0]


def test_standings_by_total_score_count_what_a_loser_scored():
    match, (one, other) = table_of(**TROOPER, policy=PRESETS["total_score"].policy)
    write_table(match, acts=[kill(one, other, 12), {"act": "win", "player": other, "card": "X"}])
    file(match, 0)
    work()
    tournament = match.round.stage.tournament
    scores = [(row.entry.name, row.standing.value("victory_points")) for row in standing_rows(tournament)]
    assert scores == [(one, 12), (other, 0)]


def test_hand_typed_scores_must_agree_with_the_places():
    match, _names = table_of(**TROOPER)
    with pytest.raises(DomainError, match="do not agree"):
        report_result(account("olive"), match, table_result((2, 1), (Fraction(9), Fraction(0))), NOW)


def test_dead_or_destroyed_games_are_told_one_by_one_with_roles():
    match, (one, other) = table_of(**DEAD, best_of=3)
    games = [
        {"winner": one, "won_by": "necromancer"}, {"winner": other, "won_by": "necromancer"},
        {"winner": one, "won_by": "paladin"},
    ]  # fmt: skip
    write_table(match, games=games)
    file(match, 0)
    work()
    assert [row.games_won for row in counted(match).seat_results.order_by("seat__order")] == [2, 1]
    assert [game["roles"][0] for game in counted(match).games] == ["necromancer", "paladin", "paladin"]


def test_dead_or_destroyed_with_the_same_roles_twice_comes_back():
    match, (one, _other) = table_of(**DEAD, best_of=3)
    roles = ["necromancer", "paladin"]
    write_table(match, games=[{"winner": one, "won_by": "concession", "roles": roles}] * 2)
    file(match)
    work()
    assert state(match).state is SheetState.RETURNED
    assert "game 2" in state(match).reason


BEST_OF_3 = {**TROOPER, "best_of": 3, "sheet_options": {"target": 20}}


def test_b9_best_of_3_by_ledger_is_the_result_game_by_game():
    match, (one, other) = table_of(**BEST_OF_3)
    games = [kill(one, other, 20), {"act": "next_game"}, kill(other, one, 22), {"act": "next_game"}]
    write_table(match, acts=[*games, {"act": "concede", "player": one}])
    revision = file(match)
    work()
    sign(match, revision, 1, 2)
    assert [row.games_won for row in counted(match).seat_results.order_by("seat__order")] == [1, 2]
    assert [(game["winner"], game["win_kind"]) for game in counted(match).games] == [
        (0, "target"),
        (1, "target"),
        (1, "concession"),
    ]


def test_b9_no_game_follows_a_match_that_is_decided():
    match, (one, other) = table_of(**BEST_OF_3)
    write_table(match, acts=[kill(one, other, 20), {"act": "next_game"}] * 2 + [kill(one, other, 20)])
    file(match)
    work()
    assert state(match).state is SheetState.RETURNED
    assert counted(match) is None
