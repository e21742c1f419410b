"""Twin worlds of penalties: a warning changes no answer to anybody but officials and its player.

See docs/how-it-works/trust.md#access.

As in `test_twin_needs`, every address of an event is asked in two worlds. Of a penalty that decides a match others see
the result alone: they are answered alike whatever it was for and whatever the notes say.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.invariants.test_twin_needs import Needing, beside, caller_of, in_round_one, read_by  # noqa: F401
from tests.invariants.test_twin_worlds import World, addresses, differences, turn_of, without_guard  # noqa: F401
from tests.tournaments.factories import NOW, account
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


def loses_the_match(why: str, notes: str) -> Callable[[Entry], object]:
    def act(ada: Entry) -> None:
        give_penalty(account("juno"), ada, Penalty.Kind.MATCH_LOSS, why, NOW, notes=notes, match=own_match(ada))

    return act


def unlike(world: World, one: Callable[[Entry], object], other: Callable[[Entry], object]) -> World:
    """The same world, in whose twins different acts were done for Ada."""
    return replace(world, sides=(Needing((one,)), Needing((other,))))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", some_of(STRANGERS, "ben", "late", "kit"))
def test_a_warning_changes_no_answer_to_a_stranger(in_round_one, name, many, seed):  # noqa: F811
    assert read_by(name, beside(in_round_one, is_warned), many, seed) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", some_of(["nobody", "ben", "late", "kit"], "ben", "kit"))
def test_what_a_match_loss_was_for_is_told_to_no_stranger(in_round_one, name, many, seed):  # noqa: F811
    told, other = loses_the_match(INFRACTION, NOTES), loses_the_match("Slow play", "Twice already")
    assert read_by(name, unlike(in_round_one, told, other), many, seed) == []


def test_officials_and_the_player_see_the_difference(in_round_one, seed):  # noqa: F811
    """Of the event's other pages the player reads a third, another by the run's seed."""
    world = beside(in_round_one, is_warned)
    slug = world.secret.tournament.slug
    for name in ("olive", "juno"):
        found = differences(world, caller_of(world, name), ("get",), "penalties/")
        assert f"{name} GET /e/{slug}/manage/penalties/ []" in found
        assert f"{name} GET /api/v1/events/{slug}/penalties/ []" in found
    own = caller_of(world, "own")
    seen = sorted(differences(world, own, ("get",), "/my/"))
    pages = (f"/api/v1/events/{slug}/my/penalties/", f"/e/{slug}/my/", "/my/data/export.zip")
    assert seen == [f"own GET {page} []" for page in pages]
    assert set(differences(world, own, ("get",), slug, turn_of("own", ("own",), seed))) <= set(seen)


def test_the_player_reads_what_it_was_for_and_never_the_notes(in_round_one, seed):  # noqa: F811
    """Of the event's other pages the player reads a third, another by the run's seed."""
    world = unlike(in_round_one, loses_the_match(INFRACTION, NOTES), loses_the_match(INFRACTION, "Twice already"))
    own, slug = caller_of(world, "own"), world.secret.tournament.slug
    assert differences(world, own, ("get",), "/my/") == []
    assert differences(world, own, ("get",), slug, turn_of("own", ("own",), seed)) == []
    world.sides[0].write(world.secret)
    assert INFRACTION.encode() in own.ask("get", f"/e/{slug}/my/", {})[2]
    page, juno = f"/e/{slug}/manage/penalties/", caller_of(world, "juno")
    assert f"juno GET {page} []" in differences(world, juno, ("get",), page)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["mallory", "kit"])
def test_the_crawl_of_penalties_turns_red_without_the_guard(in_round_one, without_guard, name):  # noqa: F811
    without_guard("penalty.read")
    world = beside(in_round_one, is_warned)
    assert differences(world, caller_of(world, name), ("get",), "penalties/") != []


def pages_of(world: World) -> list[str]:
    return [path for path in addresses(world) if world.secret.tournament.slug in path]
