"""One choice says how an event plays its game: what follows it, what stays, and what is said where they disagree."""

from dataclasses import replace

import pytest

from rules_engine.errors import DomainError, NotFound
from tests.tournaments.factories import NOW, account, draft, event, next_round, report_all, running
from tournaments.core.ways import way_of
from tournaments.events.services.events import create_tournament, start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.forecast.timetable import round_in_play
from tournaments.models import Stage
from tournaments.room.selectors.clocks import clock_of, minutes_a_round, phases_of
from tournaments.room.services.clocks import start_clock
from tournaments.sheets.selectors.sheets import tally_options
from tournaments.structure.selectors.stages import stages_of
from tournaments.structure.services.stage_drafts import StageDraft, stage_drafts_of, usual_cut
from tournaments.structure.services.stages import set_stages
from tournaments.structure.services.structures import stages_of_structure
from tournaments.web.shared.way_words import difference_lines

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
TWO_TEAMS = {"mode": "teams", "team_pool": "promotion", "rules_1997": True}


def made(game, game_format, way="", **said):
    """An event of which the organiser left open what a way to play says."""
    said = {"best_of": None, "exact_games": False, **said}
    return create_tournament(account("olive"), draft(game=game, game_format=game_format, way=way, **said), NOW)


def change(tournament, **changes):
    return update_settings(account("olive"), tournament, changes, NOW).tournament


def texts(tournament):
    return [line.text for line in difference_lines(tournament, stage_drafts_of(tournament))]


def test_dd_roles_games_of_unequal_roles_are_played_in_pairs_unless_told_otherwise():
    """A9: a fair match of Dead or Destroyed has both players in both roles."""
    tournament = made("dead_or_destroyed", "standard")
    assert (tournament.way, tournament.best_of, tournament.exact_games) == ("pair", 2, True)
    assert made("dead_or_destroyed", "standard", "best-of-3").deciding_game == "loser_chooses"


def test_rules_of_1997_bring_their_endings_and_team_pool():
    """A2: what the format of 1997 says of draw piles, time and teams holds without another choice."""
    assert made("doomtrooper", "tournament-1997").sheet_options == {"rules_1997": True}
    assert made("doomtrooper", "tournament-1997", variant="two-team").sheet_options == TWO_TEAMS


@pytest.mark.parametrize(
    ("way", "kind", "most"),
    [
        ("tournament-1997-multi-player", "tables", 6),
        ("tournament-1997-two-team", "swiss", None),
        ("teams", "tables", 3),
    ],
)
def test_dt_multi_way_to_play_reaches_the_pairing(way, kind, most):
    """A3: multi-player sits at tables, two teams meet in pairs."""
    game_format = "second-edition" if way == "teams" else "tournament-1997"
    stage = made("doomtrooper", game_format, way).stages.get(number=1)
    assert stage.kind == kind
    assert most is None or stage.table_policy.most == most


def test_intelligent_design_seats_four_and_plays_the_variation():
    """A4: the format brings its variation and the largest table that the book gives."""
    tournament = made("doomlings", "intelligent-design")
    assert tournament.sheet_options == {"intelligent_design": True}
    assert tournament.stages.get().table_policy.most == 4
    assert tournament.score_sheets


def test_teams_play_to_fifty():
    """A3: the target that the book gives teams."""
    assert made("doomtrooper", "second-edition", "teams").sheet_options == {"mode": "teams", "target": 50}


def test_dt_target_opening_rounds_of_1997_go_to_25_and_the_final_to_40_without_a_clock():
    """Target and time belong to the stage."""
    tournament = made("doomtrooper", "tournament-1997", variant="multi-player", score_sheets=True)
    opening, final = stages_of(tournament)
    assert (opening.kind, tally_options(tournament, opening)["target"]) == (Stage.Kind.TABLES, 25)
    assert (final.kind, final.qualify_value) == (Stage.Kind.SINGLE_ELIMINATION, 4)
    assert tally_options(tournament, final) == {"target": 40, "rules_1997": True}
    assert (minutes_a_round(tournament, opening) > 0, minutes_a_round(tournament, final)) == (True, 0)


@pytest.mark.parametrize("variant", ["head-to-head", "two-team"])
def test_dt97_time_semi_finals_of_1997_have_no_clock_whatever_cut_is_chosen(variant):
    tournament = made("doomtrooper", "tournament-1997", variant=variant, score_sheets=True)
    opening, final = stages_of_structure(tournament, "top-4")
    assert (opening.round_minutes, final.round_minutes) == (None, 0)


@pytest.mark.parametrize(("kind", "clocks"), [("single", [True, False, False]), ("double", [True] * 4 + [False] * 2)])
def test_dt97_time_semi_finals_and_final_of_an_elimination_alone_have_no_clock(kind, clocks):
    tournament = event(8, game="doomtrooper", game_format="tournament-1997", best_of=1, round_minutes=50)
    set_stages(account("olive"), tournament, [StageDraft(kind)], NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    found = []
    for _clock in clocks:
        round_ = next_round(tournament)
        found.append(bool(phases_of(tournament, round_, [])))
        report_all(round_, 1, 0)
    assert found == clocks


def test_dt97_time_the_timetable_knows_that_semi_finals_and_final_have_no_clock():
    tournament = event(8, game="doomtrooper", game_format="tournament-1997", best_of=1)
    set_stages(account("olive"), tournament, [StageDraft(Stage.Kind.SINGLE_ELIMINATION)], NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    start_clock(account("olive"), next_round(tournament), NOW)
    assert round_in_play(tournament, NOW).coming == [(2, None), (1, None)]


@pytest.mark.parametrize(
    ("game", "game_format", "warnings"),
    [("doomtrooper", "tournament-1997", [900, 600, 300]), ("doomtrooper", "second-edition", [600, 300])],
)
def test_clock_warns_as_the_rules_of_1997_have_it(game, game_format, warnings):
    tournament = running(2, game=game, game_format=game_format, best_of=1)
    next_round(tournament)
    clock = clock_of(tournament, NOW)
    assert clock is not None
    assert clock.data["phases"][-1]["warnings"] == warnings


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"sheet_options": {"target": 0}}, "sheet_options"),
        ({"sheet_options": {"mode": "teams"}}, "sheet_options"),
        ({"sheet_options": {"ties": "draw"}}, "sheet_options"),
        ({"round_minutes": 601}, "round_minutes"),
    ],
)
def test_stage_takes_only_options_of_stages_and_minutes_of_a_day(changes, field):
    tournament = made("doomtrooper", "second-edition")
    with pytest.raises(DomainError, match="bad_stage") as refused:
        set_stages(account("olive"), tournament, [StageDraft(**changes)], NOW)
    assert refused.value.details["field"] == field


def test_another_way_brings_its_own_and_keeps_what_was_said_with_it():
    tournament = made("doomtrooper", "second-edition", "teams")
    changed = change(tournament, way="head-to-head")
    assert (changed.sheet_options, changed.stages.get().kind) == ({}, Stage.Kind.SWISS)
    changed = change(tournament, way="tournament-1997-two-team", game_format="tournament-1997", sheet_options={})
    assert (changed.variant, changed.sheet_options) == ("two-team", {})


def test_another_game_is_played_in_its_usual_way():
    changed = change(made("dead_or_destroyed", "standard"), game="doomlings", game_format="standard")
    assert (changed.way, changed.best_of, changed.exact_games, changed.score_sheets) == ("tables", 1, False, True)


def test_way_stays_with_other_settings_and_is_frozen_at_the_start():
    tournament = made("dead_or_destroyed", "standard", "single")
    assert change(tournament, name="Other").way == "single"
    tournament = running(4, game="dead_or_destroyed", way="single", best_of=1)
    with pytest.raises(DomainError, match="rules_frozen"):
        change(tournament, way="best-of-3")


def test_event_from_before_ways_keeps_all_it_says():
    tournament = running(4, game="dead_or_destroyed", best_of=1)
    type(tournament).objects.update(way="")
    tournament.refresh_from_db()
    changed = change(tournament, name="Other")
    assert (changed.way, changed.best_of, texts(changed)) == ("", 1, [])
    assert way_of(changed).slug == "pair"


def test_event_whose_way_is_no_longer_there_goes_on_in_the_usual_one():
    tournament = made("doomtrooper", "second-edition", "free-for-all")
    tournament.way = "of-an-older-version"
    assert way_of(tournament).slug == "head-to-head"


def test_what_is_not_as_usual_is_said_with_its_clause():
    tournament = made("dead_or_destroyed", "standard", "pair", best_of=3)
    (line,) = difference_lines(tournament)
    assert line.text == "Match length: best of 3 (usual: 2 games, all played)"
    assert line.clause.id == "DD-ROLES"


def test_dt97_target_another_target_in_the_opening_rounds_is_said_with_its_clause():
    options = {"target": 40, "rules_1997": True}
    tournament = made("doomtrooper", "tournament-1997", variant="multi-player", sheet_options=options)
    (line,) = difference_lines(tournament)
    assert (line.text, line.clause.id) == ("Promotion Points to win: 40 (usual: 25)", "DT97-TARGET")


def test_tables_and_options_that_are_not_as_usual_are_said():
    tournament = made("doomlings", "intelligent-design", sheet_options={"ties": "draw"})
    set_stages(account("olive"), tournament, [StageDraft(Stage.Kind.SWISS)], NOW)
    assert texts(tournament) == [
        "Seats: two a match (usual: tables of 2 to 4)",
        "Ties: Tied players draw in turn order: highest face wins (usual: Players with equal points share the win)",
        "Intelligent Design: no (usual: yes)",
    ]


@pytest.mark.parametrize(
    ("way", "game_format", "first", "line"),
    [
        ("pair", "standard", {"best_of": 3}, "Match length: 3 games, all played (usual: 2 games, all played)"),
        ("milan-2025", "milan-2025", {"round_minutes": 45}, "Round length (minutes): 45 (usual: 30)"),
        ("tournament-1997-head-to-head", "tournament-1997", {"clock_warnings": [3]},
         "Clock warns at (minutes left): 3 (usual: 15, 10, 5)"),
        ("teams", "second-edition", {"sheet_options": {"target": 40}}, "Promotion Points to win: 40 (usual: 50)"),
    ],
)  # fmt: skip
def test_what_the_first_stage_has_otherwise_is_said_with_its_clause(way, game_format, first, line):
    tournament = made("dead_or_destroyed" if way == "pair" else "doomtrooper", game_format, way)
    (found,) = difference_lines(tournament, [replace(stage_drafts_of(tournament)[0], **first)])
    assert (found.text, found.clause is not None) == (line, True)


@pytest.mark.parametrize(
    ("way", "final", "lines"),
    [
        ("tournament-1997-head-to-head", {}, []),
        ("tournament-1997-head-to-head", {"round_minutes": 50},
         ["Stage 2: Round length (minutes): 50 (usual: 0) DT97-TIME"]),
        ("tournament-1997-head-to-head", {"round_minutes": None}, []),
        ("tournament-1997-multi-player", {"sheet_options": {"target": 25}},
         ["Stage 2: Promotion Points to win: 25 (usual: 40) DT97-TARGET"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("event_minutes", [None, 50])
def test_what_a_cut_has_otherwise_is_said_with_its_clause(way, final, lines, event_minutes):
    tournament = made("doomtrooper", "tournament-1997", way, round_minutes=event_minutes)
    stages = [stage_drafts_of(tournament)[0], replace(usual_cut(tournament), **final)]
    assert [f"{each.text} {each.clause and each.clause.id}" for each in difference_lines(tournament, stages)] == lines


@pytest.mark.parametrize(
    ("kind", "minutes", "lines"),
    [
        ("single", 50, ["Semi-finals and final: Round length (minutes): 50 (usual: 0) DT97-TIME"]),
        ("single", 0, []),
        ("single", None, []),
        ("swiss", 50, []),
    ],
)
def test_dt97_time_a_clock_for_the_last_rounds_of_an_elimination_is_said(kind, minutes, lines):
    tournament = made("doomtrooper", "tournament-1997", "tournament-1997-head-to-head")
    found = difference_lines(tournament, [StageDraft(Stage.Kind(kind), round_minutes=minutes)])
    assert [f"{each.text} {each.clause and each.clause.id}" for each in found] == lines


def test_a_cut_may_have_its_own_minutes_where_the_way_says_nothing_of_cuts():
    tournament = made("doomtrooper", "second-edition", "head-to-head")
    stages = [stage_drafts_of(tournament)[0], replace(usual_cut(tournament), round_minutes=90)]
    assert not difference_lines(tournament, stages)


def test_another_deciding_game_is_said():
    tournament = made("dead_or_destroyed", "standard", "best-of-3")
    assert texts(change(tournament, deciding_game="lot")) == [
        "Roles in the deciding game: By lot (usual: The loser of the last game chooses)"
    ]


def test_final_may_be_played_otherwise():
    tournament = made("doomlings", "standard")
    final = StageDraft(Stage.Kind.SINGLE_ELIMINATION, qualify=Stage.Qualify.TOP, qualify_value=4)
    set_stages(account("olive"), tournament, [stage_drafts_of(tournament)[0], final], NOW)
    assert texts(tournament) == []


def test_way_of_another_format_is_refused():
    with pytest.raises(DomainError, match="another format"):
        made("doomlings", "standard", "intelligent-design")
    with pytest.raises(NotFound, match="unknown_way"):
        made("doomlings", "standard", "nonsuch")


def test_event_made_without_saying_anything_is_as_usual():
    assert texts(made("doom_pile", "standard")) == []
    assert texts(event()) == []
