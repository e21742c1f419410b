"""Default deny: every route has a rule, and a route without one is shut."""

import pytest
from django.test import Client
from rules.permissions import perm_exists

from accounts.http.access import SPECIAL
from accounts.models import User
from tests.accounts.factors import prove
from tests.routes import walk_routes

TOY = "tests.config.toy_urls"
ON_TOY = [pytest.mark.django_db, pytest.mark.urls(TOY)]


def user(name: str, **rights: bool) -> User:
    return User.objects.create_user(name, **rights)


def browser(name: str = "", **rights: bool) -> Client:
    client = Client()
    if name:
        client.force_login(user(name, **rights))
    return client


def rules_at(urlconf: str | None = None) -> dict[str, str | None]:
    return {route.path: route.rule for route in walk_routes(urlconf)}


def test_every_route_of_the_site_has_a_rule():
    assert [path for path, rule in rules_at().items() if rule is None] == []


def test_every_rule_of_the_site_is_a_known_one():
    named = {name for rule in rules_at().values() if rule for name in rule.split("|")}
    assert [name for name in named if name not in SPECIAL and not perm_exists(name)] == []


def test_the_walk_finds_routes_without_a_rule():
    found = [path for path, rule in rules_at(TOY).items() if rule is None]
    assert found == ["ruleless/", "api/v1/unruled/<int:pk>/", "api/v1/ruleless/"]


def test_the_walk_joins_the_rules_of_api_actions():
    assert rules_at(TOY)["api/v1/acts/"] == "public|signed_in"


def test_the_admin_is_for_site_admins_throughout():
    assert {rule for path, rule in rules_at().items() if path.startswith("admin/")} == {"proved_site_admin"}


@pytest.mark.parametrize("path", ["/ruleless/", "/api/v1/ruleless/"])
@pytest.mark.django_db
@pytest.mark.urls(TOY)
def test_a_route_without_a_rule_is_shut_for_everybody(path):
    answer = browser("root", is_staff=True, is_superuser=True).get(path)
    assert answer.status_code == 403
    assert b"deck of Ada" not in answer.content


@pytest.mark.django_db
@pytest.mark.urls(TOY)
def test_the_answer_of_a_view_that_never_asked_is_withheld():
    answer = browser("olive").get("/forgetful/")
    assert answer.status_code == 403
    assert b"deck of Ada" not in answer.content


@pytest.mark.parametrize(
    ("name", "path", "status"),
    [
        ("olive", "/change/", 200),
        ("otto", "/change/", 403),
        ("mallory", "/change/", 404),
        ("mallory", "/open-change/", 403),
        ("olive", "/open-change/", 200),
        ("olive", "/api/v1/within/", 200),
        ("mallory", "/api/v1/within/", 404),
        ("olive", "/api/v1/acts/1/", 200),
        ("mallory", "/api/v1/acts/1/", 404),
        ("mallory", "/accounts/reset-link/", 403),
        ("mallory", "/admin/", 403),
        ("mallory", "/api/v1/acts/", 200),
    ],
)
@pytest.mark.django_db
@pytest.mark.urls(TOY)
def test_rules_are_asked(name, path, status):
    assert browser(name).get(path).status_code == status


@pytest.mark.django_db
@pytest.mark.urls(TOY)
def test_a_site_admin_reaches_the_admin():
    client = browser("root", is_staff=True, is_superuser=True)
    assert prove(client, User.objects.get()).get("/admin/").status_code == 200


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/accounts/me/", "/accounts/login/?next=/accounts/me/"),
        ("/open-change/?a=1", "/accounts/login/?next=/open-change/%3Fa%3D1"),
        ("/admin/", "/accounts/login/?next=/admin/"),
    ],
)
@pytest.mark.django_db
@pytest.mark.urls(TOY)
def test_a_visitor_is_led_to_sign_in_and_back(path, target):
    assert browser().get(path)["Location"] == target


@pytest.mark.django_db
@pytest.mark.urls(TOY)
def test_a_visitor_who_posts_is_not_led_back_to_the_post():
    assert browser().post("/open-change/")["Location"] == "/accounts/login/"


@pytest.mark.django_db
@pytest.mark.urls(TOY)
def test_a_visitor_of_the_api_gets_401():
    answer = browser().post("/api/v1/acts/", {}, content_type="application/json")
    assert (answer.status_code, answer.json()["status"]) == (401, 401)
    assert answer["WWW-Authenticate"] == "Token"


@pytest.mark.django_db
@pytest.mark.urls(TOY)
def test_a_visitor_learns_nothing_of_a_secret_object():
    assert browser().get("/change/").status_code == 404


@pytest.mark.django_db
@pytest.mark.urls(TOY)
def test_an_api_action_without_a_rule_is_denied():
    client = browser("olive")
    assert client.delete("/api/v1/unruled/1/").status_code == 403
    assert client.options("/api/v1/acts/").status_code == 403


@pytest.mark.django_db
@pytest.mark.urls(TOY)
def test_a_method_the_api_does_not_have_is_a_405():
    assert browser("olive").put("/api/v1/acts/").status_code == 405
