"""Every guard of the list is where the list says, and its proof fails without it."""

from random import Random

import pytest

from launch.places import ROOT
from tests.invariants.removals import copied_tree, main, read_removals, try_removal

REMOVALS = read_removals()
PROMISES = (ROOT / "docs/how-it-works/trust.md").read_text()


@pytest.mark.parametrize("removal", REMOVALS, ids=lambda removal: f"{removal.promise} {removal.guard}")
def test_guard_is_where_the_list_says_and_has_a_proof(removal):
    without = removal.taken_out((ROOT / removal.file).read_text())
    compile(without, removal.file, "exec")
    assert f'<a id="{removal.promise}"></a>' in PROMISES
    for proof in removal.proof.split():
        file, _colons, name = proof.partition("::")
        assert (ROOT / file).exists()
        assert not name or f"def {name}(" in (ROOT / file).read_text()


def test_list_is_long_enough_to_mean_something_and_says_nothing_twice():
    assert len(REMOVALS) >= 40
    assert len({(each.file, each.line) for each in REMOVALS}) == len(REMOVALS)


def test_a_guard_that_is_not_there_once_is_no_removal():
    removal = REMOVALS[0]
    for source in ("", f"{removal.line}\n{removal.line}\n"):
        with pytest.raises(ValueError, match="times"):
            removal.taken_out(source)


@pytest.mark.full
@pytest.mark.timeout(1200)
def test_a_guard_taken_out_turns_its_proof_red(seed):
    removal = Random(seed).choice(REMOVALS)
    with copied_tree() as tree:
        outcome = try_removal(tree, removal)
    assert outcome.failed, f"{removal.guard}: {outcome.printed}"


@pytest.mark.long
def test_every_guard_taken_out_turns_its_proof_red():
    assert main([]) == 0
