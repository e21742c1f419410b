"""Who a request is taken for, and that a lost right is gone at the next request."""

from datetime import timedelta

import pytest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.test import Client
from django.urls import path
from knox.models import AuthToken

from accounts.actors import ANONYMOUS, SYSTEM, Actor
from accounts.http.access import access
from accounts.identity.keys import issue_api_token
from accounts.identity.services import create_person, issue_personal_link, person_of, revoke_personal_links
from accounts.models import Person, PersonalLink, User
from journal.clock import database_now
from tests.config import toy_urls

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.urls("tests.accounts.test_actors")]


@access("public")
def who(request: HttpRequest) -> HttpResponse:
    actor = request.actor
    return JsonResponse(
        {"key": actor.key, "label": actor.label, "via": actor.via, "person": actor.person and actor.person.pk}
    )


urlpatterns = [path("who/", who), path("api/v1/who/", who), *toy_urls.urlpatterns]


@pytest.fixture
def ada() -> Person:
    return create_person("Ada", now=database_now())


def ask(client: Client, **headers: str) -> dict[str, object]:
    return client.get("/who/", headers=headers).json()


def opened(person: Person, client: Client | None = None) -> Client:
    client = client or Client()
    client.get(f"/p/{issue_personal_link(person, SYSTEM, database_now())}/")
    return client


def test_keys_and_labels():
    user, person = User(pk=12, username="olive"), Person(pk=5, name="Ada")
    actors = [Actor(user, person, "session"), Actor(None, person, "link"), SYSTEM, ANONYMOUS]
    assert [actor.key for actor in actors] == ["user:12", "person:5", "system", "anonymous"]
    assert [actor.label for actor in actors] == ["olive", "Ada", "the system", "a visitor"]
    assert [actor.is_known for actor in actors] == [True, True, False, False]


def test_a_visitor_is_nobody(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert ask(Client()) == {"key": "anonymous", "label": "a visitor", "via": "anonymous", "person": None}


def test_an_account_acts_with_its_person():
    olive = User.objects.create_user("olive")
    person = person_of(olive, database_now())
    client = Client()
    client.force_login(olive)
    assert ask(client) == {"key": f"user:{olive.pk}", "label": "olive", "via": "session", "person": person.pk}


def test_opening_a_link_swaps_it_for_the_session(ada):
    client = Client()
    answer = client.get(f"/p/{issue_personal_link(ada, SYSTEM, database_now())}/")
    assert (answer.status_code, answer["Location"]) == (302, "/my/")
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer["Cache-Control"]
    assert ask(client)["key"] == f"person:{ada.pk}"


def test_a_session_by_link_costs_two_queries(ada, django_assert_num_queries):
    client = opened(ada)
    with django_assert_num_queries(2):  # the session and the link with its person
        ask(client)


def test_opening_a_link_rotates_the_session(ada):
    client = Client()
    session = client.session
    session["planted"] = 1
    session.save()
    client.cookies["sessionid"] = session.session_key
    opened(ada, client)
    assert client.session.session_key != session.session_key


@pytest.mark.parametrize(
    "end",
    [
        lambda ada: revoke_personal_links(ada, SYSTEM, database_now()),
        lambda ada: PersonalLink.objects.update(expires_at=database_now() - timedelta(seconds=1)),
        lambda ada: Person.objects.update(erased_at=database_now()),
        lambda ada: PersonalLink.objects.all().delete(),
    ],
)
def test_a_dead_link_ends_its_sessions_at_the_next_request(ada, end):
    client = opened(ada)
    assert ask(client)["via"] == "link"
    end(ada)
    assert ask(client)["via"] == "anonymous"


def test_links_that_do_not_open_look_the_same(ada):
    now = database_now()
    expired = issue_personal_link(ada, SYSTEM, now, expires_at=now - timedelta(seconds=1))
    answers = [Client().get(f"/p/{token}/") for token in (expired, "unknown", "x" * 400)]
    assert [answer.status_code for answer in answers] == [404] * 3
    assert len({answer.content for answer in answers}) == 1
    assert "Ask the organiser" in answers[0].content.decode()


def test_guessing_is_slowed_down_and_only_for_the_guesser(ada, redis_url):
    token = issue_personal_link(ada, SYSTEM, database_now())
    guesser = Client(REMOTE_ADDR="192.0.2.77")
    answers = [guesser.get(f"/p/guess{number}/").status_code for number in range(40)]
    assert (answers[0], answers[-1]) == (404, 429)
    assert Client(REMOTE_ADDR="192.0.2.78").get("/p/guess/").status_code == 404
    assert Client(REMOTE_ADDR="192.0.2.77").get(f"/p/{token}/").status_code == 302  # a neighbour behind one router


def test_a_disabled_account_is_nobody_at_the_next_request():
    olive = User.objects.create_user("olive")
    client = Client()
    client.force_login(olive)
    User.objects.update(is_active=False)
    assert ask(client)["via"] == "anonymous"


def test_an_api_token_acts_for_its_account():
    olive = User.objects.create_user("olive")
    row, token = issue_api_token(olive, SYSTEM, database_now())
    assert ask(Client(), Authorization=f"Token {token}")["via"] == "token"
    row.delete()
    assert ask(Client(), Authorization=f"Token {token}")["via"] == "anonymous"
    _row, unexplained = AuthToken.objects.create(olive)
    assert ask(Client(), Authorization=f"Token {unexplained}")["via"] == "anonymous"


def test_an_api_token_needs_no_csrf_token_and_a_session_does(ada):
    _row, token = issue_api_token(User.objects.create_user("olive"), SYSTEM, database_now())
    strict = Client(enforce_csrf_checks=True)
    headers = {"Authorization": f"Token {token}"}
    assert strict.post("/api/v1/acts/", {}, "application/json", headers=headers).status_code == 201
    assert opened(ada, strict).post("/api/v1/acts/", {}, "application/json").status_code == 403


@pytest.mark.parametrize("token", ["wrong", "x" * 64, "a.b", ""])
def test_a_wrong_token_is_a_401(token):
    answer = Client().get("/api/v1/acts/", headers={"Authorization": f"Token {token}"})
    assert answer.status_code == 401
