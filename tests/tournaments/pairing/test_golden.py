"""The adversarial families: every state costs what the oracles found, and the checker agrees.

See docs/how-it-works/pairing.md#families.
"""

import pytest

from tests.tournaments.pairing.families import FAMILIES, cases_of, golden_cases, read_case, state_of
from tests.tournaments.pairing.oracles import least_cost
from tests.tournaments.pairing.pair_checker import check_pairing
from tournaments.pairing.swiss.contenders import PairingCost
from tournaments.pairing.swiss.swiss import pair_swiss

CHEAP = 64
CASES = {f"{family}-{name}": case for family, name, case in golden_cases()}
every_case = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def expected(case):
    terms = case["expected"]
    return PairingCost(**{**terms, "downfloats": tuple(terms["downfloats"])})


@pytest.mark.sampled(4)
@every_case
def test_golden_state_is_paired_at_the_expected_cost_and_proved(case):
    given = read_case(case)
    paired = pair_swiss(given)
    assert paired.cost == expected(case)
    assert (paired.proved, paired.bound) == (True, paired.cost)
    assert check_pairing(given, paired) == ()


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=name, marks=[] if len(read_case(case).contenders) <= CHEAP else pytest.mark.long)
        for name, case in CASES.items()
    ],
)
def test_golden_expectation_is_what_the_oracle_finds_today(case):
    assert least_cost(read_case(case)) == expected(case)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_golden_file_holds_its_family(family):
    made = {f"{family.__name__}-{name}": given for name, given in cases_of(family)}
    kept = {name: case for name, case in CASES.items() if name.startswith(f"{family.__name__}-")}
    assert list(made) == list(kept)
    for name, given in made.items():
        told = kept[name]
        assert told == {**told, "input": given.as_dict()} if "input" in told else told["state"] == state_of(given)


def test_golden_cases_cover_the_whole_table():
    assert len(FAMILIES) == 16
    assert len(CASES) >= 40


def test_two_orders_differ_by_a_factor_in_squares():
    squares = {name: expected(case).sum_sq_diff for name, case in CASES.items() if name.startswith("two_orders")}
    assert squares["two_orders-6_players_top_down"] == 10 * squares["two_orders-6_players_least_squares"]
    assert squares["two_orders-8_players_top_down"] == 10 * squares["two_orders-8_players_least_squares"]
