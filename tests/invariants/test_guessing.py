"""Guessing passwords: strangers are stopped at a figure, wherever they come from, and the owner is never kept out."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client

from accounts.identity import guesses
from accounts.identity.adapter import AccountAdapter
from accounts.identity.guesses import COOKIE, Counter
from accounts.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
PASSWORD = "quite a long one 7"
ALLOWED = 20
"""Tries at one account that may be looked at in any 15 minutes."""
TOO_MANY = "Too many"


@pytest.fixture
def olive(redis_url) -> User:
    user = User.objects.create_user("olive", password=PASSWORD)
    EmailAddress.objects.create(user=user, email="olive@example.org", verified=True, primary=True)
    return user


@pytest.fixture(autouse=True)
def early_in_a_span(monkeypatch) -> None:
    """Start every test at the beginning of a span, so that it does not end in the middle of one."""
    shift = guesses.SPAN - time.time() % guesses.SPAN + 1
    monkeypatch.setattr(guesses, "time", lambda: time.time() + shift)


def sign_in(client: Client, login: str, password: str, address: str = "198.51.100.1", **headers: str) -> bool | None:
    """True if it let in, False if the password was looked at and wrong, None if it was not looked at."""
    answer = client.post("/accounts/login/", {"login": login, "password": password}, REMOTE_ADDR=address, **headers)
    if answer.status_code == 302:
        return True
    assert answer.status_code == 200
    return None if TOO_MANY in answer.content.decode() else False


def ask_token(login: str, password: str, address: str = "198.51.100.1", **headers: str) -> int:
    body = {"username": login, "password": password}
    answer = Client().post("/api/v1/tokens/", body, "application/json", REMOTE_ADDR=address, **headers)
    assert (answer.status_code == 429) == answer.has_header("Retry-After")
    return answer.status_code


def looked_at(tries: int, one: Callable[[int], bool | None]) -> int:
    return sum(one(number) is not None for number in range(tries))


def test_one_address_has_few_tries_at_an_account(olive):
    assert looked_at(8, lambda _number: sign_in(Client(), "olive", "wrong")) == guesses.PER_ADDRESS_AND_ACCOUNT


def test_a_hundred_addresses_have_few_tries_at_an_account(olive):
    def one(number: int) -> bool | None:
        return sign_in(Client(), "olive", "wrong", f"203.0.113.{number}")

    assert looked_at(100, one) == guesses.PER_ACCOUNT <= ALLOWED / 2


@pytest.mark.parametrize(
    "disguise",
    [
        lambda number: {"HTTP_HOST": f"127.0.0.1:{1000 + number}"},
        lambda number: {"HTTP_HOST": "localhost", "HTTP_X_FORWARDED_HOST": f"h{number}"},
        lambda number: {"HTTP_X_FORWARDED_FOR": f"203.0.113.{number}", "HTTP_USER_AGENT": f"a{number}"},
    ],
)
def test_no_header_gives_fresh_tries(olive, disguise):
    tries = [ask_token("olive", "wrong", **disguise(number)) for number in range(12)]
    assert tries == [401] * guesses.PER_ADDRESS_AND_ACCOUNT + [429] * (12 - guesses.PER_ADDRESS_AND_ACCOUNT)


def test_keys_made_of_the_host_would_give_them(olive, monkeypatch):
    for name in ("pre_authenticate", "_rollback_login_failed_rl_usage"):
        monkeypatch.setattr(AccountAdapter, name, getattr(DefaultAccountAdapter, name))
    tries = [
        sign_in(Client(), "olive", "wrong", f"203.0.113.{n}", HTTP_HOST=f"127.0.0.1:{1000 + n // 5}") for n in range(24)
    ]
    assert tries.count(False) > ALLOWED


def test_a_name_in_other_letters_and_a_mail_address_are_the_same_account(olive):
    names = ["olive", "OLIVE", "Olive", "olive@example.org", "Olive@Example.Org"]
    one = looked_at(15, lambda number: sign_in(Client(), names[number % 5], "wrong", f"203.0.113.{number}"))
    assert one == guesses.PER_ACCOUNT


def test_an_unknown_name_is_answered_alike(olive):
    def answers(name: str) -> list[tuple[int, bytes]]:
        tried = [
            Client().post("/api/v1/tokens/", {"username": name, "password": "x"}, "application/json", REMOTE_ADDR=a)
            for a in [f"203.0.113.{number}" for number in range(12)]
        ]
        return [(answer.status_code, answer.json()["code"]) for answer in tried]

    assert answers("olive") == answers("nobody")


def test_the_owner_gets_in_on_the_own_device_while_strangers_guess(olive):
    own = Client()
    assert sign_in(own, "olive", PASSWORD) is True
    own.post("/accounts/logout/")
    for number in range(12):
        ask_token("olive", "wrong", f"203.0.113.{number}")
    assert sign_in(Client(), "olive", PASSWORD) is None
    assert sign_in(own, "olive", "a slip of the hand") is False
    assert sign_in(own, "olive", PASSWORD) is True
    assert own.post("/accounts/logout/").status_code == 302
    assert sign_in(own, "olive@example.org", PASSWORD, "203.0.113.9") is True


def test_without_the_cookie_the_owner_would_be_kept_out(olive, monkeypatch):
    own = Client()
    assert sign_in(own, "olive", PASSWORD) is True
    own.post("/accounts/logout/")
    for number in range(12):
        ask_token("olive", "wrong", f"203.0.113.{number}")
    monkeypatch.setattr(guesses, "_read", lambda _request: {})
    assert sign_in(own, "olive", PASSWORD) is None


def test_a_known_device_has_few_tries_too(olive):
    own = Client()
    sign_in(own, "olive", PASSWORD)
    own.post("/accounts/logout/")
    assert looked_at(14, lambda _number: sign_in(own, "olive", "wrong")) == guesses.PER_DEVICE


def test_a_device_of_somebody_else_and_a_forged_one_count_for_nothing(olive):
    User.objects.create_user("mallory", password=PASSWORD)

    def one(number: int) -> bool | None:
        mallory = Client()
        assert sign_in(mallory, "mallory", PASSWORD, f"203.0.113.{number}")
        mallory.post("/accounts/logout/")
        if number % 2:
            mallory.cookies[COOKIE] = mallory.cookies[COOKIE].value[::-1]
        return sign_in(mallory, "olive", "wrong", f"203.0.113.{number}")

    assert looked_at(14, one) == guesses.PER_ACCOUNT


def test_signing_in_to_another_account_in_between_wins_no_tries(olive):
    User.objects.create_user("mallory", password=PASSWORD)
    looked = 0
    for number in range(8):
        looked += sign_in(Client(), "olive", "wrong") is not None
        assert sign_in(Client(), "mallory", PASSWORD) is True, number
    assert looked == guesses.PER_ADDRESS_AND_ACCOUNT


def test_one_bad_phone_keeps_nobody_else_in_the_hall_out(olive):
    people = [User.objects.create_user(f"player{number}", password=PASSWORD) for number in range(4)]
    for number in range(40):
        ask_token(f"guess{number % 13}", "wrong")
    assert sign_in(Client(), "olive", PASSWORD) is True
    assert all(sign_in(Client(), each.username, PASSWORD) for each in people)


def test_a_hall_signs_in_behind_one_address(olive):
    assert {ask_token("olive", PASSWORD) for _number in range(guesses.PER_ADDRESS + 5)} == {201}


def test_the_owner_who_types_slips_is_not_counted_for_right_passwords(olive):
    for _number in range(3):
        assert [sign_in(Client(), "olive", "wrong"), sign_in(Client(), "olive", PASSWORD)] == [False, True]


def test_the_next_span_begins_afresh(olive, monkeypatch):
    for _number in range(9):
        last = ask_token("olive", "wrong")
    assert last == 429
    begun = guesses.time()
    monkeypatch.setattr(guesses, "time", lambda: begun + guesses.SPAN)
    assert ask_token("olive", PASSWORD) == 201


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_guesses_at_once_are_counted_one_by_one(olive):
    assert guessed_at_once(200) <= guesses.PER_ACCOUNT


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_counting_by_looking_first_would_let_more_through(olive, monkeypatch):
    def look_first(counter: Counter) -> bool:
        count = guesses.cache.get(counter.key) or 0
        time.sleep(0.01)
        guesses.cache.set(counter.key, count + 1, counter.span)
        return count < counter.most

    monkeypatch.setattr(Counter, "take", look_first)
    assert guessed_at_once(60) > guesses.PER_ACCOUNT


def guessed_at_once(tries: int) -> int:
    """How many of so many guesses, by 16 at once and from 100 addresses, had their password looked at."""

    def one(number: int) -> bool:
        try:
            return ask_token("olive", f"wrong {number}", f"203.0.113.{number % 100}") == 401
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        return sum(pool.map(one, range(tries)))
