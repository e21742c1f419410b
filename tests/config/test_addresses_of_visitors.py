"""Limits count the address that a request came from, not the one that its sender writes into a header."""

import pytest
from django.test import Client
from rest_framework.throttling import AnonRateThrottle

from scoring.sheets.web.standalone import OpeningThrottle

pytestmark = pytest.mark.django_db
FORGED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_REAL_IP", "HTTP_FORWARDED", "HTTP_CLIENT_IP")
START = "/scores/doomlings/"
SHEET = {
    "names": "Ada\nBen", "ties": "shared", "check_limits": "on", "prosperous_world": "none", "second_dominant": "added",
}  # fmt: skip


def tries(count: int) -> list[int]:
    """The answers to so many openings of a sheet, each with another forged address in every header."""
    answers = []
    for number in range(count):
        headers = dict.fromkeys(FORGED, f"203.0.113.{number}")
        answers.append(Client().post(START, SHEET, **headers).status_code)
    return answers


@pytest.fixture(autouse=True)
def low(monkeypatch) -> None:
    monkeypatch.setattr(OpeningThrottle, "rate", "2/hour")


def test_forged_addresses_do_not_open_more_sheets():
    assert tries(4) == [302, 302, 429, 429]


def test_forged_addresses_do_not_ask_the_api_more_often(monkeypatch):
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": "2/min", "user": "2/min"})
    asked = [Client().get("/api/v1/events/", HTTP_X_FORWARDED_FOR=f"203.0.113.{number}") for number in range(4)]
    assert [answer.status_code for answer in asked] == [200, 200, 429, 429]


def test_with_headers_believed_they_would(settings):
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": None}
    assert tries(4) == [302, 302, 302, 302]


def test_visitors_from_different_addresses_are_counted_apart():
    assert tries(3)[-1] == 429
    assert Client().post(START, SHEET, REMOTE_ADDR="198.51.100.7").status_code == 302
