"""Judges' pages: who gets them, what the map says, and every act by as few presses as promised."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.identity.services import person_of
from accounts.models import Person
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.models import LedgerEntry
from tests.tournaments.factories import (
    NOW,
    account,
    afresh,
    entry,
    event,
    next_round,
    report_all,
    running,
    score,
    staff,
    table,
)
from tests.tournaments.web.organiser.test_organiser import browser, text_of
from tournaments.decks.services.decks import replace_deck
from tournaments.management.demo import sample_decklist
from tournaments.models import JudgeCall, Match, Penalty, Role, Tournament
from tournaments.results.services.reports import report_result
from tournaments.room.services.calls import call_judge, claim_call
from tournaments.room.services.clocks import give_extra_time

pytestmark = pytest.mark.django_db
WHO = {"olive": "o", "juno": "j", "kit": "k", "mallory": "m", "": "a"}


@pytest.fixture(scope="module")
def stored_room(shared_db) -> Tournament:
    """Round 1 of four players, with a judge and a scorekeeper."""
    tournament = running(4)
    staff(tournament, "juno", Role.Name.JUDGE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    next_round(tournament)
    return tournament


@pytest.fixture
def room(stored_room, db) -> Tournament:
    return afresh(stored_room)


@pytest.fixture
def decks(room: Tournament) -> None:
    """Everybody at the first table has a deck."""
    load_catalogues(NOW)
    for seat in match_of(room).seats.all():
        replace_deck(account("juno"), seat.member, "Deck", sample_decklist(copies=3), "came late", NOW)


@pytest.fixture
def juno(room: Tournament) -> Client:
    return browser("juno")


def match_of(tournament: Tournament, number: int = 1) -> Match:
    return table(tournament.stages.get().rounds.get(number=1), number)


def floor(tournament: Tournament, page: str = "") -> str:
    return f"/e/{tournament.slug}/floor/{page}"


def table_page(match: Match, page: str = "") -> str:
    event = f"/e/{match.round.stage.tournament.slug}/"
    return event + (f"floor/table/{match.pk}/{page}" if page else f"match/{match.pk}/?from=floor")


def called(match: Match, note: str = "") -> JudgeCall:
    return call_judge(account("olive"), match, "rules", note, NOW)


def play(name: str, match: Match, order: int = 1) -> None:
    """Somebody signed in sits at a table."""
    seat, person = match.seats.get(order=order), person_of(account(name).user, NOW)
    Person.objects.filter(pk=person.pk).update(user=None)
    Person.objects.filter(pk=seat.member.person_id).update(user=account(name).user)


def test_pages_are_for_whom_the_matrix_names(room):
    match = match_of(room)
    call, number = called(match), match.seats.first().entry.number
    pages = {
        "": "oj", "calls/": "oj", f"table/{match.pk}/penalty/{number}/": "j",
    }  # fmt: skip
    presses = {
        f"calls/{call.pk}/claim/": "oj", f"table/{match.pk}/decks/": "j",
        f"table/{match.pk}/penalty/{number}/": "j",
    }  # fmt: skip
    for name, letter in WHO.items():
        client = browser(name) if name else Client()
        denied = (403,) if name else (302, 401, 403)
        for method, rows in (("get", pages), ("post", presses)):
            for page, allowed in rows.items():
                status = getattr(client, method)(floor(room, page)).status_code
                assert (status not in denied or (letter in allowed and status == 302)) == (letter in allowed), (
                    name, method, page, status,
                )  # fmt: skip


def test_tables_and_calls_of_another_event_are_not_found(juno, room):
    other = running(4, name="Another cup")
    foreign = table(next_round(other))
    call = called(foreign)
    assert juno.post(floor(room, f"table/{foreign.pk}/decks/")).status_code == 404
    assert juno.post(floor(room, f"calls/{call.pk}/claim/")).status_code == 404
    stranger = entry(other, "Ada").number + 50
    assert juno.get(table_page(match_of(room), f"penalty/{stranger}/")).status_code == 404


def test_map_costs_as_many_queries_for_many_tables():
    found = []
    for players in (4, 40):
        tournament = running(players, name=f"Cup {players}")
        staff(tournament, "juno", Role.Name.JUDGE)
        round_ = next_round(tournament)
        for match in round_.matches.all()[: players // 4]:
            called(match)
        client = browser("juno")
        for page in ("", "calls/"):
            client.get(floor(tournament, page))
            with CaptureQueriesContext(connection) as queries:
                assert client.get(floor(tournament, page)).status_code == 200
            found.append((page, len(queries)))
    assert found[:2] == found[2:]


def test_filters_show_what_they_name(juno, room):
    first, second = match_of(room), match_of(room, 2)
    report_result(account("olive"), first, score(2, 0), NOW)
    give_extra_time(account("olive"), second, 180, "Deck check", NOW)
    called(second)
    for show, numbers in {"": (1, 2), "missing": (2,), "calls": (2,), "extra": (2,), "conflicts": ()}.items():
        tiles = juno.get(floor(room, f"?show={show}")).context["tiles"]
        shown = [int(number) for tile in tiles for number in re.findall(r"(\d+)</b>", tile)]
        assert tuple(shown) == numbers, show
    assert "+3" in juno.get(floor(room)).content.decode()


@pytest.mark.parametrize(("words", "count"), [("1", 1), ("9", 0), ("da", 1), ("zzz", 0)])
def test_table_is_found_by_number_or_name(juno, room, words, count):
    assert len(juno.get(floor(room, f"?q={words}")).context["tiles"]) == count


def test_tables_in_a_row_and_colours_are_remembered(juno, room):
    juno.get(floor(room, "?row=8&theme=light"))
    page = juno.get(floor(room)).content.decode()
    assert "row-8" in page
    assert 'class="floor light"' in page
    assert "row-5" not in juno.get(floor(room, "?row=5")).content.decode()


def test_score_is_one_press_on_the_page_of_the_table(juno, room):
    match = match_of(room)
    values = {"act": "report", "score": "2-1-0", "version": match.version}
    assert juno.post(table_page(match), values).headers["Location"] == table_page(match)
    page = text_of(juno.get(table_page(match)))
    assert "2–1" in page
    assert "Table 1: saved." in page


def test_score_on_an_older_page_stores_nothing(juno, room):
    match = match_of(room)
    seat = match.seats.first()
    report_result(account("olive"), match, score(2, 0), NOW, seat=seat)
    answer = juno.post(table_page(match), {"act": "report", "score": "0-2-0", "version": 0})
    match.refresh_from_db()
    assert match.state == Match.State.REPORTED
    assert "has changed" in text_of(answer)


def test_second_score_is_kept_beside_the_one_that_counts(juno, room):
    match = match_of(room)
    report_result(account("olive"), match, score(2, 0), NOW)
    juno.post(table_page(match), {"act": "report", "score": "0-2-0"})
    page = text_of(juno.get(table_page(match)))
    assert "says otherwise" in page
    assert match_of(room).reports.count() == 2


def test_conflict_is_settled_by_one_press(juno, room):
    match = match_of(room)
    for order, won in ((1, (2, 0)), (2, (0, 2))):
        report_result(account("olive"), match, score(*won), NOW, seat=match.seats.get(order=order))
    match.refresh_from_db()
    report = match.reports.last()
    juno.post(table_page(match), {"act": "confirm", "report": report.pk, "version": match.version})
    match.refresh_from_db()
    assert (match.state, match.accepted_report) == (Match.State.DONE, report)


def test_correction_needs_a_reason_by_press_or_words(juno, room):
    match = match_of(room)
    report_result(account("olive"), match, score(2, 0), NOW)
    match.refresh_from_db()
    values = {"act": "correct", "score": "0-2-0", "seen": match.accepted_report_id}
    assert "Tap a reason" in text_of(juno.post(table_page(match), values))
    juno.post(table_page(match), {**values, "why": "0"})
    match.refresh_from_db()
    assert match.accepted_report.reason == "Entered the wrong way round"


def test_penalty_is_kind_with_reason_and_give(juno, room):
    match = match_of(room)
    number = match.seats.first().entry.number
    page = table_page(match, f"penalty/{number}/")
    assert "Tap a penalty" in text_of(juno.post(page, {}))
    assert juno.post(page, {"choice": "game_loss:1", "version": match.version}).headers["Location"] == table_page(match)
    given = Penalty.objects.get()
    assert (given.kind, given.infraction, given.match) == ("game_loss", "Deck or decklist problem", match)
    juno.post(page, {"choice": "warning:0", "other": "  Shouting "})
    assert Penalty.objects.filter(kind="warning", infraction="Shouting").exists()


def test_decks_are_read_side_by_side_on_record(juno, room, decks):
    match = match_of(room)
    response = juno.post(table_page(match, "decks/"))
    assert response.status_code == 200
    assert [deck.version is not None for deck in response.context["decks"]] == [True, True]
    assert LedgerEntry.objects.filter(act="deck.read").count() == 2
    assert response.headers["Cache-Control"].startswith("max-age=0")


def test_judge_who_plays_reads_decks_with_a_reason_alone(juno, room, decks):
    match = match_of(room)
    play("juno", match_of(room, 2))
    assert juno.post(table_page(match, "decks/")).status_code == 302
    assert not LedgerEntry.objects.filter(act="deck.read").exists()
    assert juno.post(table_page(match, "decks/"), {"reason": "asked by the organiser"}).status_code == 200
    assert LedgerEntry.objects.filter(act="deck.read").count() == 2


def test_judge_is_warned_at_the_own_table(juno, room):
    match = match_of(room)
    assert "You play at this table" not in text_of(juno.get(table_page(match)))
    play("juno", match)
    called(match)
    assert "You play at this table" in text_of(juno.get(table_page(match)))
    assert "another judge answers" in text_of(juno.get(floor(room, "calls/")))


def test_queue_puts_what_was_handed_on_first_and_claimed_last(juno, room):
    first, second = called(match_of(room)), called(match_of(room, 2), "In the middle of a turn")
    claim_call(account("juno"), first, NOW)
    juno.post(floor(room, f"calls/{second.pk}/escalate/"))
    page = juno.get(floor(room, "calls/"))
    assert [each.call.pk for each in page.context["waiting"]] == [second.pk, first.pk]
    assert "In the middle of a turn" in text_of(page)


def test_second_judge_reads_who_goes(room, juno):
    call = called(match_of(room))
    olive = browser("olive")
    juno.post(floor(room, f"calls/{call.pk}/claim/"))
    assert "juno is on the way to this table already" in text_of(
        olive.post(floor(room, f"calls/{call.pk}/claim/"), follow=True)
    )


def test_call_is_resolved_by_one_press_with_extra_time(juno, room):
    match = match_of(room)
    call = call_judge(account("olive"), match, "rules", "", database_now())
    juno.post(floor(room, f"calls/{call.pk}/resolve/"), {"outcome": "Ruling given", "extra": "3"})
    call.refresh_from_db()
    match.refresh_from_db()
    assert (call.state, call.outcome, match.extra_seconds) == ("resolved", "Ruling given", 180)
    assert "Ruling given" in text_of(juno.get(floor(room, "calls/")))


def test_player_calls_sees_who_comes_and_takes_back(room):
    match = match_of(room)
    play("ada", match)
    play("ben", match, 2)
    play("mallory", match_of(room, 2))
    ada, ben, mallory = browser("ada"), browser("ben"), browser("mallory")
    address = f"/e/{room.slug}/call/{match.pk}/"
    assert mallory.get(address).status_code == 404
    assert '<details class="fold" open>' in ada.get(address).content.decode(), "what the page is for is not folded"
    ada.post(address, {"kind": "rules", "note": "secret of mine"})
    assert "a judge is called" in text_of(ben.get(address))
    assert "secret of mine" not in text_of(ben.get(address))
    claim_call(account("juno"), JudgeCall.objects.get(), NOW)
    assert "juno is on the way" in text_of(ada.get(address))
    assert ben.post(f"{address}take-back/").status_code == 403
    ada.post(f"{address}take-back/", {"call": JudgeCall.objects.get().pk})
    assert JudgeCall.objects.get().state == "withdrawn"


def test_press_never_leads_off_the_site(room):
    match = match_of(room)
    play("ada", match)
    for back in ("https://evil.example/", "//evil.example", "/\\evil.example"):
        JudgeCall.objects.all().delete()
        answer = browser("ada").post(f"/e/{room.slug}/call/{match.pk}/", {"kind": "rules", "back": back})
        assert answer.headers["Location"].startswith(f"/e/{room.slug}/")


def test_room_without_a_round_and_a_table_of_several_are_shown(juno, room):
    report_all(match_of(room).round)
    empty = event(4, name="Not begun")
    staff(empty, "juno", Role.Name.JUDGE)
    assert "not running" in text_of(juno.get(floor(empty)))
    several = running(4, name="Several", game="doomlings", game_format="standard")
    staff(several, "juno", Role.Name.JUDGE)
    match = next_round(several).matches.first()
    assert juno.get(table_page(match)).status_code == 200
