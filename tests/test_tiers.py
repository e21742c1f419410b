"""The quick tier leaves out what is marked so, and nothing else."""

from pathlib import Path

import pytest

from tests.tiers import has_full_figures, quick_tier

SUITE = """
import pytest

@pytest.mark.parametrize("number", range(10))
@pytest.mark.sampled(4)
def test_family(number): pass

@pytest.mark.full
def test_of_the_full_tier(): pass

@pytest.mark.parametrize("number", range(3))
def test_whole(number): pass
"""
LONG_SUITE = """
import pytest

@pytest.fixture
def drawn(many): pass

@pytest.mark.long
def test_of_the_long_tier(): pass

def test_of_a_figure(many): pass

def test_of_a_figure_within_a_fixture(drawn): pass

def test_of_one_case(): pass
"""


@pytest.fixture
def items(tmp_path, request) -> list[pytest.Item]:
    """The tests of a module written for this test."""
    return written(SUITE, tmp_path, request)


def written(suite: str, folder: Path, request: pytest.FixtureRequest) -> list[pytest.Item]:
    path = folder / "suite.py"
    path.write_text(suite)
    module = pytest.Module.from_parent(request.session, path=path)
    return list(request.session.genitems(module))


def names(items: list[pytest.Item], seed: str) -> list[str]:
    return [item.name for item in quick_tier(items, seed)]


def test_one_case_in_four_rounded_up_and_all_that_is_not_marked(items):
    found = names(items, "1")
    assert len([name for name in found if name.startswith("test_family")]) == 3
    assert [name for name in found if "family" not in name] == ["test_whole[0]", "test_whole[1]", "test_whole[2]"]


def test_a_seed_repeats_its_choice_and_seeds_together_reach_every_case(items):
    assert names(items, "1") == names(items, "1")
    assert len({name for seed in range(60) for name in names(items, str(seed))}) == 13


def test_where_every_test_makes_its_own_event_one_in_so_many_of_a_folder(items):
    for item in items:
        file = item.name.partition("]")[0].replace("[", "_") if "whole" in item.name else "suite"
        item._nodeid = f"tests/tournaments/web/room/test_{file}.py::{item.name}"
    found = names(items, "1")
    assert len([name for name in found if "whole" in name]) == 1  # three tests, one in sixteen
    assert len([name for name in found if "family" in name]) == 3  # a mark of its own goes first


def test_on_the_second_database_one_in_six_and_all_that_are_for_it_alone(items):
    for item in items:
        item.add_marker(pytest.mark.sqlite(only=True) if "whole" in item.name else pytest.mark.sqlite)
    found = [item.name for item in quick_tier(items, "1", second_database=True)]
    assert len([name for name in found if "family" in name]) == 2
    assert [name for name in found if "whole" in name] == ["test_whole[0]", "test_whole[1]", "test_whole[2]"]


def test_the_long_tier_is_what_is_marked_so_and_what_repeats_something(tmp_path, request):
    items = written(LONG_SUITE, tmp_path, request)
    assert [item.name for item in items if not has_full_figures(item)] == ["test_of_one_case"]
