"""Random ledgers of Doomtrooper: against a count of their own, and what holds for each of them."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.errors import DomainError
from scoring.sheets.tallies.registry import get_tallier
from scoring.standings.result_checks import check_result
from scoring.standings.results import MatchLength
from tests.scoring.tallies.ledgers import any_ledger, lawful_ledger

TALLIER = get_tallier("doomtrooper")
seeds = st.integers(0, 2**32)


def pools(told):
    return {player["name"]: (player["promotion"], player["destiny"]) for player in told["players"]}


def outcome_of(sheet):
    """How tallying ends: the code of the refusal, "" without one, and what was told."""
    try:
        return "", TALLIER.tally(sheet)
    except DomainError as refusal:
        return refusal.code, refusal.message


def lines_until(told, number):
    return [[line for line in player["lines"] if (line["act"] or 0) <= number] for player in told["players"]]


def check_against_own_count(seed):
    sheet, after = lawful_ledger(seed)
    told = TALLIER.tally(sheet)
    assert not told["violations"]
    if after:
        assert pools(told) == after[-1]
        half = len(after) // 2
        if half:
            assert pools(TALLIER.tally({**sheet, "acts": sheet["acts"][:half]})) == after[half - 1]


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_lawful_ledgers_are_counted_like_by_hand(seed):
    check_against_own_count(seed)


@pytest.mark.long
def test_three_thousand_lawful_ledgers_are_counted_like_by_hand():
    for seed in range(3_000):
        check_against_own_count(seed)


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_pools_are_the_sum_of_their_lines_and_never_below_zero(seed):
    told = TALLIER.tally(any_ledger(seed))
    for player in told["players"]:
        promotion = destiny = 0
        for line in player["lines"]:
            promotion += line["points"]
            destiny += line["destiny"]
            assert promotion >= 0
            assert destiny >= 0
        assert (player["promotion"], player["destiny"], player["score"]) == (promotion, destiny, promotion)


@settings(max_examples=100, deadline=None)
@given(seeds, st.data())
def test_a_beginning_of_a_ledger_is_counted_the_same(seed, data):
    sheet = any_ledger(seed)
    told = TALLIER.tally(sheet)
    number = data.draw(st.integers(0, len(sheet["acts"])))
    begun = TALLIER.tally({**sheet, "acts": sheet["acts"][:number]})
    assert [player["lines"] for player in begun["players"]] == lines_until(told, number)
    assert begun["violations"] == [each for each in told["violations"] if (each["act"] or 0) <= number] or (
        number < len(sheet["acts"]) and sheet["acts"][number].get("same_combat")
    )


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_a_game_is_open_or_has_one_winner_and_a_lawful_result(seed):
    told = TALLIER.tally(any_ledger(seed))
    assert json.loads(json.dumps(told)) == told
    assert (told["ended_by"] is None) == (not told["winners"]) == (told["ended_at"] is None)
    if told["winners"]:
        assert len(told["winners"]) == 1
        assert told["next"] is None
        result = TALLIER.result(told)
        check_result(result, len(told["players"]), MatchLength(1), scores_rank=False)
        places = dict(zip((player["name"] for player in told["players"]), result.placings, strict=True))
        assert [name for name, place in places.items() if place == 1] == told["winners"]


nonsense = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["Ada", "kill"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["players", "acts", "options", "name", "act", "player", "victim", "value", "members"])
        | st.text(max_size=4), inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(nonsense, st.sampled_from(["players", "acts", "options", "act", ""]))
def test_nonsense_is_refused_or_tallied_but_breaks_nothing(value, place):
    sheet = {"players": [{"name": "Ada"}, {"name": "Ben"}], "acts": []}
    if place == "act":
        act = {"act": "kill", "player": "Ada", "victim": "Ben", "value": 1}
        sheet["acts"] = [{**act, **value} if isinstance(value, dict) else value]
    elif place:
        sheet[place] = value
    code, _told = outcome_of(sheet if place else value)
    assert code in ("", "bad_sheet")
