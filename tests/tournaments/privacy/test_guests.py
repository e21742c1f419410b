"""Players without an account, by personal link: their own export and erasure, and what a link must not open."""

import json
import re
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client

from accounts.identity.selectors import actor_of_link
from accounts.identity.services import find_personal_link, issue_personal_link
from accounts.models import Person, PersonalLink, User
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry, PersonalValue
from rules_engine.systems import get_system
from scoring.models import SheetTally
from tests.refusals import refusal
from tests.tournaments.api.callers import JsonClient, caller, good
from tests.tournaments.entries.test_teams import THREE, team_event
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, score, staff, table
from tests.tournaments.privacy.test_erase import found_in, lines, nameless
from tests.tournaments.privacy.test_erase import over as ended
from tests.tournaments.sheet_acts import file, opened, work, write
from tests.tournaments.web.visitors import browser, text_of
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.entries.services.entries import EntryDraft, change_entry, register_walk_ins, sign_up
from tournaments.entries.services.members import change_member
from tournaments.events.services.events import start_tournament
from tournaments.events.services.moving import mark_as_moved
from tournaments.management.demo import sample_decklist
from tournaments.models import DeckCheck, Entry, EntryMember, Penalty, ResultReport, Role, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.privacy import selectors, services
from tournaments.privacy.erasure_notes import note_erasure, notes_file
from tournaments.privacy.restores import erase_again
from tournaments.privacy.selectors import held_on
from tournaments.privacy.services import erase_guest, erase_own
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.standings.selectors.standings import standings_of

pytestmark = pytest.mark.django_db
ZOE = "Zoe Canary"
LATER = timedelta(hours=1)


@pytest.fixture(autouse=True)
def var(tmp_path, settings):
    """The folder of a site's data, in which nothing is noted."""
    settings.VAR_DIR = tmp_path


def entered(names=("Ben",), **changes):
    """An event whose players were entered at the desk."""
    tournament = event(**changes)
    register_walk_ins(account("olive"), tournament, [EntryDraft(name) for name in (ZOE, *names)], NOW)
    return tournament


def token_for(tournament, maker="olive", name=ZOE, now=NOW):
    """A personal link that works today, as if it were made at `now`."""
    token = issue_entry_link(account(maker), entry(tournament, name), database_now())
    PersonalLink.objects.filter(pk=PersonalLink.objects.latest("pk").pk).update(created_at=now)
    return token


def over(tournament):
    """Finish an event today: its links work for some days more."""
    tournament = ended(tournament)
    PersonalLink.objects.update(expires_at=database_now() + LATER)
    return tournament


def guest_by(token):
    return actor_of_link(find_personal_link(token, database_now()))


def played():
    """A finished event in which Zoe left her name wherever a guest can; and her personal link, older than all."""
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = entered()
    token = token_for(tournament)
    zoe, own = guest_by(token), entry(tournament, ZOE)
    Person.objects.filter(pk=zoe.person.pk).update(email="canary@example.com", mails_pairings=True)
    Entry.objects.filter(pk=own.pk).update(club="Canary club", needs=["door"])
    juno = staff(tournament, "juno", Role.Name.JUDGE)
    register_deck(juno, own.members.get(), "Canary deck", sample_decklist(copies=3), NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    round_ = next_round(tournament)
    match = table(round_)
    report_result(zoe, match, score(2, 0), NOW, seat=match.seats.get(entry=own))
    report_all(round_)
    correct_result(account("olive"), table(round_), score(0, 2), "typed in for zoe canary", NOW)
    give_penalty(juno, own, Penalty.Kind.WARNING, "Slow play", NOW, notes="Zoe Canary was slow")
    return over(tournament), token


def opener(token):
    client = Client()
    assert client.get(f"/p/{token}/").status_code == 302
    return client


def test_the_name_is_found_nowhere_and_standings_and_chain_are_what_they_were():
    tournament, token = played()
    before, entries = lines(tournament), LedgerEntry.objects.filter(stream=tournament.stream).count()
    results = list(ResultReport.objects.order_by("pk").values_list("kind", "games_drawn", "games", "reported_at"))
    assert {"accounts.Person", "tournaments.Entry", "tournaments.ResultReport", "tournaments.Penalty",
            "journal.PersonalValue", "decks.Deck"} <= found_in()  # fmt: skip
    zoe = guest_by(token)
    erase_own(zoe, NOW)
    assert found_in() == set()
    assert lines(Tournament.objects.get(pk=tournament.pk)) == before
    assert results == list(
        ResultReport.objects.order_by("pk").values_list("kind", "games_drawn", "games", "reported_at")
    )
    assert (verify_stream(tournament.stream), verify_stream("accounts")) == ([], [])
    assert LedgerEntry.objects.filter(stream=tournament.stream).count() == entries + 1
    last = LedgerEntry.objects.filter(stream=tournament.stream).latest("sequence")
    assert (last.act, last.actor, last.role) == ("person.erased", zoe.key, "self")
    assert {"link": zoe.link, "issuer": account("olive").user.pk}.items() <= last.subjects.items()


@pytest.mark.parametrize("teams", [False, True])
def test_once_all_links_ended_the_page_of_the_entry_makes_one_to_erase_by(teams):
    tournament = team_event([EntryDraft("Red", members=(ZOE, "Ben")), *THREE[1:]]) if teams else entered()
    tournament = ended(start_tournament(account("olive"), tournament, NOW))
    page = f"/e/{tournament.slug}/manage/entries/1/"
    olive = browser(account("olive"))
    shown = olive.post(f"{page}link/", {"member": 1}).content.decode()
    zoe = opener(re.search(r"/p/([\w-]+)/", shown)[1])
    zoe.post("/my/data/erase/", {"confirmed_name": ZOE})
    assert found_in() == set()
    assert olive.get(page).content.decode().count("Personal link…") == int(teams)  # Ben's


def test_names_and_clubs_that_staff_corrected_are_found_nowhere():
    tournament = entered()
    token, own = token_for(tournament), entry(tournament, ZOE)
    for name in ("Zoe Kanary", "Zoé K."):
        own = change_entry(account("olive"), own, NOW, name=name, club="Canary club")
    over(start_tournament(account("olive"), tournament, NOW))
    erase_own(guest_by(token), NOW)
    assert [found_in(word) for word in ("canary", "kanary", "zoé k.")] == [set()] * 3
    assert verify_stream(tournament.stream) == []


def test_a_member_of_a_team_whose_name_was_corrected_is_found_nowhere():
    tournament = team_event([EntryDraft("Red", members=(ZOE, "Ben")), *THREE[1:]])
    change_member(account("olive"), entry(tournament, "Red"), 1, NOW, name="Zoe Kanary")
    token = issue_entry_link(account("olive"), entry(tournament, "Red"), database_now())
    over(start_tournament(account("olive"), tournament, NOW))
    erase_own(guest_by(token), NOW)
    assert found_in() | found_in("kanary") == set()


@pytest.mark.parametrize("team", [ZOE, f"{ZOE}, Ben"])
def test_a_team_called_by_a_member_who_is_erased_is_called_so_no_longer(team):
    tournament = team_event([EntryDraft(team, team=team, members=(ZOE, "Ben")), *THREE[1:]])
    token = issue_entry_link(account("olive"), entry(tournament, team), database_now())
    over(start_tournament(account("olive"), tournament, NOW))
    erase_own(guest_by(token), NOW)
    assert found_in() == set()
    renamed = tournament.entries.get(number=1).name
    assert renamed.startswith("Erased player")
    assert renamed.endswith(", Ben") == (team != ZOE)
    assert verify_stream(tournament.stream) == []


def test_a_member_of_one_letter_is_erased_without_a_word_put_between_others():
    tournament = team_event([EntryDraft("Red", members=("A", "Ben")), *THREE[1:]])
    token = issue_entry_link(account("olive"), entry(tournament, "Red"), database_now())
    tournament = start_tournament(account("olive"), tournament, NOW)
    staff(tournament, "juno", Role.Name.JUDGE)
    give_penalty(
        account("juno"), entry(tournament, "Red"), Penalty.Kind.WARNING, "Slow play", NOW, notes="Late. Again."
    )
    over(tournament)
    erase_own(guest_by(token), NOW)
    assert Penalty.objects.get().notes == "Late. Again."


def test_the_name_before_a_correction_stays_where_it_is_of_another_entry_now():
    tournament = entered(("Ben",))
    change_entry(account("olive"), entry(tournament, "Ben"), NOW, name="Cem")
    register_walk_ins(account("olive"), tournament, [EntryDraft("Ben")], NOW)
    token = token_for(tournament, name="Cem")
    over(start_tournament(account("olive"), tournament, NOW))
    erase_own(guest_by(token), NOW)
    assert PersonalValue.objects.filter(value="Ben").exists()
    assert not PersonalValue.objects.filter(value="Cem").exists()


def test_a_guest_of_an_event_that_moved_away_gets_a_link_and_is_erased():
    tournament = entered()
    over(start_tournament(account("olive"), tournament, NOW))
    mark_as_moved(account("olive"), Tournament.objects.get(), "Elsewhere", "", NOW)
    page = f"/e/{tournament.slug}/manage/entries/1/"
    shown = browser(account("olive")).post(f"{page}link/", {"member": 1}).content.decode()
    opener(re.search(r"/p/([\w-]+)/", shown)[1]).post("/my/data/erase/", {"confirmed_name": ZOE})
    assert found_in() == set()
    assert verify_stream(tournament.stream) == []


def test_a_guest_whose_organiser_is_gone_gets_a_link_from_who_runs_the_server(capsys):
    tournament = entered()
    over(start_tournament(account("olive"), tournament, NOW))
    erase_own(account("olive"), NOW)
    call_command("personal_link", tournament.slug, "1", "--site", "https://desk.example")
    link = capsys.readouterr().out.strip()
    assert link.startswith("https://desk.example/p/")
    opener(link.split("/")[-2]).post("/my/data/erase/", {"confirmed_name": ZOE})
    assert found_in() == set()
    for number, reason in (("1", "has been erased"), ("99", "has no such entry")):
        with pytest.raises(CommandError, match=reason):
            call_command("personal_link", tournament.slug, number)
    with pytest.raises(CommandError, match="https:// or http:// in front"):
        call_command("personal_link", tournament.slug, "1", "--site", "desk.example")


def test_score_sheets_lose_the_name_and_keep_their_points():
    tournament = entered(("Ben", "Cem"), game="doomlings", best_of=1, score_sheets=True)
    token = token_for(tournament)
    tournament = start_tournament(account("olive"), tournament, NOW)
    match = opened(table(next_round(tournament)))
    write(match, 30, 20, 10)
    revision = file(match, 0)
    work()
    tournament = over(tournament)
    tally = SheetTally.objects.get(revision=revision)
    assert {"scoring.ScoreSheet", "scoring.SheetRevision", "scoring.SheetTally"} <= found_in()
    points = nameless(tally.tally["players"])
    erase_own(guest_by(token), NOW)
    tally.refresh_from_db()
    assert (found_in(), nameless(tally.tally["players"])) == (set(), points)
    assert verify_stream(tournament.stream) == []


def test_staff_see_a_pseudonym_and_others_keep_their_names():
    tournament, token = played()
    erase_own(guest_by(token), NOW)
    shown = browser(account("olive")).get(f"/e/{tournament.slug}/standings/").content.decode()
    assert "Erased player" in shown
    assert "Ben" in shown
    assert ZOE not in shown
    told = good(caller("olive").get(f"/api/v1/events/{tournament.slug}/entries/"))["results"]
    assert sorted(each["name"][:13] for each in told) == ["Ben", "Erased player"]
    log = browser(account("olive")).get(f"/e/{tournament.slug}/manage/log/").content.decode()
    assert "erased their data" in text_of(log)


def test_every_link_is_dead_at_once_and_none_is_made_again():
    tournament, token = played()
    client, program = opener(token), JsonClient(HTTP_AUTHORIZATION=f"Link {token}")
    good(program.get("/api/v1/me/data/"))
    assert client.get("/my/data/").status_code == 200
    erase_own(guest_by(token), NOW)
    assert client.get("/my/data/").status_code == 302
    assert program.get("/api/v1/me/data/").status_code == 401
    assert not PersonalLink.objects.filter(person__erased_at__isnull=False).exists()
    with pytest.raises(Exception, match="erased"):
        token_for(tournament, name=Entry.objects.exclude(name="Ben").get(tournament=tournament).name)


def test_who_still_plays_is_told_what_to_do_first():
    tournament = entered()
    zoe = guest_by(token_for(tournament))
    assert refusal(erase_own, zoe, NOW) == "event_not_over"
    Entry.objects.filter(name=ZOE).update(state=Entry.State.WITHDRAWN)
    erase_own(zoe, NOW)
    assert found_in() == set()


def test_erased_twice_is_once():
    _tournament, token = played()
    zoe = guest_by(token)
    person = Person.objects.get(pk=zoe.person.pk)
    erase_guest(person, zoe, NOW)
    assert refusal(erase_guest, person, zoe, NOW) == "unknown_link"
    assert LedgerEntry.objects.filter(act="person_erased").count() == 1


def test_an_account_of_the_same_name_keeps_what_is_its_own():
    tournament, token = played()
    namesake = account(ZOE)
    values = PersonalValue.objects.filter(entry__stream="accounts", value=ZOE).count()
    erase_own(guest_by(token), NOW)
    assert User.objects.get(pk=namesake.user.pk).username == ZOE
    assert PersonalValue.objects.filter(entry__stream="accounts", value=ZOE).count() == values
    assert Person.objects.filter(user=namesake.user, erased_at=None).exists()
    assert verify_stream(tournament.stream) == []


def test_the_file_holds_what_is_held_on_a_guest_and_nobody_else():
    _tournament, token = played()
    held = held_on(guest_by(token))
    text = json.dumps(held, default=str, ensure_ascii=False)
    for canary in (ZOE, "Canary club", "door", "Canary deck", "Slow play", "c…@example.com"):
        assert canary in text, canary
    assert "canary@example.com" not in text
    assert "Ben" not in text.replace("Benefit", "")
    assert (held["account"], held["roles"], held["events_created"]) == ([], [], [])
    assert [len(held[part]) for part in ("entries", "places", "deck_salts", "decks", "reports")] == [1, 1, 1, 1, 1]
    assert "personal link" in held["left_out"]


def test_a_link_made_later_opens_no_deck_and_no_salt():
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = entered()
    juno = staff(tournament, "juno", Role.Name.JUDGE)
    member = entry(tournament, ZOE).members.get()
    register_deck(juno, member, "Canary deck", sample_decklist(copies=3), NOW)
    member.refresh_from_db()
    DeckCheck.objects.create(
        tournament=tournament, member=member, version=member.deck_version, judge=juno.user, outcome="ok", checked_at=NOW
    )
    secret = ("decks", "deck_versions", "deck_salts", "deck_checks")
    own = held_on(guest_by(token_for(tournament)))
    assert [len(own[part]) for part in secret] == [1, 1, 1, 1]
    late = held_on(guest_by(token_for(tournament, now=NOW + LATER)))
    assert [late[part] for part in secret] == [[], [], [], []]
    assert "Canary deck" not in json.dumps(late, default=str)


def test_an_account_that_took_a_player_over_reads_no_older_deck():
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = entered()
    juno = staff(tournament, "juno", Role.Name.JUDGE)
    register_deck(juno, entry(tournament, ZOE).members.get(), "Canary deck", sample_decklist(copies=3), NOW)
    zoe = account("zoe")
    Person.objects.filter(name=ZOE).update(user=zoe.user, linked_at=NOW - LATER)
    assert "Canary deck" in json.dumps(held_on(zoe), default=str)
    Person.objects.filter(name=ZOE).update(linked_at=NOW + LATER)
    held = held_on(zoe)
    assert "Canary deck" not in json.dumps(held, default=str)
    assert (held["deck_salts"], held["deck_versions"]) == ([], [])


def rivals():
    """An event in which the judge who made Zoe's link plays; over."""
    tournament = entered()
    juno = staff(tournament, "juno", Role.Name.JUDGE)
    sign_up(juno, Tournament.objects.get(pk=tournament.pk), juno.person, NOW)
    token = token_for(tournament, maker="juno")
    tournament = start_tournament(account("olive"), tournament, NOW)
    report_all(next_round(tournament))
    return over(tournament), token


def test_a_link_that_a_rival_made_reads_and_erases_nothing(monkeypatch):
    tournament, token = rivals()
    zoe = guest_by(token)
    for act in (lambda: held_on(zoe), lambda: erase_own(zoe, NOW)):
        assert refusal(act) == "issuer_plays"
    assert opener(token).get("/my/data/export.zip").status_code == 403
    assert held_on(guest_by(token_for(tournament)))
    for module in (selectors, services):
        monkeypatch.setattr(module, "check_link", lambda _actor: None)
    assert held_on(zoe)
    erase_own(zoe, NOW)
    assert found_in() == set(), "the control"


def test_a_link_of_one_event_leaves_the_other_alone():
    tournament, token = played()
    other = event(name="Other cup")
    person = Person.objects.get(name=ZOE)
    second = Entry.objects.create(tournament=other, number=99, name=ZOE, state=Entry.State.WITHDRAWN, registered_at=NOW)
    EntryMember.objects.create(tournament=other, entry=second, person=person, order=1)
    for act in (held_on, lambda actor: erase_own(actor, NOW)):
        assert refusal(act, guest_by(token)) == "other_event"
    everywhere = guest_by(issue_personal_link(person, account("olive"), NOW))
    assert [row["tournament__slug"] for row in held_on(everywhere)["entries"]] == [tournament.slug, other.slug]
    erase_own(everywhere, NOW)
    assert found_in() == set()


def test_the_page_hands_out_the_file_then_asks_for_the_name():
    _tournament, token = played()
    client = opener(token)
    shown = client.get("/my/data/").content.decode()
    assert "Erase my data" in shown
    assert "Erase my account" not in shown
    assert "/accounts/me/" not in shown
    with ZipFile(BytesIO(client.get("/my/data/export.zip").content)) as archive:
        assert json.loads(archive.read("data.json"))["persons"][0]["name"] == ZOE
    asked = client.post("/my/data/erase/")
    assert "personal link" in asked.content.decode()
    assert client.post("/my/data/erase/", {"confirmed_name": "Ben"}).status_code == 422
    assert ZOE in {person.name for person in Person.objects.all()}
    done = client.post("/my/data/erase/", {"confirmed_name": ZOE}, follow=True)
    assert "Your data is erased." in done.content.decode()
    assert found_in() == set()


def test_the_api_hands_out_the_file_and_erases():
    _tournament, token = played()
    guest = JsonClient(HTTP_AUTHORIZATION=f"Link {token}")
    assert good(guest.get("/api/v1/me/data/"))["persons"][0]["name"] == ZOE
    assert guest.get("/api/v1/me/").status_code in (401, 403)
    assert guest.post("/api/v1/me/erase/", {"username": "Ben"}).json()["code"] == "wrong_name"
    assert guest.post("/api/v1/me/erase/", {"username": ZOE}).status_code == 204
    assert found_in() == set()
    assert guest.get("/api/v1/me/data/").status_code == 401


@pytest.mark.sqlite
def test_a_guest_that_a_backup_brings_back_is_erased_again(django_capture_on_commit_callbacks):
    tournament, token = played()
    zoe = guest_by(token)
    with transaction.atomic():
        with django_capture_on_commit_callbacks(execute=True):
            erase_own(zoe, NOW)
        transaction.set_rollback(True)
    (line,) = notes_file().read_text().splitlines()
    assert set(json.loads(line)) == {"person", "joined", "erased"}
    note_erasure(zoe.person.pk + 1000, zoe.person.created_at, NOW, of="person")
    note_erasure(zoe.person.pk, NOW + LATER, NOW)
    assert "accounts.Person" in found_in()
    assert erase_again(database_now()) == (1, 0)
    assert (found_in(), verify_stream(tournament.stream)) == (set(), [])
    assert standings_of(tournament)
    assert erase_again(database_now()) == (0, 0)
