"""Every error becomes an answer of one shape, and none tells of our insides."""

import json
import logging

import pytest
from django.test import Client

from accounts.models import User
from tests.coroutines import run_coroutine

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.config.toy_urls")]
SHAPE = {"type", "title", "status", "code", "detail", "details"}


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


def send(client: Client, kind: str, body: str = "{}"):
    return client.post(f"/api/v1/errors/{kind}/", body, content_type="application/json")


def test_a_broken_rule_is_problem_json_in_the_api(client):
    answer = send(client, "domain")
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json() == {
        "type": "about:blank",
        "title": "Unprocessable Entity",
        "status": 422,
        "code": "too_late",
        "detail": "The round is closed.",
        "details": {"round": 3},
    }


@pytest.mark.parametrize(("path", "status"), [("/refuse/", 422), ("/conflict/", 409)])
def test_a_broken_rule_is_a_page_for_people(client, path, status):
    answer = client.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert ("The round is closed." if status == 422 else "Somebody was first.") in answer.content.decode()


def test_page_of_a_conflict_leads_back_to_the_page_before_and_to_no_other_site(client):
    words = {came: client.get("/conflict/", headers={"referer": came}).content.decode() for came in (
        "http://testserver/e/cup/desk/", "https://evil.example/", "//evil.example/", "")}  # fmt: skip
    assert ['href="http://testserver/e/cup/desk/"' in each for each in words.values()] == [True, False, False, False]
    assert ["evil" in each for each in words.values()] == [False] * 4


@pytest.mark.parametrize("path", ["/refuse/", "/api/v1/acts/"])
def test_a_host_that_is_not_ours_is_a_bad_request(client, path):
    assert client.get(path, headers={"host": "evil.example"}).status_code == 400


def test_bad_fields_are_told_by_field(client):
    answer = send(client, "fields", json.dumps({"name": "too long"}))
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert set(answer.json()["errors"]) == {"name", "games"}
    assert set(answer.json()) > SHAPE


@pytest.mark.parametrize(
    ("kind", "status", "code"), [("missing", 404, "not_found"), ("crash", 500, "error"), ("domain", 422, "too_late")]
)
def test_api_errors_have_one_shape_and_no_insides(client, kind, status, code):
    answer = send(client, kind)
    assert (answer.status_code, answer.json()["code"], set(answer.json())) == (status, code, SHAPE)
    assert "secret detail" not in answer.content.decode()


def test_an_unexpected_error_is_logged(client, caplog):
    with caplog.at_level(logging.ERROR):
        send(client, "crash")
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    ("path", "status"), [("/crash/", 500), ("/missing/", 404), ("/forbidden/", 403), ("/no/", 404)]
)
def test_pages_for_errors_show_no_insides(client, path, status):
    answer = client.get(path)
    assert answer.status_code == status
    assert "secret detail" not in answer.content.decode()
    assert "Traceback" not in answer.content.decode()


def test_a_database_that_is_away_is_no_fault_of_ours(client):
    answer = client.get("/outage/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Nothing was saved." in answer.content.decode()


def test_a_database_that_is_away_is_told_by_the_asynchronous_server_too(async_client):
    async_client.raise_request_exception = False
    assert run_coroutine(async_client.get("/outage/")).status_code == 503


@pytest.mark.parametrize(("path", "status"), [("/api/v1/no/", 404), ("/api/v1/errors/x/", 405)])
def test_what_the_api_does_not_know_is_problem_json_too(client, path, status):
    answer = client.get(path)
    assert (answer.status_code, set(answer.json())) == (status, SHAPE)


@pytest.mark.parametrize(
    "body",
    [
        "{",
        '{"name": "a\\u0000b", "games": 1}',
        '{"a\\u0000": 1}',
        '{"name": "\\ud800", "games": 1}',
        '{"x": NaN}',
        "[" * 100_000,
        '{"a":' * 20_000,
        '"\\\\u0000"',
        "\x00",
        "3",
        "null",
    ],
)
def test_hostile_json_is_a_400(client, body):
    answer = send(client, "fields", body)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_a_backslash_before_u0000_is_plain_text(client):
    answer = send(client, "fields", '{"name": "\\\\u00", "games": 1}')
    assert (answer.status_code, answer.json()["name"]) == (201, "\\u00")


@pytest.mark.parametrize(
    "reach",
    [
        lambda client: client.get("/add/", {"q": "a\0b"}),
        lambda client: client.get("/add/?a%00=1"),
        lambda client: client.get("/p/a%00b/"),
        lambda client: client.post("/add/", {"name": "a\0b"}),
        lambda client: client.post("/accounts/login/", {"login": "a\0b", "password": "x"}),
        lambda client: client.post("/add/", "name=a%00b", content_type="application/x-www-form-urlencoded"),
    ],
)
def test_a_nul_anywhere_is_a_400(client, reach):
    assert reach(client).status_code == 400


@pytest.mark.parametrize(
    "reach",
    [
        lambda client: client.post(
            "/add/", b"name=%ed%a0%80&idempotency_key=k", content_type="application/x-www-form-urlencoded"
        ),
        lambda client: client.get("/p/%ed%a0%80/"),
        lambda client: client.get("/accounts/login/?next=%ed%a0%80"),
        lambda client: client.post(
            "/accounts/login/", b"login=%ed%a0%80&password=x", content_type="application/x-www-form-urlencoded"
        ),
        lambda client: client.post("/add/", b"--x", content_type="multipart/form-data; boundary=x"),
        lambda client: client.post("/add/", b"--x", content_type="multipart/form-data"),
        lambda client: client.get("/add/", headers={"Authorization": "Token \xff\xfe"}),
        lambda client: client.get("/add/", headers={"Authorization": "Token"}),
        lambda client: client.get("/api/v1/acts/", headers={"Authorization": "Token \xff"}),
        lambda client: client.get("/add/", headers={"Cookie": "sessionid=%00"}),
    ],
)
def test_other_odd_bytes_are_never_a_500(client, reach):
    assert reach(client).status_code < 500


def test_a_form_without_its_csrf_token_is_told_what_to_do():
    answer = Client(enforce_csrf_checks=True).post("/add/")
    assert answer.status_code == 403
    assert "Reload the page" in answer.content.decode()


def test_the_api_asks_a_session_for_its_csrf_token():
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_user("olive"))
    assert client.post("/api/v1/acts/", {}, content_type="application/json").status_code == 403


def test_too_large_a_form_is_a_400(client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    answer = client.post("/add/", {"name": "x" * 200})
    assert answer.status_code == 400
