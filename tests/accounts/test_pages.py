"""The account pages and commands as people use them."""

import io
import re

import pytest
from django.core.management import call_command
from django.http import HttpResponse
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
    fields = {"username": "ada", "password1": PASSWORD}
    assert client.post("/accounts/signup/", fields).status_code == 302
    assert client.get("/accounts/me/").status_code == 200
    assert not Person.objects.exists()


def sign_up(name: str, **more: str) -> HttpResponse:
    return Client().post("/accounts/signup/", {"username": name, "password1": PASSWORD, **more})


@pytest.mark.parametrize(
    "name", ["Olive Brandt", "Zoë O'Brien-Łuk", "山田 太郎", "نور الهدى", "Ilse v. d. Berg (2)", "x" * 90]
)
def test_a_name_as_people_write_theirs_signs_up_and_in(redis_url, name):
    assert sign_up(f"  {name.replace(' ', '  ')} ").status_code == 302
    account = User.objects.get()
    assert (account.username, account.get_full_name()) == (name, name)
    for typed in (name, f" {name} ", *([name.upper()] if name.isascii() else [])):
        assert Client().post("/accounts/login/", {"login": typed, "password": PASSWORD}).status_code == 302


@pytest.mark.parametrize(
    "name", ["", " ", "olive@example.org", "Olive\u200bBrandt", "Olive\u202eBrandt", "- .", "x" * 121]
)
def test_a_name_that_nobody_could_read_or_tell_apart_is_refused(redis_url, name):
    assert sign_up(name).status_code == 200
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["olive brandt", "Olive  Brandt", "Ｏlive Brandt"])
def test_a_name_signs_in_one_account_alone(redis_url, name):
    sign_up("Olive Brandt")
    assert "add what tells you apart" in sign_up(name).content.decode()
    assert User.objects.count() == 1


def test_a_failed_try_keeps_what_was_typed_but_the_password(redis_url):
    html = sign_up("Olive Brandt", email="olive@example.org", password1="12345").content.decode()
    assert 'value="Olive Brandt"' in html
    assert 'value="olive@example.org"' in html
    assert "12345" not in html
    assert "This password is too short" in html


def test_password_rules_are_said_only_when_one_is_broken():
    assert "password" not in re.sub(r"<[^>]*>", "", Client().get("/accounts/signup/").content.decode()).replace(
        "Show the password", ""
    )


@pytest.mark.parametrize("page", ["login", "signup"])
def test_both_tabs_lead_on_to_where_somebody_was_going(redis_url, page):
    User.objects.create_user("ada", password=PASSWORD)
    client = Client()
    html = client.get(f"/accounts/{page}/?next=/accounts/me/").content.decode()
    for other in {"login", "signup"} - {page}:
        assert f"/accounts/{other}/?next=%2Faccounts%2Fme%2F" in html
    fields = {"login": "ada", "password": PASSWORD, "username": "Ben", "password1": PASSWORD, "next": "/accounts/me/"}
    assert "autofocus" in html
    assert {"login": ">Sign in</button>", "signup": ">Sign up</button>"}[page] in html
    assert client.post(f"/accounts/{page}/", fields)["Location"] == "/accounts/me/"


def test_a_name_is_corrected_on_the_account_page_and_still_signs_in(redis_url):
    sign_up("olive.b")
    client = Client()
    client.post("/accounts/login/", {"login": "olive.b", "password": PASSWORD})
    assert client.post("/accounts/me/name/", {"name": " Olive  Brandt ", "idempotency_key": "k1"}).status_code == 302
    assert "<h1>Olive Brandt</h1>" in client.get("/accounts/me/").content.decode()
    entry = LedgerEntry.objects.get(act="account_renamed")
    assert {each.key: each.value for each in entry.personal_values.all()} == {
        "before": "olive.b",
        "name": "Olive Brandt",
    }
    assert Client().post("/accounts/login/", {"login": "olive.b", "password": PASSWORD}).status_code == 302
    assert Client().post("/accounts/login/", {"login": "Olive Brandt", "password": PASSWORD}).status_code == 200


@pytest.mark.parametrize("name", ["", "x" * 121, "Olive\u202eBrandt"])
def test_a_name_nobody_could_read_is_no_correction(name):
    client = signed_in("olive")
    assert client.post("/accounts/me/name/", {"name": name, "idempotency_key": "k1"}).status_code == 200
    assert (User.objects.get().name, LedgerEntry.objects.count()) == ("", 0)


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
        assert "sends no email" in answer.content.decode()
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
