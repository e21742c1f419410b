"""The account pages and commands as people use them."""

import io

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import Person, User
from journal.models import IdempotencyKey, LedgerEntry
from tests.accounts.factors import prove

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.urls("tests.config.toy_urls")]
PASSWORD = "quite a long one 7"


def signed_in(name: str, **rights: bool) -> Client:
    client = Client()
    client.force_login(User.objects.create_user(name, **rights))
    return client


def site_admin() -> Client:
    client = signed_in("root", is_staff=True, is_superuser=True)
    return prove(client, User.objects.get())


def run(*args: str) -> tuple[str, str, int]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*args, stdout=out, stderr=err)
    except SystemExit as end:
        return out.getvalue(), err.getvalue(), end.code
    return out.getvalue(), err.getvalue(), 0


def test_sign_up_needs_no_mail_address(redis_url):
    client = Client()
    fields = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", fields).status_code == 302
    assert client.get("/accounts/me/").status_code == 200
    assert not Person.objects.exists()


def test_signing_in_gives_a_new_session(redis_url):
    User.objects.create_user("ada", password=PASSWORD)
    client = Client()
    session = client.session
    session["planted"] = 1
    session.save()
    client.cookies["sessionid"] = session.session_key
    assert client.post("/accounts/login/", {"login": "ada", "password": PASSWORD}).status_code == 302
    assert client.session.session_key != session.session_key


def test_a_repeated_sign_in_gets_the_session_too(redis_url):
    User.objects.create_user("ada", password=PASSWORD)
    fields = {"login": "ada", "password": PASSWORD, "idempotency_key": "k1"}
    lost, again = Client(), Client()
    lost.post("/accounts/login/", fields)
    assert again.post("/accounts/login/", fields)["Idempotency-Replayed"] == "true"
    assert again.get("/accounts/me/").status_code == 200


def test_a_forgotten_password_without_mail_says_whom_to_ask(mailoutbox):
    User.objects.create_user("ada", email="ada@example.org")
    for answer in (
        Client().get("/accounts/password/reset/"),
        Client().post("/accounts/password/reset/", {"email": "ada@example.org"}),
    ):
        assert answer.status_code == 200
        assert "sends no mail" in answer.content.decode()
    assert mailoutbox == []


def test_a_forgotten_password_with_mail_is_sent_a_link(settings, mailoutbox, redis_url):
    settings.DOOMDESK_MAIL = True
    User.objects.create_user("ada", email="ada@example.org", password=PASSWORD)
    assert Client().post("/accounts/password/reset/", {"email": "ada@example.org"}).status_code == 302
    assert "/accounts/password/reset/key/" in mailoutbox[0].body


def test_a_site_admin_hands_out_a_link_that_is_kept_nowhere():
    User.objects.create_user("kit")
    answer = signed_in("root", is_staff=True).post(
        "/accounts/reset-link/", {"username": "kit", "idempotency_key": "k1"}
    )
    assert b"/accounts/password/reset/key/" in answer.content
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "same-origin"  # the page has a form, which needs its own origin
    assert LedgerEntry.objects.get().act == "reset_link_issued"
    assert not IdempotencyKey.objects.exists()


@pytest.mark.parametrize(("name", "status", "text"), [("nobody", 200, "No account"), ("boss", 403, "superuser")])
def test_a_site_admin_gets_no_link_for(name, status, text):
    User.objects.create_user("boss", is_staff=True)
    answer = signed_in("root", is_staff=True).post("/accounts/reset-link/", {"username": name, "idempotency_key": "k1"})
    assert answer.status_code == status
    assert text in answer.content.decode()
    assert not LedgerEntry.objects.exists()


def test_the_reset_command_prints_a_path():
    User.objects.create_user("kit")
    out, err, code = run("reset_link", "kit")
    assert (out.startswith("/accounts/password/reset/key/"), err, code) == (True, "", 0)
    assert run("reset_link", "kit", "--site", "https://desk.example/")[0].startswith("https://desk.example/accounts/")


def test_the_reset_command_refuses_an_unknown_account_in_one_line():
    out, err, code = run("reset_link", "nobody")
    assert (out, err.count("\n"), code) == ("", 1, 2)


def test_the_first_organiser_becomes_site_admin_and_the_second_does_not():
    password = run("create_organiser", "olive")[0].strip()
    run("create_organiser", "oscar")
    assert User.objects.get(username="olive").is_staff
    assert not User.objects.get(username="oscar").is_staff
    assert Client().login(username="olive", password=password)


def test_creating_an_organiser_twice():
    run("create_organiser", "olive")
    assert run("create_organiser", "olive", "--if-missing") == ("", "", 0)
    out, err, code = run("create_organiser", "olive")
    assert (out, err.count("\n"), code) == ("", 1, 2)


def test_an_organiser_can_be_made_site_admin():
    run("create_organiser", "olive")
    run("create_organiser", "oscar", "--site-admin")
    assert User.objects.get(username="oscar").is_staff


@pytest.mark.parametrize("path", ["/admin/accounts/user/", "/admin/accounts/person/", "/admin/journal/ledgerentry/"])
def test_a_site_admin_sees_the_lists(path):
    assert site_admin().get(path).status_code == 200


def test_nobody_changes_the_ledger_in_the_admin():
    client = site_admin()
    assert client.get("/admin/journal/ledgerentry/add/").status_code == 403
    assert client.get("/admin/accounts/person/add/").status_code == 403
