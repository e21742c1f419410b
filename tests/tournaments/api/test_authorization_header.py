"""A header that says who calls is believed or refused, never passed over; the schema says where none is needed."""

import pytest
from knox.models import AuthToken

from accounts.identity.tokens import StrictTokenAuthentication
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.api.test_permissions import crowd
from tests.tournaments.factories import account, event
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
HEADERS = ("Bearer abc", "Bearer", "Basic b2xpdmU6cHc=", "Token", "Token one two", "Token " + "a" * 64, "tokens abc")


@pytest.fixture
def expired():
    """The header of a token whose day is over."""
    client = caller("olive")
    AuthToken.objects.filter(user=account("olive").user).update(expiry="2020-01-01T00:00:00Z")
    return client._credentials["HTTP_AUTHORIZATION"]


def asked(path, header):
    client = caller()
    client.credentials(HTTP_AUTHORIZATION=header)
    return client.get(path)


@pytest.mark.parametrize("visibility", Tournament.Visibility.values)
@pytest.mark.parametrize("header", [*HEADERS, "expired"])
def test_a_header_that_names_nobody_is_a_401_on_public_and_private_events(visibility, header, expired):
    tournament = event(2, visibility=visibility)
    for path in (path_of(tournament), f"{path_of(tournament)}entries/", "/api/v1/events/"):
        response = asked(path, expired if header == "expired" else header)
        assert response.status_code == 401, (path, response.content)
        assert response["WWW-Authenticate"].startswith("Token")
        assert response.json()["detail"]


def test_the_problem_says_which_header_is_understood():
    problem = asked(path_of(event(1)), "Bearer abc").json()
    assert problem["code"] == "unknown_scheme"
    assert "Authorization: Token" in problem["detail"]


def test_without_the_guard_a_bearer_reads_that_the_event_is_not_there(monkeypatch):
    tournament = event(1, visibility=Tournament.Visibility.PRIVATE)
    assert asked(path_of(tournament), "Bearer abc").status_code == 401
    knox = StrictTokenAuthentication.__mro__[1]
    monkeypatch.setattr(StrictTokenAuthentication, "authenticate", knox.authenticate)
    assert asked(path_of(tournament), "Bearer abc").status_code == 404


def test_a_page_takes_a_proxys_password_for_no_token_of_ours():
    tournament = event(1)
    response = asked(f"/e/{tournament.slug}/", "Basic b2xpdmU6cHc=")
    assert response.status_code == 200


def test_the_schema_says_which_reads_need_no_token_and_visitors_can_read_them():
    values = crowd()[0]
    Tournament.objects.update(shows_outlook=True)
    paths = good(caller().get("/api/v1/schema/"))["paths"]
    open_ = {path for path, item in paths.items() if {} in item.get("get", {}).get("security", [])}
    assert {"/api/v1/events/", "/api/v1/events/{slug}/", "/api/v1/events/{slug}/standings/"} <= open_
    answers = {path: caller().get(path.format(**values)).status_code for path in paths if "get" in paths[path]}
    needs = {path for path, status in answers.items() if status == 401}
    assert needs
    assert not needs & open_
    assert {path for path, status in answers.items() if status == 200} <= open_
