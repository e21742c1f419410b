"""Twin worlds of calls for a judge: that a table called, why, and how it ended change no answer to a stranger."""

import pytest

from accounts.actors import Actor
from tests.invariants.test_twin_needs import beside, caller_of, in_round_one  # noqa: F401
from tests.invariants.test_twin_penalties import own_match, pages_of, some_of
from tests.invariants.test_twin_worlds import World, differences, without_guard  # noqa: F401
from tests.tournaments.factories import NOW, account
from tournaments.models import Entry
from tournaments.room.services.calls import call_judge, claim_call, resolve_call

pytestmark = pytest.mark.django_db

STRANGERS = ("nobody", "mallory", "guest", "kit", "root")
NOTE = "Zinnober looked at my hand"


def calls(ada: Entry) -> None:
    actor = Actor(None, ada.members.get().person, "link", NOW, ada.tournament.stream)
    call_judge(actor, own_match(ada), "other", NOTE, NOW)


def was_answered(ada: Entry) -> None:
    calls(ada)
    call = own_match(ada).judge_calls.get()
    claim_call(account("juno"), call, NOW)
    resolve_call(account("juno"), call, "Zinnober was spoken to", NOW)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", some_of(STRANGERS, "guest"))
@pytest.mark.parametrize("act", [pytest.param(calls, marks=pytest.mark.long), was_answered])
def test_a_call_changes_no_answer_to_a_stranger(in_round_one, name, act, request):  # noqa: F811
    """A scorekeeper may look at a table's call where one is made for it: its own address alone tells of it."""
    world = beside(in_round_one, act)
    found = differences(world, caller_of(world, name), ("get",), world.secret.tournament.slug)
    assert [each for each in found if name != "kit" or "/call/" not in each] == []


@pytest.mark.long
def test_the_note_is_for_judges_alone(in_round_one):  # noqa: F811
    world = beside(in_round_one, calls)
    world.sides[1].write(world.secret)
    for name in ("own", "kit", "guest"):
        caller = caller_of(world, name)
        assert not any(b"Zinnober" in caller.ask("get", path, {})[2] for path in pages_of(world)), name
    assert any(b"Zinnober" in caller_of(world, "juno").ask("get", path, {})[2] for path in pages_of(world))


def test_the_crawl_of_calls_turns_red_without_the_guard(in_round_one, without_guard):  # noqa: F811
    without_guard("call.answer")
    world = beside(in_round_one, calls)
    assert differences(world, caller_of(world, "kit"), ("get",), "calls/") != []
