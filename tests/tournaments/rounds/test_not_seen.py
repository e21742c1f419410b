"""Who is asked about before the next round is paired, on the page and over the API; nothing happens by itself."""

import pytest

from journal.models import LedgerEntry
from rules_engine.errors import Conflict
from scoring.standings.results import MatchResult, ResultKind
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, next_round, report_all, running, score, staff, table
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tests.tournaments.web.visitors import text_of
from tournaments.entries.services.attendance import drop_entry, note_seen, return_entry
from tournaments.models import Entry, ResultReport, Role
from tournaments.results.services.reports import report_result
from tournaments.room.services.calls import call_judge
from tournaments.rounds.selectors.not_seen import not_seen

pytestmark = pytest.mark.django_db


def names(tournament):
    return [(each.entry.name, each.since) for each in not_seen(tournament)]


@pytest.fixture
def held():
    """Five players: in round 1 one of them has a bye."""
    return running(5, swiss_rounds=4)


def with_bye(round_):
    return round_.matches.get(kind="bye").seats.get().entry


def test_a_bye_shows_nothing_and_an_act_of_the_player_does(held):
    round_ = next_round(held)
    assert names(held) == []
    report_all(round_)
    alone = with_bye(round_)
    assert names(held) == [(alone.name, 0)]
    match = table(round_)
    player = match.seats.first().entry
    note_seen(account("olive"), alone, NOW)
    assert names(held) == []
    assert player.name not in dict(names(held))


def test_since_names_the_last_round_with_a_result(held):
    report_all(next_round(held))
    second = next_round(held, seed=3)
    report_all(second)
    assert names(held) == [(with_bye(second).name, 1)]


def test_a_no_show_is_asked_about_and_the_one_who_came_is_not(held):
    round_ = next_round(held)
    match = table(round_)
    came, missing = (seat.entry for seat in match.seats.order_by("order"))
    report_result(account("olive"), match, MatchResult(ResultKind.NO_SHOW, (2, 0), absent=(1,)), NOW)
    report_result(account("olive"), table(round_, 2), score(2, 0), NOW)
    assert set(names(held)) == {(missing.name, 0), (with_bye(round_).name, 0)}
    assert came.name not in dict(names(held))


def test_who_left_or_came_back_is_not_asked_about(held):
    round_ = next_round(held)
    report_all(round_)
    alone = with_bye(round_)
    drop_entry(account("olive"), alone, NOW)
    assert names(held) == []
    return_entry(account("olive"), Entry.objects.get(pk=alone.pk), NOW)
    assert names(held) == []


def test_pairing_pages_ask_and_one_press_answers(held):
    round_ = next_round(held)
    report_all(round_)
    alone = with_bye(round_)
    staff(held, "kit", Role.Name.SCOREKEEPER)
    for page in ("", "rounds/"):
        text = text_of(browser("kit").get(manage(held, page)).content.decode())
        assert "Still here?" in text
        assert "Not seen since the start." in text
    answer = browser("kit").post(manage(held, f"entries/{alone.number}/seen/"), follow=True)
    assert "Still here?" not in text_of(answer.content.decode())
    assert LedgerEntry.objects.get(act="entry.seen").subjects == {"entry": alone.number}
    assert Entry.objects.filter(tournament=held, state="registered").count() == 5


def test_api_lists_and_answers(held):
    round_ = next_round(held)
    report_all(round_)
    alone, path = with_bye(round_), f"/api/v1/events/{held.slug}/"
    found = caller("olive").get(f"{path}not-seen/").json()["results"]
    assert found == [{"entry": alone.number, "name": alone.name, "since": 0}]
    assert caller("olive").post(f"{path}entries/{alone.number}/seen/").status_code == 200
    assert caller("olive").get(f"{path}not-seen/").json()["results"] == []
    drop_entry(account("olive"), alone, NOW)
    with pytest.raises(Conflict):
        note_seen(account("olive"), alone, NOW)


def test_questions_to_the_database_do_not_grow(held, django_assert_max_num_queries):
    report_all(next_round(held))
    with django_assert_max_num_queries(10):
        not_seen(held)
    large = running(31, swiss_rounds=4)
    round_ = next_round(large)
    for match in round_.matches.exclude(kind="bye"):
        report_result(account("olive"), match, MatchResult(ResultKind.NO_SHOW, (2, 0), absent=(1,)), NOW)
    with django_assert_max_num_queries(10):
        assert len(not_seen(large)) == 16


def test_no_shows_over_the_api():
    held = running(4, no_show_game_minutes=5, no_show_match_minutes=10, round_minutes=0)
    match, path = table(next_round(held)), f"/api/v1/events/{held.slug}/no-shows/"
    assert caller("olive").get(path).json()["results"] == []
    call_judge(account("olive"), match, "missing", "", NOW)
    (found,) = caller("olive").get(path).json()["results"]
    assert (found["match"], found["table"], found["due"]) == (match.pk, 1, "match_loss")
    assert found["absent"] == [seat.entry.number for seat in match.seats.order_by("order")]
    assert not ResultReport.objects.exists()
