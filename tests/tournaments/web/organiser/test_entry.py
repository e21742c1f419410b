"""The page of one entry: club and team, byes, needs; who sees which part, and what the log says of it."""

import csv
import io
import re

import pytest

from accounts.models import Person
from journal.idempotency.responses import is_shown_once
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running, score, staff, table
from tests.tournaments.web.organiser.test_organiser import browser, manage, text_of
from tests.tournaments.web.visitors import guest, page, url
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.entries.services.pairing_constraints import award_byes, fix_table, keep_apart
from tournaments.events.services.events import finish_tournament
from tournaments.manual_pairing.selectors import round_draft_of, seen_mark
from tournaments.manual_pairing.services import change_round
from tournaments.models import Entry, KeptApart, Role
from tournaments.pairing.manual.round_draft import Act, Change
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.web.live import page_cache

pytestmark = pytest.mark.django_db
NEEDS = "Pairing constraints"


def olive():
    return browser("olive")


def press(tournament, part, values, number=1, who="olive"):
    """Send a form of the page."""
    return browser(who).post(manage(tournament, f"entries/{number}/{part}/"), values, follow=True)


def officials(tournament):
    staff(tournament, "juno", Role.Name.JUDGE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)


def test_staff_change_club_and_team_which_are_stored_tidy():
    tournament = event(1)
    officials(tournament)
    sent = {"name": "Ada", "club": "  Wu\u0308rfel   Bund ", "team": "Red\u202e"}
    text = text_of(press(tournament, "change", sent, who="kit"))
    assert "Saved." in text
    ada = entry(tournament, "Ada")
    assert (ada.club, ada.team) == ("Würfel Bund", "Red")
    assert "Würfel Bund · Red" in text_of(olive().get(manage(tournament, "entries/?q=red")))
    assert "changed club or team of no. 1 Ada" in text_of(olive().get(manage(tournament, "log/")))
    assert "at most 80 characters" in text_of(press(tournament, "change", {"name": "Ada", "club": "x" * 81}))


@pytest.mark.parametrize(
    ("part", "values", "told"),
    [
        ("byes", {"rounds": "2"}, "the state of Ada is “dropped”"),
        ("members", {"name": "Zoe"}, "You can't do this while the event is “running”."),
    ],
)
def test_what_an_old_tab_sends_is_refused_aloud_though_the_page_offers_it_no_more(part, values, told):
    tournament = running(4)
    next_round(tournament)
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    assert text_of(press(tournament, part, values)).count(told) == 1


def test_nothing_is_changed_silently_once_the_event_is_over():
    tournament = running(2)
    report_all(next_round(tournament))
    finish_tournament(account("olive"), tournament, NOW, early="enough")
    for part, values in (("change", {"name": "Adele"}), ("needs", {"needs": "quiet"}), ("fixed-table", {})):
        told = "You can't do this while the event is “finished”."
        assert text_of(press(tournament, part, values)).count(told) == 1


def sent_from(tab, part):
    """The mark that an open page sends with a form."""
    form = re.search(rf'action="[^"]*/{part}/">(.*?)</form>', tab, re.DOTALL)
    assert form is not None
    return re.search(r'name="seen" value="(\w+)"', form[1])[1]


def test_an_old_tab_stores_nothing_over_what_another_person_saved():
    tournament = event(1)
    officials(tournament)
    tab = page(olive(), manage(tournament, "entries/1/"))
    saved = [
        ("change", {"name": "Adaline", "club": "North"}, {"name": "Ada", "club": "South"}, "Adaline, North"),
        ("needs", {"needs": "quiet"}, {"extra_minutes": "5"}, "quiet place"),
        ("fixed-table", {"fixed_table": "7"}, {"fixed_table": "8"}, "7"),
    ]
    for part, first, second, stored in saved:
        assert "Saved" in text_of(press(tournament, part, {**first, "seen": sent_from(tab, part)}, who="juno"))
        refused = press(tournament, part, {**second, "seen": sent_from(tab, part)}).content.decode()
        assert f"Stored now: {stored}. Save again" in refused
        assert all(f'value="{typed}"' in refused for typed in second.values()), "what was typed stays"
    ada = entry(tournament, "Adaline")
    assert (ada.club, ada.needs, ada.extra_minutes, ada.fixed_table) == ("North", ["quiet"], 0, 7)
    press(tournament, "fixed-table", {"fixed_table": "8", "seen": sent_from(refused, "fixed-table")})
    assert entry(tournament, "Adaline").fixed_table == 8


def test_a_name_is_corrected_everywhere_and_the_log_keeps_the_old_one():
    tournament = running(2)
    officials(tournament)
    report_all(next_round(tournament))
    ada = entry(tournament, "Ada")
    assert "Saved." in text_of(press(tournament, "change", {"name": " Ada   Løvelace "}, who="kit"))
    for rest in ("", "pairings/", "standings/", f"player/{ada.number}/", "wall/pairings/"):
        text = text_of(olive().get(url(tournament, rest)))
        assert "Ada Løvelace" in text, rest
    assert ada.members.get().person.name == "Ada Løvelace"
    log = text_of(olive().get(manage(tournament, "log/")))
    assert "corrected the name of no. 1 Ada Løvelace" in log
    [act] = LedgerEntry.objects.filter(stream=tournament.stream, act="entry.renamed")
    assert set(act.personal_values.values_list("key", "value")) == {("before", "Ada"), ("name", "Ada Løvelace")}
    assert verify_stream(tournament.stream) == []


@pytest.mark.parametrize("name", ["", " ", "x" * 121, "\u200b"])
def test_a_name_that_nobody_can_read_is_refused_and_stays_in_its_field(name):
    tournament = event(1)
    response = press(tournament, "change", {"name": name, "club": "Kept"})
    assert entry(tournament, "Ada").club == ""
    assert 'value="Kept"' in response.content.decode()
    assert "Saved." not in text_of(response)


def test_a_player_with_an_account_or_other_events_keeps_the_own_name_there():
    tournament = event(2)
    person = entry(tournament, "Ada").members.get().person
    Person.objects.filter(pk=person.pk).update(user=account("ada").user)
    press(tournament, "change", {"name": "Ada L."})
    person.refresh_from_db()
    assert (entry(tournament, "Ada L.").number, person.name) == (1, "Ada")


def test_saving_without_a_change_leaves_no_line_in_the_log():
    tournament = event(1)
    before = LedgerEntry.objects.count()
    press(tournament, "change", {"name": "Ada"})
    assert LedgerEntry.objects.count() == before


def test_each_part_is_there_for_whom_it_is():
    tournament = event(2)
    officials(tournament)
    pages = {name: text_of(browser(name).get(manage(tournament, "entries/1/"))) for name in ("olive", "juno", "kit")}
    assert {name: NEEDS in text for name, text in pages.items()} == {"olive": True, "juno": True, "kit": False}
    assert {name: "Give byes" in text for name, text in pages.items()} == {
        "olive": True, "juno": False, "kit": False,
    }  # fmt: skip


def test_fixed_table_is_stored_refused_with_a_name_and_told_in_the_log_of_officials():
    tournament = event(2)
    officials(tournament)
    press(tournament, "fixed-table", {"fixed_table": "12"}, who="juno")
    assert entry(tournament, "Ada").fixed_table == 12
    refused = text_of(press(tournament, "fixed-table", {"fixed_table": "12"}, number=2))
    assert "Table 12 is fixed for Ada (no. 1)." in refused
    for name in ("olive", "juno"):
        log = text_of(browser(name).get(manage(tournament, "log/")))
        assert "gave no. 1 Ada the fixed table 12" in log
    press(tournament, "fixed-table", {"fixed_table": ""})
    assert entry(tournament, "Ada").fixed_table is None
    assert "removed the fixed table of no. 1 Ada" in text_of(olive().get(manage(tournament, "log/")))


@pytest.mark.parametrize("said", ["2", "2 Ben", "no. 2", "ben", "Ben"])
def test_the_other_is_named_by_number_or_name(said):
    tournament = event(2)
    text = text_of(press(tournament, "apart", {"other": said, "reason": "family"}))
    assert "no. 2 Ben family" in text
    assert KeptApart.objects.get().reason == "family"
    assert "put no. 1 Ada and no. 2 Ben on the avoid list “family”" in text_of(olive().get(manage(tournament, "log/")))
    press(tournament, "apart/remove", {"other": "1"}, number=2)
    assert not KeptApart.objects.exists()


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("9", "This event has no such player"), ("Zoe", "This event has no such player"), ("Ben", "use the number"),
        ("1", "Choose another player"), ("", "This field is required"),
    ],
)  # fmt: skip
def test_the_other_must_be_one_player_of_the_event(said, words):
    tournament = event(2)
    register_walk_ins(account("olive"), tournament, [EntryDraft("Ben")], NOW)
    assert words in text_of(press(tournament, "apart", {"other": said, "reason": "kept"}))
    assert not KeptApart.objects.exists()


def test_byes_are_given_shown_to_staff_and_player_and_taken_back():
    tournament = event(3, swiss_rounds=3)
    officials(tournament)
    press(tournament, "byes", {"rounds": "1, 2"})
    assert "byes in rounds 1, 2" in text_of(browser("kit").get(manage(tournament, "entries/")))
    assert "Byes given to you rounds 1, 2" in text_of(guest(tournament, "Ada").get(url(tournament, "my/")))
    press(tournament, "byes/remove", {"round": "2"})
    assert [bye.round_number for bye in entry(tournament, "Ada").awarded_byes.all()] == [1]
    assert "has no bye in round 2" in text_of(press(tournament, "byes/remove", {"round": "2"}))


@pytest.mark.parametrize("said", ["", "one", "1-3", "0", "4", "100", "1;;x", "²"])
def test_rounds_that_are_none_are_refused_in_the_form(said):
    tournament = event(3, swiss_rounds=3)
    response = browser("olive").post(manage(tournament, "entries/1/byes/"), {"rounds": said})
    assert "rounds" in response.context["byes_form"].errors
    assert not entry(tournament, "Ada").awarded_byes.exists()


def test_answers_that_show_needs_are_not_kept_for_a_repeat():
    tournament = event(2)
    fix_table(account("olive"), entry(tournament, "Ada"), 12, NOW)
    response = browser("olive").post(manage(tournament, "entries/1/apart/"), {"other": "9"})
    assert is_shown_once(response)
    assert "no-store" in olive().get(manage(tournament, "entries/1/")).headers["Cache-Control"]


def test_player_sees_the_own_table_unless_the_link_came_later():
    tournament = event(2)
    early = guest(tournament, "Ada")
    fix_table(account("olive"), entry(tournament, "Ada"), 12, NOW)
    keep_apart(account("olive"), entry(tournament, "Ada"), entry(tournament, "Ben"), "family", NOW)
    for rest in ("my/", "register/"):
        assert "Your fixed table" in page(early, url(tournament, rest))
        assert "family" not in page(early, url(tournament, rest))
    Entry.objects.filter(name="Ada").update(fixed_table_set_at=NOW.replace(year=2025))
    page_cache.forget_pages()  # nothing was written into the log
    for rest in ("my/", "register/"):
        assert "Your fixed table" not in page(early, url(tournament, rest))


def test_list_of_entries_as_csv_can_be_entered_again_and_holds_no_need():
    tournament = event(0)
    people = [EntryDraft("=Ada", "Lantern; Street", team="Red"), EntryDraft("Ben")]
    ada = register_walk_ins(account("olive"), tournament, people, NOW)[0]
    fix_table(account("olive"), ada, 4711, NOW)
    award_byes(account("olive"), ada, [1, 2], NOW)
    text = olive().get(manage(tournament, "entries.csv")).content.decode("utf-8-sig")
    assert "4711" not in text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert (rows[0]["byes"], rows[0]["team"]) == ("1 2", "Red")
    other = event(0, name="Again")
    shown = olive().post(manage(other, "entries/preview/"), {"text": text}).context["shown"]
    olive().post(manage(other, "entries/add/"), {"text": text, "shown": shown})
    entered = other.entries.order_by("number").values_list("name", "club", "team")
    assert list(entered) == [("=Ada", "Lantern; Street", "Red"), ("Ben", "", "")]


def test_late_entry_to_a_round_not_published_is_led_to_its_tables():
    tournament = running(5)
    round_ = pair_next_round(account("olive"), tournament, NOW, seed=1)
    said = text_of(olive().post(manage(tournament, "entries/add-one/"), {"name": "Zoe"}, follow=True))
    assert "Round 1 isn't published: you can place them on the rounds page." in said
    rounds = olive().get(manage(tournament, "rounds/")).content.decode()
    assert "Give them a place" in rounds
    assert "/publish/" not in rounds
    late, bye = tournament.entries.get(name="Zoe"), round_.matches.get(kind="bye").seats.get().entry
    change = Change(Act.MAKE, (late.pk, bye.pk))
    change_round(account("olive"), round_, change, "came late", NOW, seen=seen_mark(round_, round_draft_of(round_)))
    assert "plays from round 1" in text_of(olive().get(manage(tournament, f"entries/{late.number}/")))
    assert "/publish/" in olive().get(manage(tournament, "rounds/")).content.decode()


def test_late_entry_is_told_the_round_it_plays_from():
    tournament = running(4)
    round_ = next_round(tournament)
    response = olive().post(manage(tournament, "entries/add-one/"), {"name": "Zoe", "team": "Red"}, follow=True)
    assert "Zoe entered as no. 5. Paired from round 2." in text_of(response)
    assert "plays from round 2" in text_of(olive().get(manage(tournament, "entries/5/")))
    assert "You play from round 2 on." in page(guest(tournament, "Zoe"), url(tournament, "my/"))
    report_all(round_)
    assert next_round(tournament, 2).matches.filter(seats__entry__name="Zoe").exists()
    assert entry(tournament, "Zoe").team == "Red"


def test_the_log_says_the_score_and_shows_a_table_or_a_kind_alone():
    tournament = running(4)
    round_ = next_round(tournament)
    for number in (1, 2):
        report_result(account("olive"), table(round_, number), score(2, number - 1), NOW)
    reads = {
        query: text_of(olive().get(manage(tournament, f"log/{query}")))
        for query in ("", "?table=2", "?kind=rounds", "?kind=results&table=1", "?kind=decks", "?kind=x&table=-1")
    }
    one, two = "reported round 1, table 1 · 2–0", "reported round 1, table 2 · 2–1"
    assert [(one in text, two in text) for text in reads.values()] == [
        (True, True), (False, True), (False, False), (True, False), (False, False), (True, True),
    ]  # fmt: skip
    assert "published round 1" in reads["?kind=rounds"]
    assert "No action matches. Choose another filter." in reads["?kind=decks"]
    assert "table 2: 2–1" in olive().get(manage(tournament, "log.csv")).content.decode()


def test_the_log_shows_what_one_person_did_alone():
    tournament = running(4)
    round_, juno = next_round(tournament), staff(tournament, "juno", "judge")
    report_result(account("olive"), table(round_, 1), score(2, 0), NOW)
    report_result(juno, table(round_, 2), score(2, 1), NOW)
    whole = olive().get(manage(tournament, "log/")).content.decode()
    (alone,) = set(re.findall(rf'href="(\?actor=[^"]+)">\s*<span[^>]*>[^<]*</span>{juno.label}<', whole))
    shown = text_of(olive().get(manage(tournament, f"log/{alone}")))
    assert "table 2 · 2–1" in shown
    assert "table 1 · 2–0" not in shown
    assert "Show all" in shown
    assert "No action matches. Choose another filter." in text_of(olive().get(manage(tournament, "log/?actor=nobody")))


def test_the_email_of_somebody_who_plays_alone_is_corrected_by_who_hands_out_links():
    """The name of such an entry has its form above: none is taken here."""
    tournament = running(2)
    officials(tournament)
    address, sent = manage(tournament, "entries/1/members/1/"), {"name": "Mallory", "email": "ada@example.org"}
    assert address not in page(browser("kit"), manage(tournament, "entries/1/"))
    browser("kit").post(address, sent)
    ada = entry(tournament, "Ada").members.get().person
    assert (ada.name, ada.email) == ("Ada", "")
    assert address in page(olive(), manage(tournament, "entries/1/"))
    assert "Enter a valid email address." in text_of(press(tournament, "members/1", {"email": "ada at example"}))
    assert "Saved." in text_of(press(tournament, "members/1", sent))
    ada.refresh_from_db()
    assert (ada.name, ada.email) == ("Ada", "ada@example.org")
    assert "ada@example.org" not in text_of(olive().get(manage(tournament, "log/")))
