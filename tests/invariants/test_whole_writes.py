"""A write of the API stores all of it or nothing: a serializer or a renderer that fails takes the act back."""

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from rest_framework.response import Response

from journal.models import IdempotencyKey, LedgerEntry, OutboxMessage
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import event, next_round, report_all, running, table
from tournaments.api.serializers.entries import EntrySerializer
from tournaments.entries.services.entries import MAX_AT_ONCE
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
WITHOUT_GUARD = [name for name in settings.MIDDLEWARE if name != "journal.idempotency.middleware.IdempotencyMiddleware"]
PEOPLE = {"entries": [{"name": "Ada", "club": "Doom Club"}, {"name": "Ben"}]}


def broken(*args, **kwargs):
    raise ZeroDivisionError


PLACES = [(Response, "rendered_content", property(broken)), (EntrySerializer, "get_members", broken)]


def stored() -> tuple[int, ...]:
    """How much the site holds: acts, background work, kept answers, events, entries."""
    kinds = (LedgerEntry, OutboxMessage, IdempotencyKey, Tournament)
    entries = sum(tournament.entries.count() for tournament in Tournament.objects.all())
    return (*(kind.objects.count() for kind in kinds), entries)


def writes(path: str) -> list[tuple[str, str, object]]:
    """An event by API, from its first entries to the first result."""
    return [
        ("post", f"{path}entries/", PEOPLE),
        ("patch", f"{path}entries/1/", {"club": "Gloom Club"}),
        ("post", f"{path}entries/1/check-in/", None),
        ("post", f"{path}entries/1/personal-link/", None),
        ("post", f"{path}close/", None),
        ("patch", path, {"name": "Winter Doom Cup"}),
    ]


@pytest.fixture
def olive():
    client = caller("olive")
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("key", [{}, {"HTTP_IDEMPOTENCY_KEY": "k1"}])
def test_whatever_fails_after_the_act_takes_it_back(olive, monkeypatch, place, key):
    path = f"{path_of(event())}entries/"
    before = stored()
    with monkeypatch.context() as patch:
        patch.setattr(*place)
        assert olive.post(path, PEOPLE, **key).status_code == 500
    assert stored() == before
    assert [each["number"] for each in good(olive.post(path, PEOPLE, **key), 201)["entries"]] == [1, 2]


@pytest.mark.parametrize("place", PLACES)
def test_without_the_guard_a_500_has_stored_what_it_denies(olive, monkeypatch, place):
    path = f"{path_of(event())}entries/"
    before = stored()
    monkeypatch.setattr(*place)
    with override_settings(MIDDLEWARE=WITHOUT_GUARD):
        assert olive.post(path, PEOPLE).status_code == 500
    assert stored() != before


def test_every_write_of_an_event_is_whole(olive, monkeypatch):
    for method, path, body in writes(path_of(event())):
        before = stored()
        with monkeypatch.context() as patch:
            patch.setattr(Response, "rendered_content", property(broken))
            assert getattr(olive, method)(path, body).status_code == 500, path
        assert stored() == before, path
        assert getattr(olive, method)(path, body).status_code < 300, path
        assert stored() != before, path


def test_a_result_whose_answer_fails_is_not_stored(olive, monkeypatch):
    tournament = running(4)
    path = f"{path_of(tournament)}matches/{table(next_round(tournament)).pk}/"
    before = stored()
    monkeypatch.setattr(Response, "rendered_content", property(broken))
    assert olive.post(f"{path}report/", {"games_won": [2, 0]}).status_code == 500
    assert stored() == before


def test_the_most_entries_at_once_are_entered_in_few_statements(olive):
    path = f"{path_of(event())}entries/"
    many = {"entries": [{"name": f"Player {number}"} for number in range(1, MAX_AT_ONCE + 1)]}
    with CaptureQueriesContext(connection) as queries:
        made = good(olive.post(path, many), 201)["entries"]
    assert [each["number"] for each in made] == list(range(1, MAX_AT_ONCE + 1))
    assert made[-1]["name"] == f"Player {MAX_AT_ONCE}"
    people = 'SELECT "tournaments_entrymember"."id"'
    assert not [
        each for each in queries if each["sql"].startswith(people) and '"accounts_person"."name"' in each["sql"]
    ]
    assert len(queries) < MAX_AT_ONCE / 5  # SQLite takes 999 values a statement, an entry has two dozen
    assert good(olive.post(path, {"entries": [{"name": "Zoe"}]}), 201)["entries"][0]["number"] == MAX_AT_ONCE + 1


def test_the_schema_names_the_most_entries_at_once(client):
    schema = client.get("/api/v1/schema/?format=json").json()
    people = schema["components"]["schemas"]["WalkIns"]["properties"]["entries"]
    assert (people["minItems"], people["maxItems"]) == (1, MAX_AT_ONCE)


def test_statistics_ask_for_no_seat_by_an_or_of_its_own(client):
    tournament = running(24)
    report_all(next_round(tournament), 2, 0)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/e/{tournament.slug}/statistics/").status_code == 200
    assert max(query["sql"].count('"tournaments_seat"."id" = ') for query in queries) < 2
