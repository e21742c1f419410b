"""What may be agreed on before a game: one list for forms, API and tallies."""

import pytest

from rules_engine.errors import DomainError
from scoring.sheets.tallies.options import check_options, most_players, sayings_of
from scoring.sheets.tallies.registry import has_sheet, options_at_events

GAMES = [game for game in ("doomlings", "doomtrooper", "dead_or_destroyed", "doom_pile") if has_sheet(game)]


def known(game):
    return options_at_events(game)


@pytest.mark.parametrize("game", GAMES)
def test_options_as_usual_are_not_stored(game):
    assert check_options(known(game), {option.key: option.usual for option in known(game)}) == {}


@pytest.mark.parametrize("game", GAMES)
def test_options_take_exactly_their_values(game):
    for option in known(game):
        assert option.takes(option.usual)
        assert all(option.takes(value) for value, _label in option.choices)
        assert not any(option.takes(value) for value in ("nonsense", 0, -1, [], {}, 1.5))


@pytest.mark.parametrize(
    ("options", "key"),
    [({"tie": "draw"}, "tie"), ({"ties": "fight"}, "ties"), ({"stunted_growth": "yes"}, "stunted_growth")],
)
def test_options_nobody_knows_are_refused(options, key):
    with pytest.raises(DomainError) as caught:
        check_options(known("doomlings"), options)
    assert (caught.value.code, caught.value.details["option"]) == ("bad_options", key)


def test_options_go_with_the_number_of_players():
    design = {"intelligent_design": True}
    assert check_options(known("doomlings"), design, players=4) == design
    with pytest.raises(DomainError, match="“Intelligent Design” is for 2 to 4 players"):
        check_options(known("doomlings"), design, players=5)
    assert most_players(known("doomlings"), design) == 4
    assert most_players(known("doomlings"), {"ties": "draw"}) is None


def test_options_for_one_player_are_not_for_events():
    assert "genetic_mishap" not in {option.key for option in known("doomlings")}


def test_sayings_tell_choices_and_what_is_not_usual():
    said = [str(words) for words in sayings_of(known("doomlings"), {"ties": "draw", "stunted_growth": True})]
    assert len(said) == 3
    assert "draw in turn order" in said[0]
    assert said[1].startswith("Stunted Growth")
    assert said[2] == "Everybody at the table signs the sheet."


def test_sayings_leave_out_what_means_nothing():
    of = known("doomtrooper")
    alone, teams = (" ".join(map(str, sayings_of(of, options))) for options in ({}, {"mode": "teams", "target": 50}))
    assert "Team-mates" not in alone
    assert "Target: 40" in alone
    assert "Team-mates share Destiny" in teams
    assert "Target: 50" in teams
    assert "Target" not in " ".join(map(str, sayings_of(of, {"target": None})))
