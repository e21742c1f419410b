"""Repeated requests: one effect, one answer; refused requests leave nothing behind."""

import json
import uuid

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from accounts.models import User
from journal.idempotency import middleware
from journal.models import IdempotencyKey, OutboxMessage
from tests.config import toy_urls
from tests.races import race

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.urls("tests.config.toy_urls")]
WITHOUT_GUARD = [name for name in settings.MIDDLEWARE if name != "journal.idempotency.middleware.IdempotencyMiddleware"]


@pytest.fixture(autouse=True)
def fresh_tries():
    toy_urls.TRIES.clear()


def post(client: Client, path: str, key: str, **fields: str):
    return client.post(path, {"idempotency_key": key, **fields})


def effects() -> int:
    return OutboxMessage.objects.count()


def test_a_repeated_form_acts_once_and_gets_the_same_answer(client):
    first, second = (post(client, "/add/", "k1", score="2-1") for _again in range(2))
    assert effects() == 1
    assert (first.status_code, first["Location"]) == (second.status_code, second["Location"]) == (302, "/added/1/")
    assert not first.has_header("Idempotency-Replayed")
    assert second["Idempotency-Replayed"] == "true"


def test_without_the_guard_the_same_form_acts_twice(client):
    with override_settings(MIDDLEWARE=WITHOUT_GUARD):
        for _again in range(2):
            post(client, "/add/", "k1", score="2-1")
    assert effects() == 2


def test_a_request_without_a_key_is_left_alone(client):
    for _again in range(2):
        client.post("/add/")
    assert effects() == 2
    assert not IdempotencyKey.objects.exists()


def test_the_header_works_like_the_field(client):
    for _again in range(2):
        client.post("/add/", {"score": "2-1"}, headers={"Idempotency-Key": "k1"})
    assert effects() == 1


def test_a_fresh_csrf_token_is_no_other_content(client):
    for token in ("a" * 32, "b" * 32):
        post(client, "/add/", "k1", csrfmiddlewaretoken=token)
    assert effects() == 1


@pytest.mark.parametrize("other", [{"score": "0-2"}, {"score": "2-1", "more": "x"}, {}])
def test_the_same_key_with_another_content_is_refused_and_changes_nothing(client, other):
    post(client, "/add/", "k1", score="2-1")
    answer = post(client, "/add/", "k1", **other)
    assert answer.status_code == 422
    assert "key_reused" in answer.content.decode()
    assert effects() == 1


def test_the_same_key_at_another_address_is_refused(client):
    post(client, "/add/", "k1")
    assert post(client, "/greet/", "k1").status_code == 422
    assert client.post("/add/?again", {"idempotency_key": "k1"}).status_code == 422


@pytest.mark.parametrize("key", ["with space", "ü", "x" * 201])
def test_a_malformed_key_is_refused(client, key):
    answer = post(client, "/add/", key)
    assert answer.status_code == 400
    assert effects() == 0


@pytest.mark.parametrize(("path", "status"), [("/refuse/", 422), ("/form-errors/", 200), ("/nowhere/", 404)])
def test_a_refused_request_leaves_nothing_and_frees_its_key(client, path, status):
    assert post(client, path, "k1").status_code == status
    assert (effects(), IdempotencyKey.objects.count()) == (0, 0)


def test_a_crash_leaves_nothing(client):
    client.raise_request_exception = False
    assert post(client, "/crash/", "k1").status_code == 500
    assert (effects(), IdempotencyKey.objects.count()) == (0, 0)


def test_an_answer_that_keeps_its_effect_is_stored_whatever_its_status(client):
    answers = [post(client, "/keeps/", "k1") for _again in range(2)]
    assert [(answer.status_code, answer.content) for answer in answers] == [(409, b"kept 1")] * 2
    assert effects() == 1


def test_a_secret_answer_is_stored_nowhere(client):
    answers = [post(client, "/secret/", "k1").content for _again in range(2)]
    assert answers == [b"secret 1", b"secret 2"]
    assert not IdempotencyKey.objects.exists()


def test_keys_of_two_visitors_do_not_meet():
    ada, ben = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    for client in (ada, ben):
        assert not post(client, "/add/", "k1").has_header("Idempotency-Replayed")
    assert effects() == 2


def choose_language(times: int) -> int:
    """How many rows are left by a visitor who chooses a language, each time with a fresh key."""
    for number in range(times):
        answer = Client().post("/i18n/setlang/", {"language": "de"}, headers={"Idempotency-Key": f"k{number}"})
        assert (answer.status_code, answer.cookies["django_language"].value) == (302, "de")
    return IdempotencyKey.objects.count()


@pytest.mark.urls("config.urls")
def test_a_visitors_key_on_a_view_that_writes_nothing_leaves_no_row():
    assert choose_language(5) == 0


@pytest.mark.urls("config.urls")
def test_kept_like_any_other_a_visitors_keys_would_fill_the_disk(monkeypatch):
    monkeypatch.setattr(middleware, "is_visitor", lambda request: False)
    assert choose_language(5) == 5


def test_keys_of_two_accounts_do_not_meet():
    for name in ("ada", "ben"):
        client = Client()
        client.force_login(User.objects.create_user(name))
        post(client, "/add/", "k1")
    scopes = {f"user:{user.pk}" for user in User.objects.all()}
    assert set(IdempotencyKey.objects.values_list("scope", flat=True)) == scopes
    assert len(scopes) == 2


def test_a_lost_answer_that_opened_a_session_is_given_again_with_the_session():
    lost, again = Client(), Client()
    post(lost, "/greet/", "k1")
    assert post(again, "/greet/", "k1")["Idempotency-Replayed"] == "true"
    assert again.session.session_key == lost.session.session_key
    assert again.session["greeted"] == 1


def test_a_session_that_has_ended_is_not_opened_by_a_repeat():
    lost, again = Client(), Client()
    post(lost, "/greet/", "k1")
    lost.session.flush()
    post(again, "/greet/", "k1")
    assert "greeted" not in again.session


@pytest.mark.django_db(transaction=True)
def test_a_transient_failure_inside_a_view_is_tried_again_as_a_whole(client):
    assert post(client, "/flaky/", "k1").status_code == 302
    assert (len(toy_urls.TRIES), effects()) == (3, 1)


@pytest.mark.django_db(transaction=True)
def test_an_uploaded_file_is_whole_at_the_second_try(client):
    file = SimpleUploadedFile("names.csv", b"Ada;Ben")
    assert client.post("/upload/", {"idempotency_key": "k1", "file": file}).status_code == 302
    assert OutboxMessage.objects.get().task == "Ada;Ben"


def test_another_file_under_the_same_key_is_refused(client):
    for content, status in ((b"Ada", 302), (b"Ben", 422)):
        toy_urls.TRIES.append(1)
        answer = client.post("/upload/", {"idempotency_key": "k1", "file": SimpleUploadedFile("n.csv", content)})
        assert answer.status_code == status


def test_a_repeat_still_needs_its_csrf_token():
    client = Client(enforce_csrf_checks=True)
    token = "t" * 32
    client.cookies["csrftoken"] = token
    fields = {"idempotency_key": "k1", "csrfmiddlewaretoken": token}
    assert client.post("/add/", fields).status_code == 302
    assert client.post("/add/", fields)["Idempotency-Replayed"] == "true"
    assert client.post("/add/", {"idempotency_key": "k1"}).status_code == 403


def api_post(client: Client, body: object, key: str = "k1", **headers: str):
    headers = {"Idempotency-Key": key, **headers}
    return client.post("/api/v1/acts/", json.dumps(body), content_type="application/json", headers=headers)


def test_the_api_answers_a_repeat_with_the_same_body(client):
    client.force_login(User.objects.create_user("olive"))
    first, second = (api_post(client, {"a": 1}) for _again in range(2))
    assert (first.status_code, first.content) == (second.status_code, second.content) == (201, b'{"number":1}')
    assert api_post(client, {"a": 2}).status_code == 422
    assert api_post(client, {"a": 2}).json()["code"] == "key_reused"
    assert effects() == 1


def test_a_refused_api_call_stores_nothing(client):
    assert api_post(client, {"a": 1}).status_code == 401
    assert (effects(), IdempotencyKey.objects.count()) == (0, 0)


def press(path: str, key: str):
    def action(number: int) -> tuple[int, str, bool]:
        answer = post(Client(), path, key, score="2-1")
        return answer.status_code, answer.get("Location", ""), answer.has_header("Idempotency-Replayed")

    return action


@pytest.mark.django_db(transaction=True)
def test_processes_that_send_the_same_form_together_act_once():
    for _race in range(5):
        before = effects()
        answers = race(press("/add/", str(uuid.uuid4())), 4)
        assert effects() == before + 1
        assert {answer[:2] for answer in answers} == {(302, f"/added/{before + 1}/")}
        assert sorted(answer[2] for answer in answers) == [False, True, True, True]


@pytest.mark.django_db(transaction=True)
def test_without_the_guard_the_race_acts_more_than_once():
    with override_settings(MIDDLEWARE=WITHOUT_GUARD):
        race(press("/add/", "k1"), 4)
    assert effects() == 4
