"""Twin worlds of penalties: a warning changes no answer to anybody but officials and its player.

See docs/how-it-works/trust.md#access.

As in `test_twin_needs`, every address of an event is asked in two worlds. Of a penalty that decides a match others see
the result alone: what it was for, and the notes, are in no answer to them.
"""

import pytest

from tests.tournaments.cast import NOW, account
from tests.trust.test_twin_needs import beside, caller_of, in_round_one  # noqa: F401
from tests.trust.test_twin_worlds import World, addresses, differences, without_guard  # noqa: F401
from tournaments.models import Entry, Match, Penalty
from tournaments.penalties.services import give_penalty

pytestmark = pytest.mark.django_db

STRANGERS = ("nobody", "ben", "late", "kit", "root")
INFRACTION, NOTES = "Zinnober told of the deck", "Zinnober again, seen by Hana"


def some_of(names, *usual):
    return [name if name in usual else pytest.param(name, marks=pytest.mark.long) for name in names]


def own_match(ada: Entry) -> Match:
    return Match.objects.get(seats__entry=ada, round__superseded_at=None)


def is_warned(ada: Entry) -> None:
    give_penalty(account("juno"), ada, Penalty.Kind.WARNING, INFRACTION, NOW, notes=NOTES, match=own_match(ada))


def loses_the_match(ada: Entry) -> None:
    give_penalty(account("juno"), ada, Penalty.Kind.MATCH_LOSS, INFRACTION, NOW, notes=NOTES, match=own_match(ada))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", some_of(STRANGERS, "ben", "late", "kit"))
def test_a_warning_changes_no_answer_to_a_stranger(in_round_one, name, request):  # noqa: F811
    world = beside(in_round_one, is_warned)
    methods = ("get", "post") if request.config.getoption("--long") else ("get",)
    assert differences(world, caller_of(world, name), methods, world.secret.tournament.slug) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", some_of(["nobody", "ben", "late", "kit"], "ben", "kit"))
def test_what_a_match_loss_was_for_is_told_to_no_stranger(in_round_one, name):  # noqa: F811
    world = beside(in_round_one, loses_the_match)
    world.sides[1].write(world.secret)
    assert not any(tells(caller_of(world, name), path) for path in pages_of(world))


def test_officials_and_the_player_see_the_difference(in_round_one):  # noqa: F811
    world = beside(in_round_one, is_warned)
    slug = world.secret.tournament.slug
    for name in ("olive", "juno"):
        found = differences(world, caller_of(world, name), ("get",), "penalties/")
        assert f"{name} GET /e/{slug}/manage/penalties/ []" in found
        assert f"{name} GET /api/v1/events/{slug}/penalties/ []" in found
    own = differences(world, caller_of(world, "own"), ("get",), slug)
    assert sorted(own) == [f"own GET /api/v1/events/{slug}/my/penalties/ []", f"own GET /e/{slug}/my/ []"]


def test_the_player_never_reads_the_notes(in_round_one):  # noqa: F811
    world = beside(in_round_one, is_warned)
    world.sides[1].write(world.secret)
    own = caller_of(world, "own")
    seen = [body for path in pages_of(world) if INFRACTION.encode() in (body := own.ask("get", path, {})[2])]
    assert len(seen) == 2
    assert not any(b"Hana" in body for body in seen)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["mallory", "kit"])
def test_the_crawl_of_penalties_turns_red_without_the_guard(in_round_one, without_guard, name):  # noqa: F811
    without_guard("penalty.read")
    world = beside(in_round_one, is_warned)
    assert differences(world, caller_of(world, name), ("get",), "penalties/") != []


def pages_of(world: World) -> list[str]:
    return [path for path in addresses(world) if world.secret.tournament.slug in path]


def tells(caller, path: str) -> bool:
    return b"Zinnober" in caller.ask("get", path, {})[2]
