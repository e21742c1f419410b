"""Rules profiles: stored and read back, refused where they cannot be; presets and the registry hold together."""

import pickle
from fractions import Fraction

import pytest

from rules_engine.errors import DomainError
from scoring.standings.explanations import derive
from scoring.standings.presets import PRESETS
from scoring.standings.records import MatchKind, Rounding, ScoringPolicy
from scoring.standings.standings import compute_standings, decimal_text
from scoring.standings.tiebreakers import TIEBREAKERS
from tests.scoring.histories import bye, history, played

OLD = {
    "win": 3,
    "draw": 1,
    "loss": 0,
    "bye": 3,
    "game_win": 3,
    "game_draw": 1,
    "game_loss": 0,
    "floor": "1/3",
    "bye_games": [2, 0],
    "bye_in_own_match_pct": True,
    "bye_in_own_game_pct": True,
    "gw_floored": True,
    "tiebreakers": ["match_points", "omw", "gw", "ogw"],
    "decimals": 4,
}


def test_profiles_stored_before_read_as_before():
    assert ScoringPolicy.from_dict(OLD) == ScoringPolicy()


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.key)
def test_preset_survives_storing_ranks_and_is_described_in_a_line(preset):
    assert ScoringPolicy.from_dict(preset.policy.as_dict()) == preset.policy
    assert set(preset.policy.tiebreakers) <= TIEBREAKERS.keys()
    assert preset.name
    assert "\n" not in preset.note
    assert compute_standings(*history(4), preset.policy)


@pytest.mark.parametrize(
    "bad",
    [
        {"points_by": "luck"},
        {"score_points": [[1, 0]]},
        {"score_points": [[1, 0, 101]]},
        {"score_points": 3},
        {"placing_points": [[3]]},
        {"placing_points": [[3, -1]]},
        {"placing_points": [[1, 0]] * 41},
        {"requested_bye": -1},
        {"requested_bye": "half"},
        {"point_unit": 0},
        {"point_unit": 5},
        {"bye_opponents": 10},
        {"bye_opponent_share": "3/2"},
        {"round_weights": ["-1"]},
        {"round_weights": ["101"]},
        {"round_weights": "1"},
        {"rounding": "up"},
    ],
)
def test_profile_that_cannot_be_is_refused(bad):
    with pytest.raises(DomainError):
        ScoringPolicy.from_dict(bad)


def test_every_tiebreaker_has_a_name_of_its_own():
    assert all(key == each.key for key, each in TIEBREAKERS.items())
    assert len({each.name for each in TIEBREAKERS.values()}) == len(TIEBREAKERS)
    assert {each.key for each in TIEBREAKERS.values() if each.percentage} == {
        "omw",
        "gw",
        "ogw",
        "oomw",
        "opponents_win",
        "opponents_opponents_win",
    }


def test_shares_are_rounded_as_asked():
    share = Fraction(2, 3)
    assert decimal_text(share, 3) == "0.667"
    assert decimal_text(share, 3, Rounding.DOWN) == "0.666"
    assert decimal_text(Fraction(-1, 8), 2, Rounding.DOWN) == "-0.12"


def test_half_points_are_written_as_halves():
    policy = PRESETS["chess"].policy
    lines = compute_standings([1, 2], [played(1, 1, 2, 1, 0), played(2, 1, 2, 0, 0)], policy)
    assert [(line.match_points, line.keys[0]) for line in lines] == [(3, Fraction(3, 2)), (1, Fraction(1, 2))]
    assert policy.shown_points(3) == Fraction(3, 2)


def test_a_requested_bye_gives_what_the_profile_says_and_no_games():
    policy = ScoringPolicy(requested_bye=1)
    records = [bye(1, 1, MatchKind.REQUESTED_BYE)]
    line = compute_standings([1], records, policy)[0]
    assert (line.match_points, line.gw, line.omw) == (1, Fraction(1, 3), Fraction(1, 3))
    assert compute_standings([1], records, ScoringPolicy())[0].match_points == 3


def test_lines_survive_pickling_and_compare_by_value():
    facts, records = history(6)
    lines = compute_standings(facts, records, ScoringPolicy())
    assert pickle.loads(pickle.dumps(lines)) == lines
    assert hash(lines[0]) == hash(pickle.loads(pickle.dumps(lines[0])))
    assert lines[0] != lines[0]._replace(rank=99)
    assert lines[0] == lines[0]._replace()


def test_derivations_name_who_and_what_is_unknown():
    with pytest.raises(DomainError, match="luck"):
        derive([1], [], ScoringPolicy(), "luck", 1)
    with pytest.raises(DomainError, match="match_win"):
        derive([1], [], ScoringPolicy(), "match_win", 1)
    with pytest.raises(KeyError):
        derive([1], [], ScoringPolicy(), "omw", 2)


def test_nobody_and_nothing_played_have_standings():
    policy = ScoringPolicy(tiebreakers=tuple(TIEBREAKERS))
    assert compute_standings([], [], policy) == ()
    assert [line.rank for line in compute_standings([1, 2], [], policy)] == [1, 1]
