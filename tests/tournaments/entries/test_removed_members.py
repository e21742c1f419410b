"""A member taken out of a team: who moves up, what the next one at a place sees, and when it is refused."""

import pytest
from django.core import signing

from accounts.identity.selectors import live_links
from accounts.models import Person, PersonalLink
from decks.models import Deck
from journal.clock import database_now
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry, PersonalValue
from tests.refusals import refusal
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.entries.test_team_mates import member_named, teams_of_accounts, with_decks
from tests.tournaments.entries.test_teams import THREE, guest_of, joined, names_of, playing, team_address_of, team_event
from tests.tournaments.factories import NOW, account, entry, next_round, staff
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.decks.selectors.deck_checks import readings_of
from tournaments.decks.selectors.deck_commitments import CommitmentState, commitments_of
from tournaments.decks.selectors.registered import registrations_of
from tournaments.decks.services.deck_checks import read_deck, record_check
from tournaments.decks.services.decks import register_deck
from tournaments.entries.selectors.teams import SALT, team_of_token
from tournaments.entries.services import door
from tournaments.entries.services.entries import EntryDraft, sign_up
from tournaments.entries.services.members import add_member, change_member, remove_member
from tournaments.events.services.events import start_tournament
from tournaments.models import DeckCheck, DoorClaim, EntryMember, Role, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.permissions import member_of
from tournaments.privacy.services import erase_account

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
OLIVE = "olive"


def take_out(tournament, team, name):
    place = entry(tournament, team).members.get(person__name=name).order
    return remove_member(account(OLIVE), entry(tournament, team), place, name, NOW)


def test_those_behind_move_up_and_the_next_one_sits_last():
    tournament = team_event(THREE)
    take_out(tournament, "Green", "Emil")
    assert names_of(entry(tournament, "Green")) == ["Fay", "Gus"]
    add_member(account(OLIVE), entry(tournament, "Green"), "Hana", NOW)
    members = entry(tournament, "Green").members.order_by("order")
    assert [(each.order, each.person.name) for each in members] == [(1, "Fay"), (2, "Gus"), (3, "Hana")]
    assert verify_stream(tournament.stream) == []
    log = text_of(page(browser(account(OLIVE)), url(tournament, "manage/log/")))
    assert "removed member 1 from no. 3 Green" in log
    assert next_round(start_tournament(account(OLIVE), tournament, NOW)).matches.count() == 1


def test_a_page_asks_for_the_name_before_it_removes_a_member():
    tournament = team_event(THREE)
    olive, path = browser(account(OLIVE)), url(tournament, "manage/entries/3/members/2/remove/")
    assert path in page(olive, url(tournament, "manage/entries/3/"))
    asked = text_of(olive.post(path).content.decode())
    assert "Remove Fay from Green?" in asked
    assert olive.post(path, {"confirmed_name": "Gus"}).status_code == 422
    assert names_of(entry(tournament, "Green")) == ["Emil", "Fay", "Gus"]
    answer = olive.post(path, {"confirmed_name": "fay"}, follow=True)
    assert "Fay is no longer in Green." in text_of(answer.content.decode())
    assert names_of(entry(tournament, "Green")) == ["Emil", "Gus"]
    assert olive.post(path, {"confirmed_name": "Fay"}).status_code == 422  # Gus has moved to that place
    start_tournament(account(OLIVE), tournament, NOW)
    assert "/remove/" not in page(olive, url(tournament, "manage/entries/3/"))


def test_a_program_removes_a_member_and_names_whom_it_means():
    tournament = team_event(THREE)
    path, olive = f"{path_of(tournament)}entries/3/members/2/remove/", caller(OLIVE)
    assert good(olive.post(path, {"name": "Fay"}))["members"] == ["Emil", "Gus"]
    answer = olive.post(path, {"name": "Fay"})
    assert (answer.status_code, answer.json()["code"]) == (409, "other_member")
    assert olive.post(path, {}).status_code == 400


def _alone(tournament):
    take_out(tournament, "Red", "ada")


def _checked(tournament):
    record_check(account("juno"), member_named(tournament, "ada"), DeckCheck.Outcome.OK, "", NOW)


def _penalised(tournament):
    give_penalty(account(OLIVE), entry(tournament, "Red"), "warning", "Late", NOW)


def _started(tournament):
    start_tournament(account(OLIVE), tournament, NOW)


def _paired_before(tournament):
    """An event that was paired, and then taken back to before its start."""
    next_round(start_tournament(account(OLIVE), tournament, NOW))
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.REGISTRATION, started_at=None)


@pytest.mark.parametrize(
    ("before", "code"),
    [(_alone, "last_member"), (_checked, "entry_on_record"), (_penalised, "entry_on_record"),
     (_started, "wrong_state"), (_paired_before, "entry_paired")],
)  # fmt: skip
def test_a_member_stays_where_something_depends_on_who_is_in_the_team(before, code):
    tournament = with_decks(teams_of_accounts())
    staff(tournament, "juno", Role.Name.JUDGE)
    before(tournament)
    held = names_of(entry(tournament, "Red"))
    place = len(held)
    assert refusal(remove_member, account(OLIVE), entry(tournament, "Red"), place, "ben", NOW) == code
    assert names_of(entry(tournament, "Red")) == held


def test_decks_keep_their_players_and_no_place_shows_the_list_of_who_had_it_before():
    tournament = with_decks(teams_of_accounts({"Red": ("ada", "ben", "cem"), "Blue": ("dora",)}))
    juno = staff(tournament, "juno", Role.Name.JUDGE)
    for name in ("ada", "ben"):
        read_deck(juno, member_named(tournament, name), NOW)
    take_out(tournament, "Red", "ada")
    ben, cem = (member_named(tournament, name) for name in ("ben", "cem"))
    assert {each.state for each in commitments_of(tournament)} == {CommitmentState.WHOLE}
    assert [[each.version.deck.name for each in registrations_of(tournament, who)] for who in (ben, cem)] == [
        ["Deck of ben"], ["Deck of cem"],
    ]  # fmt: skip
    assert [len(readings_of(tournament, who)) for who in (ben, cem)] == [1, 0]
    take_out(tournament, "Red", "cem")
    joined(account("emil"), entry(tournament, "Red"))
    emil = member_named(tournament, "emil")
    assert (emil.order, registrations_of(tournament, emil), readings_of(tournament, emil)) == (2, [], [])
    shown = page(browser(account("emil")), url(tournament, "my/deck/"))
    assert "Deck of ben" not in shown
    assert "Deck of cem" not in shown
    assert len(registrations_of(tournament, ben)) == 1
    log = text_of(page(browser(account(OLIVE)), url(tournament, "manage/log/")))
    assert "moved the deck of no. 1 Red up by a place" in log
    assert verify_stream(tournament.stream) == []


def test_who_was_removed_has_no_place_no_link_and_no_event():
    tournament = teams_of_accounts()
    guest = team_event([EntryDraft("Red", members=("Ada", "Ben")), *THREE[1:]])
    Person.objects.filter(name="Ben").update(email="ben@example.org", mails_pairings=True)
    phone = guest_of(guest, "Ben")
    take_out(guest, "Red", "Ben")
    ben = Person.objects.get(name="Ben")
    assert (ben.email, ben.mails_pairings, live_links().filter(person=ben).exists()) == ("", False, False)
    assert phone.get(url(guest, "register/")).status_code == 302  # nobody is signed in there
    own = browser(account("ben"))
    assert tournament.name in text_of(page(own, "/my/"))
    take_out(tournament, "Red", "ben")
    assert member_of(account("ben"), tournament) is None
    assert tournament.name not in text_of(page(own, "/my/"))
    assert sign_up(account("ben"), tournament, account("ben").person, NOW).name == "ben"


def test_the_link_of_a_team_ends_for_all_who_hold_it_once_a_member_is_removed():
    tournament = teams_of_accounts()
    held, of_blue = (team_address_of(name, tournament) for name in ("ada", "cem"))
    take_out(tournament, "Red", "ben")
    for name in ("ben", "emil"):
        answer = browser(account(name)).post(held)
        assert answer.status_code == 404
        assert "valid any more. Ask a team-mate for a new one." in text_of(answer.content.decode())
        program = caller(name).post(f"{path_of(tournament)}entries/join/", {"token": held.split("/")[-2]})
        assert program.json()["code"] == "unknown_team"
    assert browser(account("emil")).post(of_blue).status_code == 302
    assert browser(account("ben")).post(team_address_of("ada", tournament)).status_code == 302
    assert playing(tournament) == {"Red": ["ada", "ben"], "Blue": ["cem", "dora", "emil"]}


def test_a_link_of_the_first_edition_leads_to_its_team_until_a_member_is_removed():
    tournament = teams_of_accounts()
    red = entry(tournament, "Red")
    token = signing.dumps(red.pk, salt=SALT)
    assert team_of_token(tournament, token) == red
    take_out(tournament, "Red", "ben")
    assert refusal(team_of_token, tournament, token) == "unknown_team"


def test_of_a_guest_who_is_in_no_event_any_more_the_name_alone_stays():
    tournament, other = team_event(THREE), team_event(THREE)
    ben = entry(other, "Red").members.get(order=2).person
    EntryMember.objects.filter(tournament=tournament, entry__name="Red", order=2).update(person=ben)
    with_decks(tournament)
    take_out(other, "Red", "Ben")
    assert Deck.objects.filter(owner=ben).count() == 1, "registered for the event in which Ben still is"
    take_out(tournament, "Red", "Ben")
    assert not Deck.objects.filter(owner=ben).exists()
    assert Deck.objects.exists(), "of all others"
    assert Person.objects.get(pk=ben.pk).name == "Ben"
    (deleted,) = LedgerEntry.objects.filter(act="deck.deleted")
    assert (deleted.actor, deleted.role) == (account(OLIVE).key, "organiser")
    log = text_of(page(browser(account(OLIVE)), url(tournament, "manage/log/?verify=1")))
    assert "removed member 2 from no. 1 Red" in log
    assert verify_stream(tournament.stream) == []


def test_decks_of_an_account_stay_with_their_owner():
    tournament = with_decks(teams_of_accounts())
    take_out(tournament, "Red", "ben")
    assert Deck.objects.filter(owner=account("ben").person, hidden_at=None).count() == 1


def test_a_link_for_another_event_stays():
    tournament, other = team_event(THREE), team_event(THREE)
    ada = entry(tournament, "Red").members.get(order=1).person
    EntryMember.objects.filter(tournament=other, person__name="Ada").update(person=ada)
    for each in (tournament, other):
        PersonalLink.objects.create(person=ada, scope=each.stream, token_hash=each.stream, created_at=NOW)
    Person.objects.filter(pk=ada.pk).update(email="ada@example.org")
    take_out(tournament, "Red", "Ada")
    assert list(PersonalLink.objects.filter(revoked_at=None).values_list("scope", flat=True)) == [other.stream]
    ada.refresh_from_db()
    assert ada.email == "ada@example.org"


def test_a_team_called_by_the_leaver_is_called_by_who_is_first_now():
    tournament = teams_of_accounts({"": ("ada", "ben"), "dora": ("dora", "emil")})
    take_out(tournament, "ada", "ada")
    take_out(tournament, "dora", "dora")  # chosen
    assert playing(tournament) == {"ben": ["ben"], "dora": ["emil"]}
    assert verify_stream(tournament.stream) == []


def test_a_claim_at_the_door_ends_with_its_member():
    tournament = team_event(THREE)
    code = door.open_door(account(OLIVE), tournament, database_now())
    ben = entry(tournament, "Red").members.select_related("entry", "person").get(order=2)
    claim = door.claim_entry(account("visitor"), code, ben, database_now())
    take_out(tournament, "Red", "Ben")
    assert not DoorClaim.objects.exists()
    for act, named in ((door.answer_claim, {"is_they": True}), (door.take_claim, {})):
        assert refusal(act, account(OLIVE), claim, database_now(), **named) == "claim_over"
    assert refusal(door.claim_entry, account("visitor"), code, ben, database_now()) == "no_member"


def test_a_deck_that_comes_in_after_its_player_left_is_refused():
    tournament = with_decks(teams_of_accounts())
    ben, juno = member_named(tournament, "ben"), staff(tournament, "juno", Role.Name.JUDGE)
    take_out(tournament, "Red", "ben")
    assert refusal(register_deck, account("ben"), ben, "Late", "5 Ambush", NOW) == "no_member"
    assert refusal(read_deck, juno, ben, NOW) == "no_member"


def test_who_left_a_team_is_erased_from_its_log_and_those_who_moved_keep_their_names():
    tournament = teams_of_accounts({"": ("zoe canary", "ben", "cem")})
    EntryMember.objects.filter(tournament=tournament, person__name="ben").update(person=Person.objects.create(
        name="Benn", created_at=NOW))  # fmt: skip
    change_member(account(OLIVE), tournament.entries.get(), 2, NOW, name="Bengt")
    take_out(tournament, "zoe canary", "zoe canary")
    zoe = account("zoe canary")
    erase_account(zoe.user, zoe, NOW)
    assert not PersonalValue.objects.filter(value__icontains="canary").exists()
    assert PersonalValue.objects.filter(value="Bengt").exists()
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="person.erased").count() == 1
    assert verify_stream(tournament.stream) == []
