"""Overlays of a stream: what they show of the feature table, and that none of it is secret at that moment."""

import re

import pytest

from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, score, staff, table
from tests.tournaments.web.visitors import browser
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, Role, Stage
from tournaments.results.services.reports import report_result
from tournaments.room.services.clocks import give_extra_time, start_clock
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages
from tournaments.web.screens.stream import TITLES

pytestmark = pytest.mark.django_db
ALL = ",".join(TITLES)


def page(tournament, query="", client=None):
    return (client or browser()).get(f"/e/{tournament.slug}/stream/?{query}")


def text_of(tournament, query="", client=None):
    return " ".join(page(tournament, query, client).content.decode().split())


def sides(text):
    """Name and, once there is a result, score of each seat."""
    found = re.findall(
        r'<p class="stream-name"><bdi translate="no">(.*?)</bdi></p>( <p class="stream-score">(.*?)<)?', text
    )
    return [(name, points) for name, _whole, points in found]


def names_at(round_, number):
    return [seat.entry.name for seat in table(round_, number).seats.order_by("order")]


def test_the_first_table_is_shown_unless_the_address_names_another():
    tournament = running(6)
    round_ = next_round(tournament)
    for query, number in (("", 1), ("table=", 1), ("table=2", 2), ("table=x", 1)):
        assert sides(text_of(tournament, query)) == [(name, "") for name in names_at(round_, number)]


def test_a_table_where_nobody_plays_shows_nothing():
    tournament = running(4)
    next_round(tournament)
    text = text_of(tournament, "table=9")
    assert "stream-side" not in text
    assert page(event(0)).status_code == 200


def test_score_and_lines_of_the_standings_come_with_the_result():
    tournament = running(4)
    report_all(next_round(tournament))
    text = text_of(tournament)
    assert [points for _name, points in sides(text)] == ["2", "0"]
    assert re.search(r'stream-line">Rank 1 · 3 ', text)
    assert text.count("stream-side is-winner") == 1


def test_tables_of_several_show_places():
    tournament = running(4, game="doomlings", best_of=1, score_sheets=False)
    report_all(next_round(tournament))
    assert sorted(points for _name, points in sides(text_of(tournament))) == ["1st", "2nd", "3rd", "4th"]


@pytest.mark.parametrize("part", TITLES)
def test_only_what_the_address_asks_for_is_shown(part):
    tournament = in_bracket()
    text = text_of(tournament, f"show={part}")
    marks = {
        "names": 'stream-name">',
        "standings": 'stream-name small">',
        "clock": "stream-clock",
        "bracket": "stream-bracket",
    }
    assert {name for name, sign in marks.items() if sign in text} == {part}


def in_bracket():
    tournament = event(4)
    set_stages(account("olive"), tournament, [StageDraft(Stage.Kind.SINGLE_ELIMINATION)], NOW)
    next_round(start_tournament(account("olive"), tournament, NOW))
    return tournament


def test_the_extra_time_of_the_table_counts_in_its_clock():
    tournament = running(4)
    round_ = next_round(tournament)
    start_clock(account("olive"), round_, NOW)
    give_extra_time(account("olive"), Match.objects.get(round=round_, table_number=2), 180, "a long ruling", NOW)
    assert "&quot;extra&quot;: 180" in text_of(tournament, "table=2")
    assert "&quot;extra&quot;: 180" not in text_of(tournament, "table=1")
    assert "a long ruling" not in text_of(tournament, "table=2")


def test_unpublished_rounds_and_waiting_reports_are_shown_to_nobody():
    tournament = running(4, players_report=True)
    staff(tournament, "juno", Role.Name.JUDGE)
    readers = (browser(), browser(account("olive")), browser(account("juno")))
    pair_next_round(account("olive"), tournament, NOW)
    for client in readers:
        assert not re.search("Ada|Ben|Cem|Dora", text_of(tournament, f"show={ALL}", client))


def test_a_report_shows_once_it_is_accepted():
    tournament = running(2)
    round_ = next_round(tournament)
    match = table(round_)
    report_result(account("ada"), match, score(2, 0), NOW, seat=match.seats.first())
    assert table(round_).state == Match.State.REPORTED
    for client in (browser(), browser(account("olive"))):
        assert [points for _name, points in sides(text_of(tournament, "", client))] == ["", ""]
    report_result(account("olive"), table(round_), score(2, 0), NOW)
    assert [points for _name, points in sides(text_of(tournament))] == ["2", "0"]


def test_a_private_event_is_streamed_by_its_staff_only():
    tournament = event(2, visibility="private")
    assert page(tournament).status_code == 404
    assert page(tournament, "", browser(account("olive"))).status_code == 200


def test_with_a_delay_the_page_holds_what_it_shows():
    tournament = running(2)
    next_round(tournament)
    text = text_of(tournament, "delay=30")
    assert 'data-delay="30"' in text
    assert '<template id="stream-now" data-live="">' in text
    assert 'data-delay="900"' in text_of(tournament, "delay=9000")
    assert "<template id" not in text_of(tournament, "delay=soon")


def test_staff_choose_the_feature_table_beside_the_screens():
    text = " ".join(browser().get(f"/e/{running(2).slug}/wall/").content.decode().split())
    form = text[text.index('id="on-stream"') :]
    assert all(f'name="{name}"' in form for name in ("show", "table", "delay", "theme"))
