"""Operations of the API asked about what is hidden, of others, or not there.

Whom each of them lets in: tests/invariants/test_permission_matrix.py.
"""

from functools import cache

import pytest
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator

from accounts.http.permissions import PERMISSIONS
from decks.services.house_formats import make_house_format
from tests.permission_rows import CAST, lets_in, rows
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, entry, event, next_round, staff, table
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.events.services.staff import invite_staff
from tournaments.leagues.services import LeagueDraft, create_league
from tournaments.models import Entry, Role, Round, StaffInvite, Tournament

pytestmark = pytest.mark.django_db


@cache
def operations():
    """(operation id, method, path) of everything the schema describes."""
    paths = SchemaGenerator().get_schema(public=True)["paths"]
    return [(each["operationId"], method, path) for path, item in paths.items() for method, each in item.items()]


def crowd(**changes):
    """A running event with everybody in it, and the ids its addresses need."""
    tournament = event(3, **changes)
    ada = account("ada")
    sign_up(ada, tournament, ada.person, NOW)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    staff(tournament, "juno", Role.Name.JUDGE)
    for name, role in (("hana", Role.Name.HEAD_JUDGE), ("cora", Role.Name.CHECK_IN), ("sten", Role.Name.STREAM)):
        staff(tournament, name, role)
    round_ = next_round(start_tournament(account("olive"), tournament, NOW))
    invite_staff(account("olive"), tournament, Role.Name.JUDGE, NOW)
    own = entry(tournament, "ada").seats.get().match
    house = make_house_format(account("olive"), "doom_pile", "standard", "Singletons", {"copies": 1}, NOW.date(), NOW)
    league = create_league(account("olive"), LeagueDraft("Season", (3, 1)), NOW)
    ids = {"league": league.slug, "slug": tournament.slug, "number": 1, "match_id": own.pk, "deck_id": "none-of-yours"}
    ids |= {
        "game": "doomlings",
        "game_format": "classic",
        "house_format": house.slug,
        "card_set": "none",
        "key": "none",
        "announcement_id": 1,
        "call_id": 1,
        "token_id": "0",
        "webhook_id": 1,
        "claim_id": 1,
        "replay_id": 1,
        "list_id": 1,
        "recheck_id": "none",
        "run_id": "00000000-0000-4000-8000-000000000000",
        "job_id": "00000000-0000-4000-8000-000000000000",
        "player_id": "unknown",
    }
    invite = StaffInvite.objects.get(tournament=tournament, accepted_at=None)
    return {**ids, "role_id": tournament.roles.first().pk, "invite_id": invite.pk, "penalty_id": 1, "place": 1}, round_


@pytest.fixture(scope="module")
def ids(shared_db):
    """The ids of an event that the tests share; what they do to it is taken back."""
    return crowd()[0]


def ask(client, method, path):
    """The answer to an empty request; what it did is taken back."""
    with transaction.atomic():
        response = getattr(client, method)(path, *([{}] if method != "get" else []), format="json")
        transaction.set_rollback(True)
    assert response.status_code < 500
    return response


def in_turn(start, share):
    """One in `share` of the operations, counted from `start`."""
    return [each for number, each in enumerate(operations(), start) if number % share == 0]


@pytest.mark.parametrize("name", ["nobody", "mallory"])
@pytest.mark.parametrize("hidden", [{"visibility": "private"}, {"state": "draft"}], ids=["private", "draft"])
def test_hidden_event_answers_like_an_unknown_one(ids, name, hidden, many, seed):
    """Each operation is asked in two of these four cases, in the others by another seed; with `--long` in all."""
    if "state" in hidden:
        ids = {**ids, "slug": event().slug}
    assert Tournament.objects.filter(slug=ids["slug"]).update(**hidden) == 1
    client = caller("" if name == "nobody" else name)
    for _operation, method, path in in_turn(seed + (name == "nobody") + ("state" in hidden), many(1, 2)):
        if "{slug}" in path:
            here = ask(client, method, path.format(**ids))
            nowhere = ask(client, method, path.format(**{**ids, "slug": "no-such-event"}))
            assert (here.status_code, here.content) == (404, nowhere.content), path


def test_ids_of_another_event_are_not_found(ids):
    other, other_round = crowd(name="Another cup")
    olive, asked, organiser = caller("olive"), rows("operations"), CAST["olive"] | {"visible"}
    foreign = {**ids, "match_id": table(other_round).pk, "role_id": other["role_id"], "invite_id": other["invite_id"]}
    for operation, method, path in operations():
        if {"{match_id}", "{role_id}", "{invite_id}"} & set(path.split("/")) and lets_in(
            PERMISSIONS[asked[operation]], organiser
        ):
            assert ask(olive, method, path.format(**foreign)).status_code in (400, 404), path
    assert ask(olive, "get", f"/api/v1/events/{ids['slug']}/matches/{foreign['match_id']}/").status_code == 404
    listed = ask(olive, "get", f"/api/v1/events/{ids['slug']}/entries/").json()
    assert listed["count"] == Entry.objects.filter(tournament__slug=ids["slug"]).count()


def test_unpublished_round_is_for_officials(ids):
    Round.objects.update(state="paired")
    for name, seen in (("", False), ("ada", False), ("kit", False), ("juno", True), ("olive", True)):
        client, path = caller(name), f"/api/v1/events/{ids['slug']}/"
        assert client.get(f"{path}rounds/").json()["count"] == int(seen)
        for address in ("rounds/1/", "rounds/1/matches/", f"matches/{ids['match_id']}/"):
            assert client.get(path + address).status_code == (200 if seen else 404)


def test_removed_role_is_gone_at_the_next_request(ids):
    kit, path = caller("kit"), f"/api/v1/events/{ids['slug']}/staff/"
    role = next(row for row in kit.get(path).json()["results"] if row["user"] == "kit")
    assert caller("olive").delete(f"{path}{role['id']}/").status_code == 204
    assert kit.get(path).status_code == 403


NUMBERS = ("0", "-1", "1.5", "x", str(2**31), str(2**63), str(10**18 - 1), "9" * 400, "١")
ABSURD = ("number", "match_id", "role_id", "invite_id", "place")


@pytest.mark.sqlite
@pytest.mark.parametrize("number", NUMBERS)
def test_absurd_ids_are_not_found(ids, number, many, seed):
    """Each operation is asked for a third of the numbers, others by the run's seed; with `--long` for all."""
    olive = caller("olive")
    for _operation, method, path in in_turn(seed + NUMBERS.index(number), many(1, 3)):
        if "number}" in path or "_id}" in path:
            absurd = {key: number if key in ABSURD else value for key, value in ids.items()}
            assert ask(olive, method, path.format(**absurd)).status_code in (400, 403, 404), path
