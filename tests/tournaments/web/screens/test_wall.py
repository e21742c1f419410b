"""The screens in the room: what stands on them, for whom, and at what price."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.factories import NOW, account, event, next_round, report_all, running
from tests.tournaments.web.visitors import browser
from tournaments.models import Announcement, Entry, Match
from tournaments.room.services.announcements import post_announcement
from tournaments.room.services.clocks import give_extra_time, start_clock
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.web.screens.rows import TITLES

pytestmark = pytest.mark.django_db
ALL = ",".join(TITLES)


def page(tournament, address="", client=None):
    return (client or browser()).get(f"/e/{tournament.slug}/wall/{address}")


def rows(answer, kind):
    """Lead, text and tail of each row of a screen."""
    text = answer.content.decode()
    section = text[text.index(f'id="screen-{kind}"') :].split("</section>")[0]
    return re.findall(r"<i>(.*?)</i>\s*<span>\s*(.*?)\s*</span>\s*(?:<b>(.*?)</b>)?\s*</li>", " ".join(section.split()))


def test_pairings_name_everybody_once_and_say_who_has_a_bye():
    tournament = running(5)
    next_round(tournament)
    found = rows(page(tournament, "pairings/"), "pairings")
    assert [name for _letter, name, _table in found] == ["Ada", "Ben", "Cem", "Dora", "Emil"]
    assert [letter for letter, _name, _table in found] == ["A", "B", "C", "D", "E"]
    assert sorted(table for _letter, _name, table in found) == ["1", "1", "2", "2", "bye"]


def test_tables_show_who_plays_whom_and_the_result():
    tournament = running(4)
    report_all(next_round(tournament))
    found = rows(page(tournament, "tables/"), "tables")
    assert [(table, result) for table, _names, result in found] == [("1", "2–0"), ("2", "2–0")]
    assert all(" – " in names for _table, names, _result in found)


def test_a_bye_does_not_count_in_the_range_of_tables():
    tournament = running(5)
    next_round(tournament)
    html = page(tournament, "tables/").content.decode()
    assert re.findall(r'data-key="([^"]*)"', html) == ["1", "2", ""]


def test_a_table_of_several_names_all_of_them():
    tournament = running(8, game="doomlings")
    next_round(tournament)
    assert [names.count(" – ") for _table, names, _result in rows(page(tournament, "tables/"), "tables")] == [3, 3]


def test_standings_stand_by_rank_with_points():
    tournament = running(4)
    report_all(next_round(tournament))
    found = rows(page(tournament, "standings/"), "standings")
    assert [rank for rank, _name, _points in found][:1] == ["1"]
    assert sorted(points for _rank, _name, points in found) == ["0", "0", "3", "3"]


def test_nothing_unpublished_stands_on_any_screen():
    tournament = running(4)
    pair_next_round(account("olive"), tournament, NOW)
    for client in (browser(), browser(account("olive"))):
        text = page(tournament, f"?show={ALL}", client).content.decode()
        assert not re.search("Ada|Ben|Cem|Dora", text)


@pytest.mark.parametrize("kind", TITLES)
def test_every_screen_opens_for_an_event_of_nobody(kind):
    assert page(event(0), f"{kind}/").status_code == 200


def test_a_private_wall_is_there_for_its_staff_alone():
    tournament = event(2, visibility="private")
    answers = [
        page(tournament, f"?show={ALL}", client).status_code for client in (browser(), browser(account("mallory")))
    ]
    assert answers == [404, 404]
    assert page(tournament, f"?show={ALL}", browser(account("olive"))).status_code == 200


def test_without_a_choice_the_page_offers_one():
    text = page(running(2)).content.decode().split('id="on-stream"')[0]
    assert text.count('name="show"') == len(TITLES)


@pytest.mark.parametrize(
    ("query", "kinds", "seconds"),
    [
        ("show=clock,pairings&seconds=20", ["clock", "pairings"], "20"),
        ("show=clock&show=pairings&show=clock&seconds=0", ["clock", "pairings"], "5"),
        ("show=nonsense,tables&seconds=9999", ["tables"], "120"),
        ("show=tables&seconds=soon", ["tables"], "12"),
    ],
)
def test_the_address_says_what_is_shown(query, kinds, seconds):
    text = page(running(2), f"?{query}").content.decode()
    assert re.findall(r'data-kind="(\w+)"', text) == kinds
    assert re.findall(r'data-seconds="(\d+)"', text) == [seconds]


def test_screens_are_dark_unless_light_is_asked_for():
    tournament = running(2)
    assert "on-wall dark" in page(tournament, "pairings/").content.decode()
    assert "on-wall dark" not in page(tournament, "pairings/?theme=light").content.decode()


def test_announcements_stand_on_every_screen_the_urgent_ones_marked():
    tournament = running(2)
    post_announcement(account("olive"), tournament, "Pizza <is> here", NOW)
    post_announcement(account("olive"), tournament, "Leave the hall", NOW, is_urgent=True)
    text = page(tournament, "standings/").content.decode()
    assert "Pizza &lt;is&gt; here" in text
    assert re.search(r'class="urgent"[^>]*>\s*<span class="state wrong">urgent</span>\s+<b>Leave the hall', text)
    assert Announcement.objects.count() == 2


def test_tables_with_extra_time_stand_beside_the_clock():
    tournament = running(4)
    round_ = next_round(tournament)
    start_clock(account("olive"), round_, NOW)
    give_extra_time(account("olive"), Match.objects.get(round=round_, table_number=2), 180, "a long ruling", NOW)
    text = page(tournament, "clock/").content.decode()
    assert "Table 2 <b>+3:00</b>" in text
    assert "a long ruling" not in text


def test_without_scripts_the_pages_follow_each_other():
    tournament = running(45)
    next_round(tournament)
    found, at = [], f"/e/{tournament.slug}/wall/?show=pairings&plain=1"
    for _page in range(3):
        text = browser().get(at).content.decode()
        found += re.findall(r"</i>\s*<span>\s*(.*?)\s*</span>", text)
        at = f"/e/{tournament.slug}/wall/" + re.search(r'refresh" content="12;url=([^"]*)"', text)[1].replace(
            "&amp;", "&"
        )
    assert sorted(found) == sorted(Entry.objects.values_list("name", flat=True))
    assert "at=1" in at


def test_without_scripts_a_page_has_as_many_rows_as_fit_beside_news_and_long_names():
    tournament = running(45)
    next_round(tournament)

    def rows(kind):
        return page(tournament, f"{kind}/?plain=1").content.decode().count("<li>")

    assert (rows("pairings"), rows("tables"), rows("standings")) == (22, 11, 22)
    Entry.objects.update(name="A Player of a Very Long Name, the Second")
    post_announcement(account("olive"), tournament, "Pizza is here", NOW)
    assert (rows("pairings"), rows("tables")) == (6, 4)


def test_screens_take_as_many_queries_for_many_players():
    counts = []
    for players in (6, 40):
        tournament = running(players)
        next_round(tournament)
        page(tournament, f"?show={ALL}")  # a process asks once where the event's parts stand
        cache.clear()
        with CaptureQueriesContext(connection) as caught:
            assert page(tournament, f"?show={ALL}").status_code == 200
        counts.append(len(caught))
    assert counts[0] == counts[1] <= 40
