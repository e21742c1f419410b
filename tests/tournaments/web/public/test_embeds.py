"""Frames for other sites: public events alone, the same for everybody, framed by anybody while nothing else is."""

import re

import pytest
from django.test import Client

from tests.queries import count_queries
from tests.routes import walk_routes
from tests.tournaments.factories import event, next_round, report_all, running
from tests.tournaments.web.organiser.test_organiser import browser
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
KINDS = ("standings", "pairings", "bracket", "clock")


def address(tournament: Tournament, kind: str) -> str:
    return f"/e/{tournament.slug}/embed/{kind}/"


@pytest.fixture(scope="module")
def played(shared_db: None) -> Tournament:
    """Four players after one round of a public event."""
    tournament = running(4)
    report_all(next_round(tournament))
    return tournament


def quiet(html: str) -> str:
    """Without the clock."""
    return re.sub(r"\d{1,2}:\d{2}(:\d{2})?|data-clock-is=\"[^\"]*\"|datetime=\"[^\"]*\"", "", html)


@pytest.mark.parametrize("kind", KINDS)
def test_frame_is_the_same_for_everybody_and_uses_no_session(played: Tournament, kind: str) -> None:
    answers = [client.get(address(played, kind)) for client in (Client(), browser("olive"), browser("mallory"))]
    assert {answer.status_code for answer in answers} == {200}
    assert len({quiet(answer.content.decode()) for answer in answers}) == 1
    assert not any(answer.cookies for answer in answers)


@pytest.mark.parametrize("kind", KINDS)
def test_frame_holds_no_form_and_its_links_leave_it(played: Tournament, kind: str) -> None:
    page = Client().get(address(played, kind)).content.decode()
    assert not re.search(r"<form|<input|<button|csrf| style=|<script(?! type=\"module\" src=)", page)
    links = re.findall(r"<a [^>]*>", page)
    assert links
    assert all('target="_blank"' in link and 'rel="noopener"' in link for link in links)


@pytest.mark.parametrize("kind", KINDS)
def test_frame_may_stand_in_any_site(played: Tournament, kind: str) -> None:
    answer = Client().get(address(played, kind))
    assert "X-Frame-Options" not in answer.headers
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    assert Client().get("/").headers["X-Frame-Options"] == "DENY"


def test_nothing_else_may_be_framed(played: Tournament) -> None:
    olive = browser("olive")
    for route in walk_routes():
        path = f"/{route.path}".replace("<slug:slug>", played.slug)
        if "<" in path or "(" in path or path.startswith(("/admin", f"/e/{played.slug}/live")):
            continue
        answer = olive.options(path)
        if not route.name.startswith("embed_"):
            assert answer.headers.get("X-Frame-Options") == "DENY", path
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], path


@pytest.mark.parametrize("hidden", [{"visibility": "private"}, {"visibility": "unlisted"}, {"state": "draft"}])
@pytest.mark.parametrize("kind", KINDS)
def test_hidden_event_is_framed_for_nobody(played: Tournament, kind: str, hidden: dict[str, str]) -> None:
    Tournament.objects.filter(pk=played.pk).update(**hidden)
    for client in (Client(), browser("olive")):
        assert client.get(address(played, kind)).status_code == 404
        assert Client().get(f"/e/no-such-event-2222222222222222/embed/{kind}/").status_code == 404


def test_theme_follows_the_address(played: Tournament) -> None:
    for theme, mark in (("dark", "theme-dark"), ("light", "theme-light"), ('"><b>', None), ("", None)):
        page = Client().get(address(played, "standings"), {"theme": theme}).content.decode()
        assert ("theme-" in page.partition("<body")[0]) == bool(mark)
        assert mark is None or mark in page


def test_unpublished_round_is_in_no_frame() -> None:
    tournament = running(4)
    browser("olive").post(f"/e/{tournament.slug}/manage/rounds/pair/", {"after": "0"})
    for kind in KINDS:
        assert "Ada" not in Client().get(address(tournament, kind)).content.decode()


def test_standings_say_whether_the_round_is_being_played(played: Tournament) -> None:
    def told() -> str:
        return Client().get(address(played, "standings")).content.decode()

    assert "Standings after round 1" in told()
    next_round(played)
    assert "Standings during round 2" in told()


@pytest.mark.parametrize("kind", KINDS)
def test_queries_do_not_grow_with_the_field(kind: str) -> None:
    counts = []
    for players in (6, 40):
        tournament = running(players)
        report_all(next_round(tournament))
        Client().get(address(tournament, kind))
        counts.append(count_queries(Client().get, address(tournament, kind)))
    assert counts[0] == counts[1] <= 25


def test_staff_copy_the_lines_and_see_the_frames() -> None:
    tournament = event(2)
    page = browser("olive").get(f"/e/{tournament.slug}/embed/").content.decode()
    for kind in KINDS:
        assert f"&lt;iframe src=&quot;http://testserver{address(tournament, kind)}" in page.replace('"', "&quot;")
        assert f'src="{address(tournament, kind)}"' in page
    assert browser("mallory").get(f"/e/{tournament.slug}/embed/").status_code == 403
