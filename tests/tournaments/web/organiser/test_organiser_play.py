"""Rounds, staff, decks and the log of an event, as a browser sends them."""

import csv
import io
import re

import pytest
from django.db import connection
from django.test import Client

from accounts.identity.services import person_of
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.models import LedgerEntry, PersonalValue
from rules_engine.systems import get_system
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, score, staff, table
from tests.tournaments.web.organiser.test_organiser import browser, manage, text_of
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.events.services.staff import invite_staff
from tournaments.models import EntryMember, Role, Round, Tournament, Webhook
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def catalogue() -> None:
    load_catalogues(NOW, [get_system("doom_pile")])


def paired(olive: Client, tournament: Tournament, after: int = 0) -> Round:
    """The next round, paired by the button."""
    olive.post(manage(tournament, "rounds/pair/"), {"after": str(after)})
    return Round.objects.get(stage__tournament=tournament, number=after + 1, superseded_at=None)


def test_second_press_of_pair_makes_no_second_round(olive: Client) -> None:
    tournament = running(4)
    paired(olive, tournament)
    response = olive.post(manage(tournament, "rounds/pair/"), {"after": "0"}, follow=True)
    assert "Round 1 is paired already." in text_of(response)
    assert Round.objects.count() == 1


def test_preview_names_both_players_and_their_points(olive: Client) -> None:
    tournament = running(5)
    report_all(next_round(tournament))
    paired(olive, tournament, after=1)
    page = text_of(olive.get(manage(tournament, "rounds/")))
    assert page.count("3 points") == 3
    assert "bye" in page
    assert "no rematch · 1 bye" in page
    assert "Publish round 2" in page


def test_the_next_step_starts_the_clock_until_a_table_has_played(olive: Client) -> None:
    tournament = running(4, round_minutes=50)
    staff(tournament, "juno", Role.Name.JUDGE)
    round_ = next_round(tournament)

    def shown(page: str = "", who: Client = olive) -> str:
        return who.get(manage(tournament, page)).content.decode()

    for page in ("", "rounds/"):
        assert shown(page).count(f"rounds/{round_.pk}/clock/start/") == 1
        assert "Start the clock of round 1" in shown(page)
    assert "Start the clock of round 1" not in shown(who=browser("juno"))
    assert shown(who=browser("juno")).count("/clock/start/") == 1
    start = {"back": manage(tournament)}
    answer = olive.post(manage(tournament, f"rounds/{round_.pk}/clock/start/"), start, follow=True)
    assert "Round 1 is missing 2 results" in text_of(answer)
    assert "The clock is running." in text_of(answer)


def test_ending_the_stacking_says_that_the_round_runs(olive: Client) -> None:
    tournament = running(4, round_minutes=50, stacking_minutes=10)
    path = manage(tournament, f"rounds/{next_round(tournament).pk}/clock/")
    olive.post(f"{path}start/")
    for phase, told in (("stacking", "The clock of the round is running."), ("round", "The round time is over.")):
        assert told in text_of(olive.post(f"{path}stop/", {"phase": phase}, follow=True))


def test_time_that_is_taken_back_is_not_called_given(olive: Client) -> None:
    tournament = running(4, round_minutes=50)
    path = manage(tournament, f"match/{table(next_round(tournament)).pk}/extra-time/")
    for minutes, told in (("5", "extra time given"), ("-3", "extra time taken back")):
        assert told in text_of(olive.post(path, {"minutes": minutes, "reason": "deck check"}, follow=True))


def test_the_start_says_who_is_left_on_the_waiting_list(olive: Client) -> None:
    tournament = event(2, capacity=2)
    assert "waiting list do" not in text_of(olive.get(manage(tournament)))
    register_walk_ins(account("olive"), tournament, [EntryDraft("Zoe"), EntryDraft("Yan")], NOW)
    assert "All 2 play. 2 on the waiting list do not." in text_of(olive.get(manage(tournament)))


def test_an_event_without_its_clock_is_not_asked_for_it_again_once_a_result_is_in(olive: Client) -> None:
    tournament = running(4, round_minutes=50)
    report_result(account("olive"), table(next_round(tournament)), score(2, 0), NOW)
    page = olive.get(manage(tournament)).content.decode()
    assert "Round 1 is missing 1 result" in " ".join(page.split())
    assert "Start the clock of round 1" not in " ".join(page.split())
    assert page.count("/clock/start/") == 1  # beside the clock
    assert page.count('class="first"') + page.count('class="button first"') == 1, "one act is the first"


def test_a_round_is_published_where_its_tables_are_looked_at(olive: Client) -> None:
    tournament = running(4, round_minutes=50)
    round_ = paired(olive, tournament)
    tables = olive.get(manage(tournament, f"rounds/{round_.pk}/tables/")).content.decode()
    assert f'action="{manage(tournament, f"rounds/{round_.pk}/publish/")}"' in tables
    assert "Publish and start the clock" in tables
    olive.post(manage(tournament, f"rounds/{round_.pk}/publish/"))
    assert "/publish/" not in olive.get(manage(tournament, f"rounds/{round_.pk}/tables/")).content.decode()


def test_take_back_needs_a_reason_and_keeps_the_version(olive: Client) -> None:
    tournament = running(4)
    round_ = paired(olive, tournament)
    back = manage(tournament, f"rounds/{round_.pk}/take-back/")
    assert "reason" in olive.post(back, {"reason": " "}).context["form"].errors
    olive.post(back, {"reason": "Ben came late"})
    paired(olive, tournament)
    page = text_of(olive.get(manage(tournament, "rounds/")))
    assert "1 version 2" in page
    assert "1 version 1 withdrawn" in page


def test_whoever_takes_a_round_back_from_an_old_tab_is_told_that_results_came_in(olive: Client) -> None:
    tournament = running(4)
    round_ = next_round(tournament)
    report_result(account("olive"), table(round_), score(2, 0), NOW)
    answer = olive.post(manage(tournament, f"rounds/{round_.pk}/take-back/"), {"reason": "Ben came late"})
    assert text_of(answer).count("Round 1 has results: you can't take it back.") == 1


def test_round_of_another_event_is_not_found(olive: Client) -> None:
    round_ = paired(olive, running(4))
    other = running(4)
    assert olive.post(manage(other, f"rounds/{round_.pk}/publish/")).status_code == 404


def test_rounds_page_links_tables_without_a_result(olive: Client) -> None:
    tournament = running(4)
    round_ = next_round(tournament)
    page = olive.get(manage(tournament, "rounds/")).content.decode()
    for match in round_.matches.all():
        assert f"/match/{match.pk}/" in page


def test_invitation_is_shown_once_and_taken_by_one(olive: Client) -> None:
    tournament = event()
    page = olive.post(manage(tournament, "staff/"), {"role": "judge"}).content.decode()
    token = page.split("/join/")[1].split("/")[0]
    assert token not in olive.get(manage(tournament, "staff/")).content.decode()
    juno = browser("juno")
    assert "Autumn Doom Cup You are invited to help as judge" in text_of(juno.get(f"/join/{token}/"))
    assert not Role.objects.filter(user__username="juno").exists()
    assert juno.post(f"/join/{token}/").headers["Location"] == manage(tournament)
    assert browser("mallory").get(f"/join/{token}/").status_code == 404


@pytest.mark.parametrize(
    ("role", "says", "path"),
    [
        ("organiser", "can do everything but read decks", "manage/"),
        ("head_judge", "re-pairs tables by hand", "floor/"),
        ("scorekeeper", "enters people and results", "desk/"),
        ("check_in", "checks players in", "manage/check-in/"),
        ("stream", "sees the event and its overlays", "wall/"),
    ],
)
def test_an_invitation_says_what_its_role_may_and_leads_to_its_page(role: str, says: str, path: str) -> None:
    tournament = running(2, visibility="private")
    juno, join = browser("juno"), f"/join/{invite_staff(account('olive'), tournament, role, database_now())}/"
    assert says in text_of(juno.get(join))
    first = juno.post(join).headers["Location"]
    assert first == f"/e/{tournament.slug}/{path}"
    assert juno.get(first).status_code == 200
    assert f'href="{first}"' in juno.get("/my/").content.decode()


def test_who_gives_up_the_own_role_is_led_to_a_page_that_opens() -> None:
    tournament = event(visibility="private")
    kit = browser("kit")
    held = Role.objects.create(tournament=tournament, user=account("kit").user, name="organiser", granted_at=NOW)
    answer = kit.post(manage(tournament, f"staff/{held.pk}/remove/"), {"confirmed_name": "kit"}, follow=True)
    assert not Role.objects.filter(user__username="kit").exists()
    assert answer.status_code == 200


def test_a_person_with_two_roles_is_listed_once(olive: Client) -> None:
    tournament = event()
    for role in (Role.Name.JUDGE, Role.Name.SCOREKEEPER):
        staff(tournament, "juno", role)
    html = olive.get(manage(tournament, "staff/")).content.decode()
    assert len(re.findall(r">\s*juno\s*<", html)) == 1
    assert len(re.findall(r"staff/\d+/remove/", html)) == 3


def test_invitation_leads_through_sign_in(client: Client) -> None:
    token = invite_staff(account("olive"), event(), "judge", NOW)
    assert client.get(f"/join/{token}/").headers["Location"] == f"/accounts/login/?next=/join/{token}/"


def test_pages_with_forms_send_their_origin(olive: Client) -> None:
    """Without a referrer browsers send “Origin: null”, and the CSRF check refuses the form."""
    tournament = event(1)
    token = invite_staff(account("olive"), tournament, "judge", NOW)
    answers = [
        olive.get(manage(tournament, "staff/")), olive.post(manage(tournament, "staff/"), {"role": "judge"}),
        olive.get(f"/join/{token}/"), olive.post(manage(tournament, "entries/1/link/")),
    ]  # fmt: skip
    assert {answer["Referrer-Policy"] for answer in answers} == {"same-origin"}


def test_revoked_invitation_is_worthless(olive: Client) -> None:
    tournament = event()
    token = invite_staff(account("olive"), tournament, "judge", NOW)
    tournament.invites.update(expires_at="2999-01-01T00:00Z")
    olive.post(manage(tournament, f"staff/invites/{tournament.invites.get().pk}/revoke/"))
    assert browser("juno").get(f"/join/{token}/").status_code == 404


def test_removed_role_is_gone_at_the_next_request(olive: Client) -> None:
    tournament = event(visibility="private")
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    kit = browser("kit")
    assert kit.get(manage(tournament)).status_code == 200
    olive.post(manage(tournament, f"staff/{Role.objects.get(user__username='kit').pk}/remove/"))
    assert kit.get(manage(tournament)).status_code == 404


def test_whoever_removes_an_organiser_is_told_of_the_webhooks_that_go_on(olive: Client) -> None:
    tournament = event()
    Webhook.objects.create(tournament=tournament, kind="signed", url="https://x.test/", created_at=NOW)
    for name, role in (("kit", Role.Name.SCOREKEEPER), ("otto", Role.Name.ORGANISER)):
        staff(tournament, name, role)
        given = tournament.roles.get(user__username=name)
        said = text_of(olive.post(manage(tournament, f"staff/{given.pk}/remove/"), follow=True))
        assert ("The webhook goes on" in said) == (name == "otto")


def test_last_organiser_stays(olive: Client) -> None:
    tournament = event()
    role = tournament.roles.get()
    address = manage(tournament, f"staff/{role.pk}/remove/")
    assert "Give up your own role?" in text_of(olive.post(address))
    response = olive.post(address, {"confirmed_name": "olive"}, follow=True)
    assert "Add another organiser first" in text_of(response)


def with_deck(catalogue: None, **changes: object) -> tuple[Tournament, Client]:
    """An event whose first player registered an illegal deck, and its judge's browser."""
    tournament = event(2, **changes)
    member = EntryMember.objects.get(tournament=tournament, entry__number=1)
    register_deck(account("olive"), member, "Secret plan", "3 Ash Ledger", NOW)
    staff(tournament, "juno", Role.Name.JUDGE)
    return tournament, browser("juno")


def test_judge_reads_a_deck_on_record(catalogue: None) -> None:
    tournament, juno = with_deck(catalogue)
    page = text_of(juno.get(manage(tournament, "decks/")))
    assert "1 Ada not legal" in page
    assert "Ash Ledger" not in page
    page = text_of(juno.post(manage(tournament, "decks/1/read/"), {"idempotency_key": "one-press"}))
    assert "3 Ash Ledger" in page
    assert "DP-SIZE" in page
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="deck.read").count() == 1


def test_reading_a_deck_that_is_not_there_says_so(catalogue: None) -> None:
    tournament, juno = with_deck(catalogue)
    assert "has not registered a deck" in text_of(juno.post(manage(tournament, "decks/2/read/"), follow=True))


def test_judge_registers_a_deck_with_a_reason(catalogue: None) -> None:
    tournament, juno = with_deck(catalogue)
    values = {"name": "Other", "text": "3 Ash Ledger\n2 Nonsense Card", "reason": "Typing error"}
    response = juno.post(manage(tournament, "decks/2/"), values)
    assert "Line 2" in text_of(response)
    assert "2 Nonsense Card</textarea>" in response.content.decode()
    assert "reason" in juno.post(manage(tournament, "decks/2/"), {**values, "reason": ""}).context["form"].errors
    values["text"] = "3 Ash Ledger"
    response = juno.post(manage(tournament, "decks/2/"), values, follow=True)
    assert "Ben: deck registered; it is NOT legal." in text_of(response)


def test_organiser_sees_counts_of_decks_alone(catalogue: None, olive: Client) -> None:
    tournament, _juno = with_deck(catalogue)
    page = text_of(olive.get(manage(tournament, "decks/")))
    assert "Not legal 1" in page
    assert "1 Ada" not in page
    assert olive.post(manage(tournament, "decks/1/read/")).status_code == 403


def test_judge_who_plays_reads_a_deck_only_with_a_reason(catalogue: None) -> None:
    tournament, juno = with_deck(catalogue)
    person = person_of(account("juno").user, NOW)
    sign_up(account("juno"), tournament, person, NOW)
    assert "You play here: give a reason" in text_of(juno.get(manage(tournament, "decks/")))
    refused = juno.post(manage(tournament, "decks/1/read/"), follow=True)
    assert "Give a reason; it is logged." in text_of(refused)
    assert "Ash Ledger" not in text_of(refused)
    assert "Ash Ledger" in text_of(juno.post(manage(tournament, "decks/1/read/"), {"reason": "deck check"}))


def test_log_tells_acts_in_words_and_verifies_itself(olive: Client) -> None:
    tournament = running(4)
    report_all(next_round(tournament))
    page = text_of(olive.get(manage(tournament, "log/?verify=1")))
    assert "olive organiser created the event" in page
    assert "entered 4: no. 1–4 “Ada, Ben, Cem, Dora”" in page
    assert "opened registration" in page
    assert "reported round 1, table 2" in page
    assert "all entries are unchanged" in page


def test_log_shows_erased_names_and_tampering(olive: Client) -> None:
    tournament = event(1)
    value = PersonalValue.objects.get(entry__stream=tournament.stream)
    PersonalValue.objects.filter(pk=value.pk).update(value="Eve")
    assert "tampered" in text_of(olive.get(manage(tournament, "log/?verify=1")))
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM journal_personalvalue")
    assert "(names erased)" in text_of(olive.get(manage(tournament, "log/")))


def test_judge_sees_acts_about_matches_and_decks_alone(olive: Client) -> None:
    tournament = running(4)
    report_all(next_round(tournament))
    staff(tournament, "juno", Role.Name.JUDGE)
    page = text_of(browser("juno").get(manage(tournament, "log/")))
    assert "reported round 1, table 1" in page
    assert "created the event" not in page
    assert "created the event" not in browser("juno").get(manage(tournament, "log.csv")).content.decode()


def test_log_goes_out_as_csv_without_formulas(olive: Client) -> None:
    tournament = event()
    olive.post(manage(tournament, "entries/add-one/"), {"name": "=HYPERLINK(1)"})
    answer = olive.get(manage(tournament, "log.csv"))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert rows[0]["values"] == "'=HYPERLINK(1)"
    assert [row["act"] for row in rows] == ["entry.registered", "event.state_changed", "event.created"]
