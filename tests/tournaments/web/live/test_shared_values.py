"""What many pages of players share, the ranks, may be a moment behind: the page says so, and the own match never is."""

import re
from datetime import datetime

import pytest

from journal.clock import database_now
from tests.tournaments.factories import NOW, account, name_of, next_round, running, score
from tests.tournaments.web.visitors import guest, url
from tournaments.core.rounds import matches_of
from tournaments.results.services.reports import report_result
from tournaments.web.live.page_cache import forget_pages

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
AS_OF = re.compile(r'data-age>.*?<time datetime="([^"]+)"', re.DOTALL)
RANK = re.compile(r"<small[^>]*>\s*(\d+) points? ·")


@pytest.fixture
def room(settings):
    """A round being played; lists are shown for a while before they are built again."""
    forget_pages()
    settings.PAGE_HOLD_SECONDS = 3.0
    tournament = running(4)
    matches = sorted(matches_of(next_round(tournament)), key=lambda match: match.table_number)
    own = next(match for match in matches if match.seats.filter(entry__name=name_of(0)).exists())
    yield tournament, own, next(match for match in matches if match != own)
    forget_pages()


def look(client, tournament) -> tuple[str, str | None]:
    """The page of the own match, and when it wants to be asked again."""
    answer = client.get(url(tournament, "my/"))
    assert answer.status_code == 200
    return answer.content.decode(), answer.headers.get("Retry-After")


def test_a_page_with_older_ranks_says_how_old_it_is(room):
    tournament, _own, other = room
    ada = guest(tournament, name_of(0))
    assert look(ada, tournament)[1] is None
    before = database_now()
    report_result(account("olive"), other, score(2, 0), NOW)
    html, again = look(ada, tournament)
    assert again == "1"
    assert datetime.fromisoformat(AS_OF.search(html)[1]) <= before


def test_the_own_match_is_as_it_is_now(room):
    tournament, own, _other = room
    ada = guest(tournament, name_of(0))
    assert 'data-phase="report"' in look(ada, tournament)[0]
    report_result(account("olive"), own, score(2, 0), NOW)
    html, _again = look(ada, tournament)
    assert 'data-phase="done"' in html
    assert set(RANK.findall(html)) == {"0"}, "the ranks are those from before"


def test_without_holding_ranks_are_the_newest(room, settings):
    """The control."""
    settings.PAGE_HOLD_SECONDS = 0
    tournament, own, _other = room
    ada = guest(tournament, name_of(0))
    look(ada, tournament)
    report_result(account("olive"), own, score(2, 0), NOW)
    html, again = look(ada, tournament)
    assert "0" in RANK.findall(html)
    assert len(set(RANK.findall(html))) == 2
    assert again is None
