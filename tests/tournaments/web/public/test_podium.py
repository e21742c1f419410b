"""Who won: on the event's page and as a picture, once the event is over and not before."""

from xml.etree import ElementTree

import pytest
from django.test import Client

from tests.tournaments.factories import NOW, account, next_round, report_all, running
from tests.tournaments.structure.test_structure import SINGLE, held, play_stage
from tests.tournaments.web.visitors import text_of
from tournaments.events.services.events import finish_tournament
from tournaments.models import Entry, Tournament
from tournaments.standings.selectors.standings import standing_rows

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"


def picture(tournament: Tournament) -> tuple[int, str]:
    answer = Client().get(f"/e/{tournament.slug}/podium.svg")
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 2), (4, 2), (6, 3)])
def test_the_picture_shows_ranks_one_to_three(players: int, rounds: int) -> None:
    tournament = running(players, swiss_rounds=rounds)
    for _each in range(rounds):
        report_all(next_round(tournament), 2, 0)
    finish_tournament(account("olive"), tournament, NOW)
    ranks = [row.standing.rank for row in standing_rows(tournament) if row.standing.rank <= 3]
    drawn = ElementTree.fromstring(picture(tournament)[1])
    assert [int(each.text) for each in drawn.iter(f"{SVG}text") if each.get("font-weight") == "800"] == ranks


def test_nobody_stands_on_a_podium_that_is_too_full() -> None:
    tournament = running(10, swiss_rounds=1)
    report_all(next_round(tournament), 2, 0)
    finish_tournament(account("olive"), tournament, NOW)
    assert picture(tournament)[0] == 404
    assert "podium.svg" not in Client().get(f"/e/{tournament.slug}/").content.decode()


def test_an_event_without_a_round_has_no_winners() -> None:
    tournament = finish_tournament(account("olive"), running(3), NOW, early="The hall is flooded.")
    assert picture(tournament)[0] == 404
    assert "First place" not in Client().get(f"/e/{tournament.slug}/").content.decode()


def test_the_picture_comes_with_the_end_and_cuts_long_names() -> None:
    tournament = running(5, swiss_rounds=1)
    Entry.objects.filter(tournament=tournament, name="Ada").update(name="A <b>bold</b> & \x07 " + "very long name " * 6)
    report_all(next_round(tournament), 2, 0)
    assert picture(tournament)[0] == 404
    finish_tournament(account("olive"), tournament, NOW)
    status, text = picture(tournament)
    assert status == 200
    assert ElementTree.fromstring(text).get("width") == "1200"
    assert "<b>" not in text
    assert "…" in text
    page = text_of(Client().get(f"/e/{tournament.slug}/").content.decode())
    assert "First place is shared" in page
    assert "Picture to share" in page
    assert "bold" in page


@pytest.mark.parametrize(("name", "most"), [("ALEXANDER SCHMIDT", 12), ("王" * 20, 9), ("alexander schmidt", 17)])
def test_wide_letters_reach_into_no_other_name(name: str, most: int) -> None:
    tournament = running(2, swiss_rounds=1)
    Entry.objects.filter(tournament=tournament, name="Ada").update(name=name)
    report_all(next_round(tournament), 2, 0)
    finish_tournament(account("olive"), tournament, NOW)
    texts = ElementTree.fromstring(picture(tournament)[1]).iter(f"{SVG}text")
    lines = [each.text or "" for each in texts if each.get("font-size") == "34" and each.text != "Ben"]
    assert " ".join(lines).replace(" ", "") == name.replace(" ", "")
    assert max(map(len, lines)) <= most


def test_a_champion_of_an_elimination_has_no_record() -> None:
    """Matches of a bracket bring no points and no record: 0–0–0 would be wrong."""
    tournament = held(4, SINGLE)
    play_stage(tournament)
    finish_tournament(account("olive"), tournament, NOW)
    assert "0–0–0" not in picture(tournament)[1]
    for page in ("", "standings/", "player/1/", "embed/standings/"):
        answer = Client().get(f"/e/{tournament.slug}/{page}")
        assert (answer.status_code, "0–0–0" in answer.content.decode()) == (200, False)


def test_a_private_event_has_no_picture_for_strangers() -> None:
    tournament = running(2, swiss_rounds=1, visibility="private")
    report_all(next_round(tournament), 2, 0)
    finish_tournament(account("olive"), tournament, NOW)
    assert picture(tournament)[0] == 404
