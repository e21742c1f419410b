"""Long papers are sent while they are rendered: the same text as at once, in pieces, without a question on the way."""

import gzip
import re
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.http import StreamingHttpResponse
from django.template import Context, Template
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from tests.tournaments.factories import account, next_round, running
from tests.tournaments.web.visitors import browser, url
from tournaments.models import Entry, Tournament
from tournaments.web.live import streamed
from tournaments.web.live.marks import MARK
from tournaments.web.live.streamed import LOOPS, ROUNDS_AT_ONCE

pytestmark = pytest.mark.django_db
ROUND = "{{ forloop.counter }} {{ forloop.counter0 }} {{ forloop.first }} {{ forloop.last }} {{ row }} {{ also }}; "
PAPERS = ("print/pairings/", "print/slips/", "print/standings/", "print/packet/")


@pytest.fixture
def held() -> Tournament:
    """So many players that each list comes in several pieces."""
    tournament = running(2 * ROUNDS_AT_ONCE + 6)
    next_round(tournament)
    return tournament


def asked(held: Tournament, path: str, **headers: str) -> StreamingHttpResponse:
    answer = browser(account("olive")).get(url(held, path), headers=headers)
    assert answer.status_code == 200
    assert answer.streaming
    return answer


@pytest.mark.parametrize("rows", [0, 1, ROUNDS_AT_ONCE, 2 * ROUNDS_AT_ONCE + 1])
def test_a_loop_left_for_later_says_what_a_plain_one_says(rows):
    values = {"rows": [f"<{number}>" for number in range(rows)], "also": "&"}
    plain = Template(f"{{% for row in rows %}}{ROUND}{{% endfor %}}").render(Context(values))
    template = Template(f"{{% streamed row in rows %}}{ROUND}{{% endstreamed %}}")
    assert template.render(Context(values)) == plain
    loops: dict[str, streamed.Loop] = {}
    page = template.render(Context({**values, LOOPS: loops}))
    assert MARK in page
    pieces = list(loops["0"].pieces())
    assert "".join(pieces) == plain
    assert len(pieces) == -(-rows // ROUNDS_AT_ONCE)


@pytest.mark.parametrize("path", PAPERS)
def test_papers_come_in_pieces_that_ask_nothing(held, path):
    answer = asked(held, path)
    with CaptureQueriesContext(connection) as queries:
        pieces = list(answer.streaming_content)
    assert not queries.captured_queries
    assert len(pieces) >= 4
    html = b"".join(pieces).decode()
    assert MARK not in html
    assert html.rstrip().endswith("</html>")


@pytest.mark.parametrize("path", PAPERS)
def test_a_piece_is_made_when_it_is_wanted_in_the_language_of_its_page(held, path, monkeypatch):
    """Whatever the thread speaks by then."""
    made = []
    pieces_of = streamed.Loop.pieces

    def noted(loop):
        for piece in pieces_of(loop):
            made.append((translation.get_language(), piece))
            yield piece

    monkeypatch.setattr(streamed.Loop, "pieces", noted)
    answer = asked(held, path, accept_language="de")
    assert made == []
    with translation.override("fr"):
        html = b"".join(answer.streaming_content).decode()
        assert translation.get_language() == "fr"
    assert {language for language, _piece in made} == {"de"}
    assert '<html lang="de"' in html


def test_a_loop_that_asks_the_database_is_refused(held):
    content = Template("{{ entry.tournament.name }}").nodelist
    loop = streamed.Loop(content, "entry", list(Entry.objects.all()), Context())
    loop._context.template = Template("")
    pieces = streamed._pieces(streamed.mark("loop", "0"), {"0": loop}, "en", ZoneInfo("UTC"))
    with pytest.raises(AssertionError, match="asks the database"):
        list(pieces)


def test_papers_are_compressed_piece_by_piece(held):
    plain = list(asked(held, "print/slips/").streaming_content)
    packed = list(asked(held, "print/slips/", accept_encoding="gzip").streaming_content)
    html = re.compile(rb"<h2>[^<]*</h2>")
    assert html.findall(gzip.decompress(b"".join(packed))) == html.findall(b"".join(plain))
    assert len(packed) == len(plain) + 1, "the end of the file comes after the last piece"
    assert all(packed[:-1])
    assert sum(map(len, packed)) < sum(map(len, plain)) / 4
