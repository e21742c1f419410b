"""Pages of players: sign-up, the own match from both seats, dropping out, the own events."""

import uuid

import pytest

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
from tests.tournaments.web.visitors import both, browser, guest, notice_text, page, paired, text_of, url
from tournaments.entries.services.attendance import drop_entry
from tournaments.events.services.events import finish_tournament, start_tournament
from tournaments.models import Entry, EntryMember, Match, ReportAct, ResultReport, Role, SeatResult, Tournament
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def stored_held(shared_db):
    return running(4, swiss_rounds=3)


@pytest.fixture
def held(stored_held, db):
    return afresh(stored_held)


@pytest.fixture(scope="module")
def stored_round(stored_held):
    return next_round(stored_held)


@pytest.fixture
def round_(stored_round, db):
    return afresh(stored_round)


def send(client, held, match, act="report", **values):
    """What a player's form sends; answers the response."""
    data = {"act": act, "match": match.pk, "idempotency_key": str(uuid.uuid4()), **values}
    return client.post(url(held, "my/"), data)


def stored(match):
    """Games by seat order of the result that counts."""
    report = Match.objects.get(pk=match.pk).accepted_report
    return list(report.seat_results.order_by("seat__order").values_list("outcome", "games_won")) if report else None


# Sign-up


def test_visitor_is_led_to_sign_in_and_back(client):
    opened = event(0)
    response = client.get(url(opened, "register/"))
    assert response.status_code == 302
    assert response.url == f"/accounts/login/?next={url(opened, 'register/')}"
    assert client.post(url(opened, "register/"), {"act": "sign_up"}).status_code == 302
    assert not Entry.objects.exists()


def test_account_signs_up_withdraws_and_signs_up_again():
    opened, ada = event(0), browser(account("ada"))
    response = ada.post(url(opened, "register/"), {"act": "sign_up", "club": "Owls"}, follow=True)
    assert "re registered as number 1." in text_of(response.content.decode())
    assert Entry.objects.get().club == "Owls"
    ada.post(url(opened, "register/"), {"act": "withdraw"})
    assert Entry.objects.get().state == Entry.State.WITHDRAWN
    ada.post(url(opened, "register/"), {"act": "sign_up"})
    assert Entry.objects.get().state == Entry.State.REGISTERED


def test_guest_of_one_event_signs_up_for_another():
    first, second = event(1), event(0, name="Other")
    guest(first, "Ada").post(url(second, "register/"), {"act": "sign_up"})
    assert entry(second, "Ada").members.get().person == entry(first, "Ada").members.get().person


def test_full_event_says_so_before_and_puts_on_the_waiting_list():
    opened, mallory = event(2, capacity=2), browser(account("mallory"))
    assert "You would join the waiting list" in page(mallory, url(opened, "register/"))
    mallory.post(url(opened, "register/"), {"act": "sign_up"})
    assert entry(opened, "mallory").state == Entry.State.WAITING
    assert notice_text(page(mallory, url(opened))).startswith("wait: You&#x27;re on the waiting list")
    assert "If one becomes free, you move up" in page(mallory, url(opened, "register/"))


def test_withdrawing_moves_the_first_in_waiting_up():
    opened = event(3, capacity=2)
    guest(opened, "Ada").post(url(opened, "register/"), {"act": "withdraw"})
    assert entry(opened, "Cem").state == Entry.State.REGISTERED


def test_closed_registration_refuses_and_says_so():
    for closed in (event(0, self_sign_up=False), running(2)):
        mallory = browser(account("mallory"))
        assert "Registration isn't open" in page(mallory, url(closed, "register/"))
        response = mallory.post(url(closed, "register/"), {"act": "sign_up"})
        assert "Registration isn't open" in response.content.decode()
    assert not Entry.objects.filter(name="mallory").exists()


def test_signing_up_twice_enters_once():
    opened, ada = event(0), browser(account("ada"))
    data = {"act": "sign_up", "idempotency_key": "once"}
    answers = [ada.post(url(opened, "register/"), data) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[1]["Idempotency-Replayed"] == "true"
    assert "already" in ada.post(url(opened, "register/"), {"act": "sign_up"}).content.decode()
    assert Entry.objects.count() == 1


# The own match


def test_my_page_is_for_players_only(held, round_):
    assert browser().get(url(held, "my/")).status_code == 302
    for who in ("mallory", "olive"):
        assert browser(account(who)).get(url(held, "my/")).status_code == 403
    assert guest(event(1, name="Other"), "Ada").get(url(held, "my/")).status_code == 403


def test_my_page_shows_table_opponent_points_and_rank(held, round_):
    _match, one, _other, _name, opponent = both(held, round_)
    text = text_of(page(one, url(held, "my/")))
    assert all(words in text for words in ("Table 1", "Round 1 of 3", opponent, "0 points · 1st"))


@pytest.mark.parametrize(
    ("key", "mine", "theirs"),
    [
        ("2-0-0", ("win", 2), ("loss", 0)),
        ("2-1-0", ("win", 2), ("loss", 1)),
        ("1-1-0", ("draw", 1), ("draw", 1)),
        ("1-2-0", ("loss", 1), ("win", 2)),
        ("0-2-0", ("loss", 0), ("win", 2)),
    ],
)
@pytest.mark.parametrize("place", [0, 1])
def test_scores_are_seen_from_the_reporters_seat(held, round_, key, mine, theirs, place):
    match, *rest = both(held, round_)
    browsers = rest[:2]
    assert send(browsers[place], held, match, score=key).status_code == 302
    report = ResultReport.objects.get()
    rows = list(report.seat_results.order_by("seat__order").values_list("outcome", "games_won"))
    assert rows == ([mine, theirs] if place == 0 else [theirs, mine])
    assert stored(match) is None


@pytest.mark.parametrize("place", [0, 1])
def test_confirming_shows_and_stores_the_confirmers_side(held, round_, place):
    match, *rest = both(held, round_)
    reporter, confirmer = rest[place], rest[1 - place]
    send(reporter, held, match, score="2-1-0")
    assert "You won 2–1" in text_of(page(reporter, url(held, "my/")))
    assert "Yes, I lost 1–2" in text_of(page(confirmer, url(held, "my/")))
    send(confirmer, held, match, "confirm", report=ResultReport.objects.get().pk)
    wanted = [("win", 2), ("loss", 1)]
    assert stored(match) == (wanted if place == 0 else wanted[::-1])
    assert "You won 2–1" in text_of(page(reporter, url(held, "my/")))
    assert "You lost 1–2" in text_of(page(confirmer, url(held, "my/")))


def test_reporter_cannot_confirm_the_own_report(held, round_):
    match, one, *_ = both(held, round_)
    send(one, held, match, score="2-0-0")
    send(one, held, match, "confirm", report=ResultReport.objects.get().pk)
    assert stored(match) is None


def test_disputing_calls_a_judge_and_keeps_both_words(held, round_):
    match, one, other, *_ = both(held, round_)
    send(one, held, match, score="2-0-0")
    send(other, held, match, "dispute", report=ResultReport.objects.get().pk)
    assert ReportAct.objects.get().name == ReportAct.Name.DISPUTE
    assert notice_text(page(other, url(held, "my/"))).startswith(
        "wait: Not agreed. Report disputed. A judge is coming."
    )
    for client in (one, other):
        assert "comes to table 1" in page(client, url(held, "my/"))


def test_reporting_something_else_is_a_conflict_shown_to_both(held, round_):
    match, one, other, *_ = both(held, round_)
    send(one, held, match, score="2-0-0")
    send(other, held, match, score="2-1-0")
    assert Match.objects.get(pk=match.pk).state == Match.State.CONFLICT
    html = page(other, url(held, "my/"))
    text = text_of(html)
    assert notice_text(html).startswith("wait: Not agreed. Your opponent disagrees.")
    assert "You sent You won 2–1" in text
    assert "You lost 0–2" in text


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(
    ("values", "mine", "theirs", "drawn"),
    [
        ({"kind": "played", "won": "1", "lost": "0", "drawn": "1"}, ("win", 1), ("loss", 0), 1),
        ({"kind": "played", "won": "1", "lost": ""}, ("win", 1), ("loss", 0), 0),
        ({"kind": "intentional_draw"}, ("draw", 0), ("draw", 0), 3),
        ({"kind": "absent"}, ("win", 2), ("loss", 0), 0),
    ],
)
def test_something_else_is_stored_from_the_reporters_seat(held, round_, values, mine, theirs, drawn, place):
    match, *rest = both(held, round_)
    assert send(rest[place], held, match, "other", **values).status_code == 302
    report = ResultReport.objects.get()
    rows = list(report.seat_results.order_by("seat__order").values_list("outcome", "games_won"))
    assert (rows, report.games_drawn) == (([mine, theirs] if place == 0 else [theirs, mine]), drawn)


@pytest.mark.parametrize(
    "values",
    [
        {"act": "report", "score": "9-9-9"},
        {"act": "report", "score": ""},
        {"act": "other", "kind": "played"},
        {"act": "other", "kind": "played", "won": "-1"},
        {"act": "other", "kind": "played", "won": "3", "lost": "0"},
        {"act": "other", "kind": "played", "won": "2", "lost": "2"},
        {"act": "other", "kind": "played", "won": "99999999999999999999"},
        {"act": "other", "kind": "vanished"},
        {"act": "nonsense"},
        {},
    ],
)
def test_absurd_reports_are_refused_with_what_was_typed(held, round_, values):
    match, one, *_ = both(held, round_)
    response = one.post(url(held, "my/"), {"match": match.pk, **values})
    assert response.status_code == 200
    assert "Nothing was" in response.content.decode()
    if values.get("won"):
        assert f'value="{values["won"]}"' in response.content.decode()
    assert not ResultReport.objects.exists()


@pytest.mark.parametrize("number", ["other", "0", "x", ""])
def test_a_form_about_another_match_touches_nothing(held, round_, number):
    _match, one, *_ = both(held, round_)
    other = table(round_, 2).pk
    response = one.post(
        url(held, "my/"),
        {"act": "report", "match": other if number == "other" else number, "score": "2-0-0"},
        follow=True,
    )
    assert "Not saved: that was another match" in response.content.decode()
    assert not ResultReport.objects.exists()


def test_a_late_form_of_an_earlier_round_cannot_touch_the_next(held, round_):
    match, one, *_ = both(held, round_)
    report_all(round_, 2, 0)
    next_round(held, seed=2)
    send(one, held, match, score="0-2-0")
    assert stored(match) == [("win", 2), ("loss", 0)]
    assert ResultReport.objects.count() == 2


def test_another_report_meanwhile_is_not_confirmed_by_the_old_button(held, round_):
    match, one, other, *_ = both(held, round_)
    send(one, held, match, score="2-0-0")
    old = ResultReport.objects.get().pk
    send(one, held, match, score="2-1-0")
    response = send(other, held, match, "confirm", report=old)
    assert stored(match) is None
    assert "Another report came in" in other.get(response.url).content.decode()


def test_double_press_reports_once_and_a_reused_key_is_refused(held, round_):
    match, one, *_ = both(held, round_)
    values = {"act": "report", "match": match.pk, "score": "2-0-0", "idempotency_key": "k1"}
    answers = [one.post(url(held, "my/"), values) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[1]["Idempotency-Replayed"] == "true"
    assert one.post(url(held, "my/"), {**values, "score": "0-2-0"}).status_code == 422
    assert SeatResult.objects.filter(report__match=match).count() == 2


def test_players_do_not_report_where_the_desk_does():
    desk_only = running(2, players_report=False)
    match, one, *_ = both(desk_only, next_round(desk_only))
    assert "Report your result at the desk" in page(one, url(desk_only, "my/"))
    assert send(one, desk_only, match, score="2-0-0").status_code == 403
    assert not ResultReport.objects.exists()


def test_bye_is_shown_without_a_form():
    odd = running(3)
    round_ = next_round(odd)
    name = next(match for match in round_.matches.all() if match.kind == "bye").seats.get().entry.name
    text = text_of(page(guest(odd, name), url(odd, "my/")))
    assert "You have a bye" in text
    assert "Send the result" not in text


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("registration", "Your first table appears here"),
        ("running", "You have no table yet"),
        ("finished", "Your final rank"),
    ],
)
def test_my_page_without_a_match_says_what_comes(state, words):
    held = event(2) if state == "registration" else running(2, swiss_rounds=1)
    if state == "finished":
        report_all(next_round(held), 2, 0)
        finish_tournament(account("olive"), held, NOW)
    assert words in text_of(page(guest(held, "Ada"), url(held, "my/")))


def test_staff_who_play_report_from_their_own_seat(held, round_):
    """A judge at the table is a player there: the report waits for the opponent."""
    match, first, _second = paired(round_)
    juno = staff(held, "juno", Role.Name.JUDGE)
    person = first.member.person
    person.user = juno.user
    person.save()
    juno.user.persons.exclude(pk=person.pk).delete()
    send(browser(juno), held, match, score="2-0-0")
    assert ResultReport.objects.get().by_seat == first
    assert stored(match) is None


# Dropping out


def test_dropping_out_asks_first_then_drops(held, round_):
    ada = guest(held, "Ada")
    text = text_of(page(ada, url(held, "my/drop/")))
    assert "You aren't paired any more." in text
    assert "needs a result: play it" in text
    assert text.index("Stay in") < text.rindex("Drop out"), "the safe way is the first button"
    assert entry(held, "Ada").state == Entry.State.REGISTERED
    ada.post(url(held, "my/drop/"))
    assert entry(held, "Ada").state == Entry.State.DROPPED


def test_dropped_player_still_reports_the_open_match(held, round_):
    match, one, _other, name, _opponent = both(held, round_)
    drop_entry(account("olive"), entry(held, name), NOW)
    assert "How did it end for you?" in page(one, url(held, "my/"))
    send(one, held, match, score="2-0-0")
    assert ResultReport.objects.count() == 1


def test_a_player_who_withdrew_reads_that_and_may_sign_up_again():
    opened, ada = event(2), browser(account("ada"))
    ada.post(url(opened, "register/"), {"act": "sign_up"})
    answer = ada.post(url(opened, "my/drop/"))
    assert answer.status_code == 302
    assert ada.get(answer.url).status_code == 200
    text = text_of(page(ada, url(opened, "my/")))
    assert "withdrawn" in text
    assert "Sign up again" in text
    assert browser(account("mallory")).get(url(opened, "my/")).status_code == 403
    start_tournament(account("olive"), opened, NOW)
    text = text_of(page(ada, url(opened, "my/")))
    assert "the desk can add you" in text
    assert "Sign up again" not in text
    for rest in ("my/deck/", "my/drop/"):
        assert ada.get(url(opened, rest)).status_code == 403


def test_who_withdrew_from_a_private_event_is_not_shown_it_any_more():
    hidden = event(2, visibility="private")
    ada = guest(hidden, "Ada")
    answer = ada.post(url(hidden, "my/drop/"))
    assert answer.url == "/my/"
    assert ada.get(url(hidden, "my/")).status_code == 404
    assert page(ada, "/my/")


def test_without_the_guard_a_stranger_would_read_the_page_of_who_withdrew(monkeypatch):
    opened = event(2)
    drop_entry(account("olive"), entry(opened, "Ada"), NOW)
    mallory = browser(account("mallory"))
    assert mallory.get(url(opened, "my/")).status_code == 403
    gone = entry(opened, "Ada")
    monkeypatch.setattr("tournaments.permissions.withdrawn_entry_of", lambda actor, tournament: gone)
    monkeypatch.setattr("tournaments.web.player.my_match.withdrawn_entry_of", lambda actor, tournament: gone)
    assert "Ada, number 1: not playing" in text_of(page(mallory, url(opened, "my/")))


def test_a_dropped_player_reads_state_and_record(held, round_):
    name = paired(round_)[1].entry.name
    ada = guest(held, name)
    report_all(round_)
    drop_entry(account("olive"), entry(held, name), NOW)
    text = text_of(page(ada, url(held, "my/")))
    assert "You have left this event" in text
    assert "3 points · 1–0–0" in text


def test_dropping_out_is_for_players_of_running_events():
    opened = event(2)
    assert "You can't drop" in page(guest(opened, "Ada"), url(opened, "my/drop/"))
    assert browser(account("mallory")).post(url(opened, "my/drop/")).status_code == 403


# Own events


def test_personal_link_leads_straight_to_the_only_running_event(held, round_):
    ada = guest(held, "Ada")
    assert ada.get("/my/").url == url(held, "my/")
    assert ada.get(ada.get("/my/").url).status_code == 200


def test_personal_link_before_the_start_leads_to_the_event():
    tournament = event(1)
    assert guest(tournament, "Ada").get("/my/").url == url(tournament)


def test_my_events_lists_only_ones_own():
    event(1, name="Mine")
    assert "Mine" in page(browser(account("olive")), "/my/")
    assert "Mine" not in page(browser(account("mallory")), "/my/")
    assert browser().get("/my/").status_code == 302


def test_my_events_begin_with_the_table_to_play_at():
    client, ada = browser(account("ada")), account("ada").person
    event(2, name="Next week")
    later = entry(Tournament.objects.get(name="Next week"), "Ada").members.get()
    EntryMember.objects.filter(pk=later.pk).update(person=ada)
    now = running(4, name="Today")
    mine = entry(now, "Ada").members.get()
    EntryMember.objects.filter(pk=mine.pk).update(person=ada)
    text = text_of(page(client, "/my/"))
    assert text.index("Running now") < text.index("Today") < text.index("Coming up") < text.index("Next week")
    assert "Table" not in text
    match = Match.objects.get(seats__member=mine, round=next_round(now))
    html = page(client, "/my/")
    assert f"Table {match.table_number} · " in text_of(html)
    assert f'href="{url(now, "my/")}"' in html
    report_result(account("olive"), match, score(2, 0), NOW)
    assert "Table" not in text_of(page(client, "/my/"))


def test_revoked_roles_are_gone_at_the_next_request(held, round_):
    ada = guest(held, "Ada")
    assert ada.get(url(held, "my/")).status_code == 200
    entry(held, "Ada").members.get().person.links.update(revoked_at=NOW)
    assert ada.get(url(held, "my/")).status_code == 302


def test_private_event_stays_hidden_after_withdrawing():
    hidden = event(2, visibility=Tournament.Visibility.PRIVATE)
    ada = guest(hidden, "Ada")
    response = ada.post(url(hidden, "register/"), {"act": "withdraw"})
    assert response.url == "/my/"
    assert ada.get(url(hidden)).status_code == 404


def test_score_of_a_standing_result_is_never_changed_by_a_player(held, round_):
    match, one, *_ = both(held, round_)
    report_result(account("olive"), match, score(0, 2), NOW)
    send(one, held, match, score="2-0-0")
    assert stored(match) == [("loss", 0), ("win", 2)]
