"""Whole answers are compressed for callers that take it; streams are not, and 304 stays 304."""

import gzip

import pytest
from django.conf import settings
from django.http import StreamingHttpResponse
from django.test import Client, override_settings

from config.compression import CompressionMiddleware
from tests.tournaments.factories import next_round, running
from tests.tournaments.web.visitors import url

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
RULES = "/rules/doomtrooper/"
TAKES = {"accept-encoding": "br, gzip"}
WITHOUT = [name for name in settings.MIDDLEWARE if not name.startswith("config.compression.")]


@pytest.fixture
def pairings() -> str:
    tournament = running(20)
    next_round(tournament)
    return url(tournament, "pairings/")


def test_a_page_is_compressed_for_a_browser_that_takes_it():
    plain, packed = Client().get(RULES), Client().get(RULES, headers=TAKES)
    assert "Content-Encoding" not in plain.headers
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert len(packed.content) < len(plain.content) / 4
    assert b"Doomtrooper" in gzip.decompress(packed.content)
    with override_settings(MIDDLEWARE=WITHOUT):
        assert "Content-Encoding" not in Client().get(RULES, headers=TAKES).headers, "the control"


def test_a_page_that_did_not_change_is_304_also_compressed(pairings):
    first = Client().get(pairings, headers=TAKES)
    again = Client().get(pairings, headers=TAKES | {"x-live": "1", "if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_stream_is_not_compressed(rf):
    stream = StreamingHttpResponse(["data: changed\n\n"] * 100, content_type="text/event-stream")
    answer = CompressionMiddleware(lambda request: stream)(rf.get("/", headers=TAKES))
    assert "Content-Encoding" not in answer.headers
