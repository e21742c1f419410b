"""Sheets of Doomtrooper and of Dead or Destroyed at events: ledgers and games become results of their matches."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from django.test import Client
from django.utils import translation

from rules_engine.errors import DomainError
from scoring.standings.presets import PRESETS
from scoring.standings.results import MatchResult, ResultKind, table_result
from tests.tournaments.api.callers import caller, good
from tests.tournaments.bundles.test_event_files import taken, wrong
from tests.tournaments.factories import NOW, account
from tests.tournaments.sheet_acts import doomlings, file, fresh, opened, places, played, sign, state, work
from tournaments.models import Match, Penalty
from tournaments.penalties.services import give_penalty
from tournaments.results.services.reports import report_result
from tournaments.results.services.stored_reports import Status
from tournaments.sheets.selectors.sheet_lines import SheetState
from tournaments.sheets.services.writing import save_match_part
from tournaments.standings.selectors.lists import tables_without_scores
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
    assert "entry 1 (Kill)" in state(match).reason


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
    with pytest.raises(DomainError, match="don't match"):
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
NEXT = {"act": "next_game"}


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


def three_games(one, other):
    """One player wins the first game at the target and the last one by a card, with 44 : 59 points in all."""
    first = [kill(other, one, 12), kill(one, other, 20)]
    second = [kill(one, other, 17), kill(other, one, 31)]
    third = [kill(one, other, 7), kill(other, one, 16), {"act": "win", "player": one, "card": "X"}]
    return [*first, NEXT, *second, NEXT, *third]


def counted_by_hand(acts, player):
    """What a player's kills come to, without any tally."""
    return sum(act["value"] for act in acts if act["act"] == "kill" and act["player"] == player)


def points_of(tournament):
    return {row.entry.name: row.standing.value("victory_points") for row in standing_rows(tournament)}


def test_b9_promotion_points_of_all_games_count_in_standings_though_the_winner_has_fewer():
    match, (one, other) = table_of(**BEST_OF_3, policy=PRESETS["total_score"].policy)
    acts = three_games(one, other)
    write_table(match, acts=acts)
    revision = file(match)
    work()
    sign(match, revision, 1, 2)
    rows = counted(match).seat_results.order_by("seat__order")
    assert [(row.games_won, row.outcome, row.placing, row.score) for row in rows] == [
        (2, "win", None, 44), (1, "loss", None, 59),
    ]  # fmt: skip
    by_hand = {name: counted_by_hand(acts, name) for name in (one, other)}
    tournament = match.round.stage.tournament
    assert points_of(tournament) == by_hand == {one: 44, other: 59}
    assert [row.entry.name for row in standing_rows(tournament)] == [other, one]
    assert not tables_without_scores(tournament)


def test_b9_points_by_place_follow_the_games_and_not_the_promotion_points():
    policy = replace(PRESETS["total_score"].policy, tiebreakers=("match_points", "victory_points"))
    match, (one, other) = table_of(**BEST_OF_3, policy=policy)
    write_table(match, acts=three_games(one, other))
    file(match, 0)
    work()
    rows = standing_rows(match.round.stage.tournament)
    assert [(row.entry.name, row.standing.value("match_points")) for row in rows] == [(one, 5), (other, 2)]
    assert wrong(taken(match.round.stage.tournament)) == []


def test_b9_staff_who_type_the_games_of_a_ledger_agree_with_it():
    match, (one, other) = table_of(**BEST_OF_3)
    write_table(match, acts=three_games(one, other))
    file(match, 0)
    work()
    typed = MatchResult(ResultKind.PLAYED, (2, 1))
    assert report_result(account("olive"), fresh(match), typed, NOW).status is Status.ACCEPTED
    assert fresh(match).reports.count() == 1
    turned = MatchResult(ResultKind.PLAYED, (1, 2))
    assert report_result(account("olive"), fresh(match), turned, NOW).status is Status.CONFLICT


def counted_ledger(**changes):
    """A match of three games whose ledger counts: 2–1 by games, 44 : 59 by points."""
    match, names = table_of(**BEST_OF_3, policy=PRESETS["total_score"].policy, **changes)
    write_table(match, acts=three_games(*names))
    file(match, 0)
    work()
    return fresh(match), names


def match_page(match):
    """The page of a match in its organiser's browser, with its address."""
    browser = Client()
    browser.force_login(account("olive").user)
    return browser, f"/e/{match.round.stage.tournament.slug}/match/{match.pk}/"


def correct(match, **values):
    """The result is corrected by its page, as the page asks: looked at, then stored."""
    browser, address = match_page(match)
    sent = {"act": "correct", "seen": match.accepted_report_id, "reason": "typed wrongly", **values}
    looked = browser.post(address, {**sent, "step": "look"})
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', looked.content.decode()))
    return browser.post(address, {**{k: v for k, v in hidden.items() if k != "csrfmiddlewaretoken"}, "step": "keep"})


def rows_of(match):
    return [(row.games_won, row.score) for row in counted(match).seat_results.order_by("seat__order")]


def test_b9_correction_by_hand_carries_the_promotion_points():
    match, (one, other) = counted_ledger()
    browser, address = match_page(match)
    page = browser.get(address).content.decode()
    assert re.search(r'name="points_1" value="44"', page)
    assert re.search(r'name="points_2" value="59"', page)
    correct(match, score="1-2-0", points_1="44", points_2="59")
    assert rows_of(match) == [(1, 44), (2, 59)]
    correct(fresh(match), kind="played", first="1", second="2", points_1="40", points_2="61")
    assert rows_of(match) == [(1, 40), (2, 61)]
    assert points_of(match.round.stage.tournament) == {one: 40, other: 61}


def test_b9_points_of_one_player_alone_are_asked_for():
    match, _names = counted_ledger()
    browser, address = match_page(match)
    sent = {"act": "correct", "seen": match.accepted_report_id, "reason": "typed wrongly", "step": "look"}
    answer = browser.post(address, {**sent, "score": "1-2-0", "points_1": "44", "points_2": ""})
    assert "Type everybody&#x27;s score, or nobody&#x27;s." in answer.content.decode()
    assert rows_of(match) == [(2, 44), (1, 59)]


def test_b9_a_program_reports_games_with_the_points_of_all_of_them():
    match, _names = table_of(**BEST_OF_3, policy=PRESETS["total_score"].policy)
    slug = match.round.stage.tournament.slug
    path = f"/api/v1/events/{slug}/matches/{match.pk}/"
    good(caller("olive").post(f"{path}report/", {"games_won": [2, 1], "scores": ["44", "59"]}))
    assert rows_of(match) == [(2, 44), (1, 59)]
    body = {"games_won": [0, 2], "scores": ["12.5", "40"], "reason": "typed wrongly", "seen": 1}
    good(caller("olive").post(f"{path}correct/", body))
    assert rows_of(match) == [(0, 12.5), (2, 40)]


def test_b9_points_are_not_asked_for_where_they_do_not_count():
    match, _names = table_of(**BEST_OF_3)
    browser, address = match_page(match)
    assert "points_1" not in browser.get(address).content.decode()


def test_reason_of_a_sheet_that_came_back_is_in_the_readers_language():
    match, (one, other) = table_of(**TROOPER)
    write_table(match, acts=[kill(one, other, 12)])
    file(match)
    work()
    with translation.override("de"):
        assert state(match).reason == "Dieses Spiel ist nicht zu Ende: Noch hat niemand gewonnen."
    assert state(match).reason == "This game is not over: nobody has won it yet."
    write_table(match, acts=[kill(one, other, 41, promotion=42)])
    file(match)
    work()
    with translation.override("de"):
        assert state(match).reason.startswith(f"Eintrag 1 ({translation.gettext('Kill')}): ")


def test_b9_game_loss_by_penalty_takes_no_promotion_points():
    match, (one, other) = table_of(**BEST_OF_3, policy=PRESETS["total_score"].policy)
    write_table(match, acts=[kill(one, other, 20), NEXT, kill(other, one, 5), kill(one, other, 23)])
    file(match, 0)
    work()
    entry, olive = match.seats.get(order=1).entry, account("olive")
    give_penalty(olive, entry, Penalty.Kind.GAME_LOSS, "Slow play", NOW, match=fresh(match))
    rows = counted(match).seat_results.order_by("seat__order")
    assert [(row.games_won, row.score) for row in rows] == [(2, 43), (1, 5)]


def test_result_that_cannot_be_is_refused_in_the_readers_language():
    match, _names = table_of(**BEST_OF_3)
    with translation.override("de"), pytest.raises(DomainError) as refused:
        report_result(account("olive"), match, MatchResult(ResultKind.PLAYED, (3, 0)), NOW)
    assert refused.value.message == "Niemand kann mehr als 2 Spiele dieses Matchs gewinnen."
    with pytest.raises(DomainError, match="Nobody can win more than 2 games"):
        report_result(account("olive"), match, MatchResult(ResultKind.PLAYED, (3, 0)), NOW)
