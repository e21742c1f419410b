"""The page that the code on a table opens: three taps to a report, and words for everything that came in between."""

import pytest
from django.test import Client

from accounts.actors import Actor
from accounts.identity.services import issue_personal_link
from journal.clock import database_now
from scoring.standings.results import MatchLength, no_show
from tests.tournaments.factories import NOW, account, afresh, next_round, report_all, running, table
from tests.tournaments.table_phones import phone, say, seats_at, tokens_of
from tests.tournaments.web.visitors import browser, guest, notice_text, page, text_of, url
from tournaments.models import JudgeCall, Match, ResultReport, Tournament
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.table_access.services import revoke_codes

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def stored_held(shared_db) -> Tournament:
    return running(table_reports="agreed")


@pytest.fixture
def held(stored_held, db) -> Tournament:
    return afresh(stored_held)


@pytest.fixture(scope="module")
def stored_match(stored_held) -> Match:
    return table(next_round(stored_held))


@pytest.fixture
def match(stored_match, db) -> Match:
    return afresh(stored_match)


@pytest.fixture
def token(held, match) -> str:
    return tokens_of(held)[1]


def seen(client: Client, held: Tournament) -> str:
    return text_of(page(client, url(held, "table/")))


def claim(client: Client, match: Match, place: int) -> None:
    say(client, match, "claim", seat=seats_at(match)[place].pk)


def test_opening_swaps_the_code_and_drops_it_from_the_address(held, token):
    client = Client()
    answer = client.get(f"/t/{token}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/e/{held.slug}/table/")
    assert answer["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer["Cache-Control"]
    assert client.cookies["sessionid"]["httponly"]
    shown = client.get(f"/e/{held.slug}/table/")
    assert shown["Referrer-Policy"] == "same-origin"
    assert token not in shown.content.decode()


def test_three_taps_report_and_another_phone_agrees(held, match, token):
    one, two = phone(token), phone(token)
    assert "Who are you?" in seen(one, held)
    claim(one, match, 0)
    assert "Ada, how did it end for you?" in seen(one, held)
    assert say(one, match, "report", score="2-0-0").status_code == 302
    assert "waiting for Ben" in seen(one, held)
    assert "Ada reported: Ada wins 2–0" in seen(two, held)
    claim(two, match, 1)
    assert "I am Ben: this is right" in seen(two, held)
    say(two, match, "agree", report=ResultReport.objects.get().pk)
    assert "Ada wins 2–0" in seen(one, held)
    assert "final" in seen(one, held)


@pytest.mark.parametrize("act", ["disagree", "report"])
def test_a_table_that_does_not_agree_is_no_success(held, match, token, act):
    one, two = phone(token), phone(token)
    for place, client in enumerate((one, two)):
        claim(client, match, place)
    say(one, match, "report", score="2-0-0")
    assert notice_text(page(one, url(held, "table/"))).startswith("done: Sent.")
    values = {"report": ResultReport.objects.get().pk} if act == "disagree" else {"score": "2-0-0"}
    say(two, match, act, **values)
    match.refresh_from_db()
    assert match.state == Match.State.CONFLICT
    assert notice_text(page(two, url(held, "table/"))).startswith("wait: Not agreed.")


def test_the_phone_that_reported_stays_with_its_player(held, match, token):
    one = phone(token)
    claim(one, match, 0)
    say(one, match, "report", score="2-0-0")
    claim(one, match, 1)
    assert "I am Ben" not in seen(one, held)
    say(one, match, "agree", report=ResultReport.objects.get().pk)
    match.refresh_from_db()
    assert match.state == Match.State.REPORTED


def test_a_report_without_saying_who_stores_nothing(held, match, token):
    client = phone(token)
    say(client, match, "report", score="2-0-0")
    assert "Say first who you are" in seen(client, held)
    assert not ResultReport.objects.exists()


def test_a_form_without_a_choice_comes_back(held, match, token):
    client = phone(token)
    claim(client, match, 0)
    answer = say(client, match, "report")
    assert answer.status_code == 200
    assert "Choose how it ended." in answer.content.decode()


def test_between_rounds_it_says_so(held, match, token):
    report_all(match.round)
    pair_next_round(account("olive"), held, database_now())
    text = seen(phone(token), held)
    assert "No round is being played" in text
    assert "Ada" not in text.split("Keep this page")[0].split("between rounds")[1]


def test_a_table_without_players_says_so(held, match):
    tokens = tokens_of(held, 8)
    assert "Nobody plays at this table in this round" in seen(phone(tokens[8]), held)


def test_an_old_form_is_refused_in_words_after_the_next_round(held, match, token):
    client = phone(token)
    claim(client, match, 0)
    report_all(match.round)
    publish_round(account("olive"), pair_next_round(account("olive"), held, database_now()), database_now())
    assert say(client, match, "report", score="0-2-0").status_code == 302
    assert "Not saved: that was another match. Here is the table now." in seen(client, held)
    assert ResultReport.objects.filter(role="table").count() == 0


def test_what_changed_meanwhile_is_refused_in_words(held, match, token):
    client = phone(token)
    claim(client, match, 0)
    body = {"act": "report", "match": match.pk, "version": match.version, "score": "2-0-0"}
    Match.objects.filter(pk=match.pk).update(version=5)
    answer = client.post(url(held, "table/"), body)
    assert "nothing was saved" in answer.content.decode()
    assert not ResultReport.objects.exists()


def test_a_player_of_the_table_is_led_to_the_own_match(held, match, token):
    client = guest(held, "Ada")
    client.get(f"/t/{token}/")
    assert client.get(url(held, "table/"))["Location"] == url(held, "my/")
    assert "How did it end for you?" in page(client, url(held, "my/")) or "Stack" in page(client, url(held, "my/"))


def test_where_only_codes_report_a_player_stays_at_the_table(held, match, token):
    Tournament.objects.filter(pk=held.pk).update(players_report=False)
    client = guest(held, "Ada")
    client.get(f"/t/{token}/")
    assert "Who are you?" in seen(client, held)
    Tournament.objects.filter(pk=held.pk).update(table_reports=Tournament.TableReports.OFF)
    assert client.get(url(held, "table/"))["Location"] == url(held, "my/")
    assert "The staff enter the results here." in seen(phone(token), held)


def test_staff_who_scan_a_code_stay_themselves_and_see_the_table(held, match, token):
    olive = browser(account("olive"))
    olive.get(f"/t/{token}/")
    assert "Who are you?" in seen(olive, held)
    assert olive.get(url(held, "manage/")).status_code == 200


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_hidden_events_open_by_their_code(visibility):
    held = running(visibility=visibility)
    next_round(held)
    client = phone(tokens_of(held)[1])
    assert "Who are you?" in seen(client, held)
    others = [client.get(url(held, rest)).status_code for rest in ("", "pairings/", "standings/")]
    assert others == ([404] * 3 if visibility == "private" else [200] * 3)


def test_where_staff_agree_the_page_says_so(held, match, token):
    Tournament.objects.filter(pk=held.pk).update(table_reports="staff")
    one, two = phone(token), phone(token)
    claim(one, match, 0)
    say(one, match, "report", score="2-0-0")
    assert "waiting for the staff" in seen(one, held)
    claim(two, match, 1)
    assert "this is right" not in seen(two, held)


def test_switched_off_it_only_shows(held, match, token):
    Tournament.objects.filter(pk=held.pk).update(table_reports="off")
    client = phone(token)
    assert "the staff enter them" in seen(client, held)
    claim(client, match, 0)
    say(client, match, "report", score="2-0-0")
    assert "Nothing was saved" in seen(client, held)
    assert not ResultReport.objects.exists()


def test_a_judge_is_called_from_the_table(held, match, token):
    client = phone(token)
    say(client, match, "call", kind="rules")
    assert "a judge is called" in seen(client, held)
    assert JudgeCall.objects.get().member is None


def test_a_revoked_code_is_dead_at_the_next_request(held, match, token):
    client = phone(token)
    seen(client, held)
    revoke_codes(account("olive"), held, database_now())
    assert client.get(url(held, "table/")).status_code == 404
    assert say(client, match, "report", score="2-0-0").status_code == 404
    assert client.get(f"/t/{token}/").status_code == 404


def test_a_table_of_several_reports_places():
    held = running(5, game="doomlings", game_format="standard", score_sheets=False, table_reports="agreed")
    match = table(next_round(held))
    token = tokens_of(held)[1]
    one, two = phone(token), phone(token)
    claim(one, match, 0)
    seats = len(seats_at(match))
    places = {f"place_{seat}": seat for seat in range(1, seats + 1)}
    say(one, match, "report", kind="played", without_scores="on", **places)
    claim(two, match, 2)
    say(two, match, "agree", report=ResultReport.objects.get().pk)
    match.refresh_from_db()
    assert match.state == Match.State.DONE


def test_nobody_is_offered_an_agreement_about_the_absent_that_only_staff_can_give():
    """Two say that the third did not come, who could say so by a link: by code, or beside a value of one's own."""
    held = running(3, game="doomlings", score_sheets=False, table_reports="agreed")
    match = table(next_round(held))
    first, second, third = seats_at(match)
    issue_personal_link(third.member.person, account("olive"), NOW, scope=held.stream)
    absent = no_show(3, (1, 2), MatchLength(1))
    report_result(Actor(None, first.member.person, "link"), match, absent, NOW, seat=first)
    client = phone(tokens_of(held)[1])
    claim(client, match, 1)
    asked = seen(client, held)
    assert "The staff confirm who did not come." in asked
    assert "this is right" not in asked
    assert "not confirmed" in asked
    assert "waiting for" not in asked
    mine = text_of(page(guest(held, second.entry.name), url(held, "my/")))
    assert "not confirmed" in mine
    assert "waiting for you" not in mine
    places = {f"place_{place}": place for place in (1, 2, 3)}
    sent = {"act": "report", "match": match.pk, "kind": "played", "without_scores": "on", "seen": 0, **places}
    both = guest(held, second.entry.name).post(url(held, "my/"), sent).content.decode()
    assert "Another result was saved first" in both
    assert "The staff confirm who did not come." in both
    assert 'value="confirm"' not in both
