"""Every guard of the list is where the list says, and its proof fails without it."""

import re
from random import Random

import pytest

from launch.places import ROOT
from tests.invariants.removals import PAGE, copied_tree, main, read_removals, try_removal

REMOVALS = read_removals()
PROMISES = (ROOT / "docs/how-it-works/trust.md").read_text()


@pytest.mark.parametrize("removal", REMOVALS, ids=lambda removal: f"{removal.promise} {removal.guard}")
def test_guard_is_where_the_list_says_and_has_a_proof(removal):
    without = removal.taken_out((ROOT / removal.file).read_text())
    if removal.file.endswith(".py"):
        compile(without, removal.file, "exec")
    assert f'<a id="{removal.promise}"></a>' in PROMISES
    for proof in removal.proof.split():
        file, _colons, name = proof.partition("::")
        assert (ROOT / file).exists()
        assert not name or f"def {name}(" in (ROOT / file).read_text()


def test_every_promise_has_a_guard_that_was_taken_out_and_none_is_named_twice():
    assert {each.promise for each in REMOVALS} == set(re.findall(r'<a id="(\w+)"></a>[A-Z]\d+ \|', PROMISES))
    assert len({(each.file, each.line) for each in REMOVALS}) == len(REMOVALS)


def test_page_says_of_every_guard_how_its_proof_failed():
    lines = PAGE.read_text().splitlines()
    assert len([line for line in lines if line.startswith("| ")]) == len(REMOVALS) + 2
    for removal in REMOVALS:
        failed = re.compile(rf"{re.escape(removal.row)} [1-9]\d* of \d+ \| \S+ \|")
        assert any(map(failed.fullmatch, lines)), removal


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
