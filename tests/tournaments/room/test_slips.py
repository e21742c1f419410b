"""Codes of result slips: read back whatever gaps they have, and refused when a digit is wrong."""

import pytest

from rules_engine.errors import BadInput
from tournaments.room.slips import grouped, is_slip, read_slip, slip_code


@pytest.mark.parametrize("match", [1, 97, 4711, 99_999_999, 100_000_000, 123_456_789_012])
def test_a_code_reads_back_as_its_match(match):
    code = slip_code(match)
    assert is_slip(code)
    assert [read_slip(each) for each in (code, grouped(code), f" {code[:4]}-{code[4:]} ")] == [match] * 3


def test_one_wrong_digit_and_swapped_neighbours_are_no_code():
    code = slip_code(4_711_234)
    wrong = {code[:at] + digit + code[at + 1 :] for at in range(len(code)) for digit in "0123456789"}
    wrong |= {code[:at] + code[at + 1] + code[at] + code[at + 2 :] for at in range(len(code) - 1)}
    for each in wrong - {code}:
        with pytest.raises(BadInput):
            read_slip(each)


@pytest.mark.parametrize("typed", ["17", "", "2-1", "999999999", "1 2 2 4", "０００００００１９５"])
def test_tables_and_results_are_no_slips(typed):
    assert not is_slip(typed)
