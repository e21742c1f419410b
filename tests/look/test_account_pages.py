"""Every page about accounts wears our look, also those whose text comes from allauth."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

pytestmark = pytest.mark.django_db
VISITOR_PAGES = [
    "login/",
    "signup/",
    "inactive/",
    "password/reset/",
    "password/reset/done/",
    "password/reset/key/1-bad/",
    "password/reset/key/done/",
    "confirm-email/",
    "confirm-email/unknown/",
]
SHOW_PASSWORDS = ("login/", "signup/", "password/reset/key/1-bad/")
OWNER_PAGES = ["me/", "email/", "password/change/", "logout/", "reauthenticate/", "2fa/"]


@pytest.fixture
def olive(client: Client) -> Client:
    client.force_login(get_user_model().objects.create_user("olive", "olive@example.org", "correct-horse-1"))
    return client


def wears_our_look(html: str) -> bool:
    return all(
        part in html for part in ('class="bar"', 'class="mark"', '<main id="main"', "base.css", "· Doomdesk</title>")
    )


@pytest.mark.parametrize("page", VISITOR_PAGES)
def test_page_of_a_visitor_wears_our_look(client: Client, page: str) -> None:
    answer = client.get(f"/accounts/{page}")
    assert answer.status_code == 200
    html = answer.content.decode()
    assert wears_our_look(html)
    assert re.findall(r"<script[^>]*/(\w+)[^>]*>", html) == (["password"] if page in SHOW_PASSWORDS else [])


@pytest.mark.parametrize("page", OWNER_PAGES)
def test_page_of_an_account_wears_our_look_and_its_tabs(olive: Client, page: str) -> None:
    html = olive.get(f"/accounts/{page}").content.decode()
    assert wears_our_look(html)
    assert re.findall(r"<script[^>]*/(\w+)[^>]*>", html) == (["password"] if page == "password/change/" else [])
    assert ('class="tabs"' in html) == (page != "reauthenticate/")


def test_bar_names_the_account_and_signs_out_by_a_form(olive: Client) -> None:
    html = olive.get("/accounts/email/").content.decode()
    assert '<span class="who">olive</span>' in html
    assert '<form method="post" action="/accounts/logout/">' in html


def test_refused_sign_in_says_so_in_an_alert(client: Client) -> None:
    html = client.post("/accounts/login/", {"login": "olive", "password": "wrong"}).content.decode()
    assert '<div class="notice wrong" role="alert">' in html


def test_forgotten_password_without_mail_leads_to_an_organiser(client: Client) -> None:
    html = client.get("/accounts/password/reset/").content.decode()
    assert "This server sends no email." in html
    assert "<form" not in html.replace('<form class="languages"', "")


def test_optional_mail_address_says_so_once(client: Client) -> None:
    html = client.get("/accounts/signup/").content.decode()
    assert html.count("(optional)") == 1
