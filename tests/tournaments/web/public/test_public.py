"""Pages for everybody: what they show to whom, what stays hidden, and how many queries they take."""

import pytest

from tests.queries import count_queries
from tests.tournaments.factories import (
    NOW,
    account,
    draft,
    event,
    next_round,
    report_all,
    running,
    score,
    staff,
    table,
)
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import create_tournament, finish_tournament
from tournaments.models import Role, Tournament
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round, publish_round

pytestmark = pytest.mark.django_db
PUBLIC = ("", "pairings/", "pairings/?by=table", "standings/", "standings.csv", "standings.xlsx", "standings/why/")


def test_home_lists_public_events_only(client):
    event(2, name="Seen by all")
    event(2, name="Not listed", visibility=Tournament.Visibility.UNLISTED)
    event(2, name="Kitchen", visibility=Tournament.Visibility.PRIVATE)
    create_tournament(account("olive"), draft(name="Sketch"), NOW)
    html = page(client, "/")
    assert "Seen by all" in html
    assert not any(name in html for name in ("Not listed", "Kitchen", "Sketch"))


def test_home_shows_ones_own_events_on_top():
    event(2, name="Kitchen", visibility=Tournament.Visibility.PRIVATE)
    html = page(browser(account("olive")), "/")
    assert html.index("My events") < html.index("Kitchen")
    assert "My events" not in text_of(page(browser(), "/")).split("Doomdesk takes")[1]


def test_home_lists_ones_own_public_event_once():
    event(2, name="Harbour Cup")
    html = page(browser(account("olive")), "/")
    assert (html.count("/e/harbour-cup"), "No public event yet" in html) == (1, False)
    assert page(browser(), "/").count("/e/harbour-cup") == 1


def test_home_orders_running_before_coming_before_over(client):
    over = running(2, name="Last week", swiss_rounds=1)
    report_all(next_round(over), 2, 0)
    finish_tournament(account("olive"), over, NOW)
    event(2, name="Next week")
    running(2, name="Today")
    html = page(client, "/")
    assert html.index("Today") < html.index("Next week") < html.index("Last week")


def test_home_is_paginated(client):
    for number in range(22):
        event(0, name=f"Event {number:02}")
    assert page(client, "/").count("/e/event-") == 20
    assert page(client, "/", page="2").count("/e/event-") == 2


@pytest.mark.parametrize("rest", PUBLIC)
@pytest.mark.parametrize("state", ["private", "draft", "unknown"])
def test_hidden_events_look_like_unknown_ones(state, rest):
    hidden = event(2, visibility="private") if state == "private" else create_tournament(account("olive"), draft(), NOW)
    address = "/e/nothing-here-at-all/" + rest if state == "unknown" else url(hidden, rest)
    for client in (browser(), browser(account("mallory"))):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize("rest", PUBLIC)
def test_players_of_a_private_event_see_it(rest):
    hidden = running(2, visibility="private")
    next_round(hidden)
    assert guest(hidden, "Ada").get(url(hidden, rest)).status_code == 200
    assert browser(account("olive")).get(url(hidden, rest)).status_code == 200


def test_event_page_says_place_date_and_game_in_the_events_zone(client):
    held = event(2, place="Lantern Hall", time_zone="Asia/Tokyo", capacity=8)
    text = text_of(page(client, url(held)))
    assert "10 May 2026, 19:00" in text
    assert all(words in text for words in ("Lantern Hall", "Doom Pile", "best of 3", "Ada", "Sign up"))


def test_event_page_numbers_shared_names_only(client):
    held = event(2)
    register_walk_ins(account("olive"), held, [EntryDraft("Ada")], NOW)
    text = text_of(page(client, url(held)))
    assert "Ada #1" in text
    assert "Ada #3" in text
    assert "Ben #2" not in text


@pytest.mark.parametrize(
    ("who", "state", "step"),
    [
        ("visitor", "registration", "Join the waiting list"),
        ("player", "registration", "Register your deck"),
        ("waiting", "registration", "You are on the waiting list"),
        ("visitor", "running", "Round 1 is being played"),
        ("player", "running", "Check your match"),
        ("visitor", "finished", "Ada wins"),
    ],
)
def test_event_page_tells_the_next_step(who, state, step):
    held = event(3, capacity=2, swiss_rounds=1) if state == "registration" else running(2, swiss_rounds=1)
    if state != "registration":
        report_all(next_round(held), 2, 0) if state == "finished" else next_round(held)
    if state == "finished":
        finish_tournament(account("olive"), held, NOW)
    name = {"player": "Ada", "waiting": "Cem"}.get(who)
    assert step in text_of(page(guest(held, name) if name else browser(), url(held)))


def test_unpublished_pairings_are_nowhere():
    held = running(4)
    report_all(next_round(held), 2, 0)
    hidden = pair_next_round(account("olive"), held, NOW, seed=2)
    juno = staff(held, "juno", Role.Name.JUDGE)
    for client in (browser(), guest(held, "Ada"), browser(juno), browser(account("olive"))):
        for rest in ("", "pairings/", "pairings/?by=table"):
            assert "Round 2" not in text_of(page(client, url(held, rest)))
        assert client.get(url(held, "pairings/?round=2")).status_code == 404
    assert browser(juno).get(url(held, f"match/{table(hidden).pk}/")).status_code == 404


def test_the_frame_names_the_newest_round_that_is_published():
    held = running(4, swiss_rounds=3)
    ada = guest(held, "Ada")
    for note in ("", "Round 1 of 3 · ", "Round 2 of 3 · "):
        paired = pair_next_round(account("olive"), held, NOW, seed=1)
        for client in (browser(), ada):
            assert f'<span id="age-note-below" data-live="">{note}</span>' in page(client, url(held))
        assert ("My matches" in page(ada, url(held, "my/"))) == bool(note)
        report_all(publish_round(account("olive"), paired, NOW))


def test_pairings_before_the_first_round_say_so(client):
    assert "Pairings appear here when" in page(client, url(event(2), "pairings/"))


@pytest.mark.parametrize("number", ["9", "0", "-1", "x", "1' or 1=1"])
def test_unknown_round_is_not_found(client, number):
    held = running(2)
    next_round(held)
    assert client.get(url(held, "pairings/"), {"round": number}).status_code == 404


def test_pairings_by_name_and_by_table_show_results_and_byes(client):
    held = running(5)
    round_ = next_round(held)
    report_result(account("olive"), table(round_), score(2, 1), NOW)
    first, second = (seat.entry.name for seat in table(round_).seats.order_by("order"))
    by_table = text_of(page(client, url(held, "pairings/?by=table")))
    assert f"1 {first} won {second} 2–1" in by_table
    by_name = text_of(page(client, url(held, "pairings/")))
    assert f"{first} 1 {second} 2–1" in by_name
    assert f"{second} 1 {first} 1–2" in by_name
    assert "bye" in by_name


def test_pairings_find_a_name(client):
    held = running(6)
    next_round(held)
    html = page(client, url(held, "pairings/"), q="EMI")
    assert html.count('<th scope="row">') == 1
    assert "Nobody called “&lt;zz&gt;”" in page(client, url(held, "pairings/"), q="<zz>")


def test_own_row_is_marked():
    held = running(4)
    next_round(held)
    ada = guest(held, "Ada")
    for rest in ("pairings/", "pairings/?by=table", "standings/"):
        assert page(ada, url(held, rest)).count('class="me"') == 1
        assert 'class="me"' not in page(browser(), url(held, rest))


def test_public_does_not_see_what_players_reported_before_it_counts(client):
    held = running(2)
    match = table(next_round(held))
    seat = match.seats.first()
    report_result(account("player"), match, score(2, 0), NOW, seat=seat)
    text = text_of(page(client, url(held, "pairings/")))
    assert "reported" in text
    assert "2–0" not in text


@pytest.mark.parametrize("rest", [*PUBLIC, "desk/"])
def test_lists_take_a_constant_number_of_queries(rest):
    counts = []
    for players in (10, 60):
        held = running(players, name=f"With {players}")
        report_all(next_round(held), 2, 0)
        client = browser(account("olive"))
        client.get(url(held, rest))
        counts.append(count_queries(client.get, url(held, rest)))
    assert counts[0] == counts[1] <= 30


def test_pairings_by_table_say_who_won(client):
    held = running(4)
    round_ = next_round(held)
    report_result(account("olive"), table(round_, 1), score(0, 2), NOW)
    report_result(account("olive"), table(round_, 2), score(1, 1), NOW)
    told = text_of(page(client, url(held, "pairings/?by=table")))
    loser, winner = (seat.entry.name for seat in table(round_, 1).seats.order_by("order"))
    assert f"{loser} {winner} won 0–2" in told
    assert told.count(" won ") == 1
