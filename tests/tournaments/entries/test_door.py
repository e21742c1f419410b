"""The door: who comes in by its code, and that one phone never gains another player's place or deck."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Person, PersonalLink
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError, NotAllowed, NotFound, TooMany
from rules_engine.systems import get_system
from tests.tournaments.factories import account, entry, event, next_round, staff
from tests.tournaments.web.visitors import browser
from tournaments.decks.services.decks import register_deck
from tournaments.entries.selectors import door as reads
from tournaments.entries.services import door
from tournaments.entries.services.attendance import check_in_entry
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.events.services.events import start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import DoorClaim, DoorCode, Entry, EntryMember, Role, Tournament
from tournaments.permissions import may_see_own_list

pytestmark = pytest.mark.django_db

OLIVE = "olive"


def opened(players: int = 2, *, free: bool = False, **changes: object) -> DoorCode:
    return door.open_door(account(OLIVE), event(players, **changes), database_now(), free_claims=free)


def member(code: DoorCode, name: str = "Ada") -> EntryMember:
    return entry(code.tournament, name).members.get()


def at(code: DoorCode, rest: str = "") -> str:
    return f"/d/{reads.door_token(code)}/{rest}"


def claimed(phone: Client, code: DoorCode, name: str = "Ada", rest: str = "") -> str:
    """The address of the page on which a phone waits that said to be this player."""
    return phone.post(at(code, rest), {"name": name, "who": member(code, name).pk})["Location"]


def own_name(phone: Client, code: DoorCode) -> str:
    """As whom a phone comes to the door; "" for a visitor."""
    context = phone.get(at(code)).context
    return context["entry"].name if "entry" in context else ""


def confirm(code: DoorCode, claim: DoorClaim | None = None, **said: str) -> None:
    claim = claim or DoorClaim.objects.latest("pk")
    path = f"/e/{code.tournament.slug}/manage/door/claims/{claim.pk}/"
    assert browser(account(OLIVE)).post(path, said or {"yes": ""}).status_code == 302


def test_a_name_becomes_a_place_checked_in_with_a_link_kept_and_shown() -> None:
    code, phone = opened(2, check_in=True, self_sign_up=False, capacity=3), Client()
    answer = phone.post(at(code), {"name": "  Zoë   Ferreira "})
    zoe = entry(code.tournament, "Zoë Ferreira")
    assert (zoe.state, zoe.number) == (Entry.State.REGISTERED, 3)
    assert zoe.checked_in_at is not None
    link = PersonalLink.objects.get(person=zoe.members.get().person)
    assert (link.scope, link.issued_by) == (code.tournament.stream, None)
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "same-origin"
    address = answer.context["address"]
    assert address.encode() in answer.content
    assert own_name(phone, code) == "Zoë Ferreira"
    assert phone.get(f"/e/{code.tournament.slug}/my/deck/").status_code == 200
    assert Client().get(address).status_code == 302
    Client().post(at(code), {"name": "Late Larry"})
    larry = entry(code.tournament, "Late Larry")
    assert (larry.state, larry.checked_in_at) == (Entry.State.WAITING, None)


def test_a_tablet_keeps_nothing_and_shows_the_link_once() -> None:
    code, tablet = opened(1, check_in=True), Client()
    answer = tablet.post(at(code, "kiosk/"), {"name": "Zoë"})
    assert "/p/" in answer.context["address"]
    assert "sessionid" not in tablet.cookies
    assert PersonalLink.objects.count() == 1
    assert b"/p/" not in tablet.get(at(code, "kiosk/")).content
    again = tablet.post(at(code, "kiosk/"), {"name": "Zoë"})
    assert b"/p/" not in again.content
    assert [each.person.name for each in again.context["meant"]] == ["Zoë"]


def test_names_of_the_list_are_asked_about() -> None:
    code, phone = opened(2), Client()
    Entry.objects.filter(number=1).update(name="Chloë Marchand")
    for typed in ("chloe marchand", "Marchand Chloe", "CHLOÉ", "Chloe Anne Marchand"):
        answer = phone.post(at(code), {"name": typed})
        assert [each.entry.number for each in answer.context["meant"]] == [1], typed
    assert code.tournament.entries.count() == 2
    phone.post(at(code), {"name": "Chloë Marchand", "who": "new"})
    assert code.tournament.entries.filter(name="Chloë Marchand").count() == 2
    assert "meant" not in Client().post(at(code), {"name": "Chloris"}).context


def test_more_namesakes_than_are_shown_are_counted() -> None:
    code, phone = opened(5), Client()
    Entry.objects.update(name="Ada")
    answer = phone.post(at(code), {"name": "Ada"})
    assert "more player" not in answer.content.decode()
    Entry.objects.bulk_create(
        Entry(tournament=code.tournament, number=number, name="Ada", registered_at=code.created_at)
        for number in (11, 12)
    )
    people = Person.objects.bulk_create(Person(name="Ada", created_at=code.created_at) for _each in range(2))
    EntryMember.objects.bulk_create(
        EntryMember(entry=each, tournament=code.tournament, person=person)
        for each, person in zip(Entry.objects.filter(number__gt=10), people, strict=True)
    )
    answer = phone.post(at(code), {"name": "Ada"})
    assert len(answer.context["meant"]) == 5
    assert "2 more players on the list match" in answer.content.decode()


def test_a_claim_opens_nothing_until_staff_confirm_it() -> None:
    code, phone = opened(2, check_in=True), Client()
    waits = claimed(phone, code)
    assert phone.get(waits).context["state"] == "waiting"
    assert phone.post(waits).context["error"]
    assert own_name(phone, code) == ""
    assert not PersonalLink.objects.exists()
    olive = browser(account(OLIVE))
    for page in ("", "entries/"):
        assert DoorClaim.objects.get().number in olive.get(f"/e/{code.tournament.slug}/manage/{page}").content.decode()
    confirm(code)
    assert phone.get(waits).context["state"] == "confirmed"
    assert not PersonalLink.objects.exists()
    assert "/p/" in phone.post(waits).context["address"]
    assert own_name(phone, code) == "Ada"
    assert PersonalLink.objects.get().issued_by == account(OLIVE).user
    assert entry(code.tournament, "Ada").checked_in_at is not None
    assert phone.post(waits).context["state"] == "over"
    acts = LedgerEntry.objects.filter(stream=code.tournament.stream).order_by("sequence").values_list("act", flat=True)
    assert list(acts)[-4:] == ["door.claimed", "door.confirmed", "entry.link_issued", "entry.checked_in"]


def test_a_declined_claim_opens_nothing() -> None:
    code, phone = opened(), Client()
    waits = claimed(phone, code)
    confirm(code, no="")
    assert phone.get(waits).context["state"] == "declined"
    phone.post(waits)
    assert not PersonalLink.objects.exists()


def _linked(code: DoorCode) -> None:
    issue_entry_link(account(OLIVE), entry(code.tournament, "Ada"), database_now())


def _checked_in(code: DoorCode) -> None:
    check_in_entry(account(OLIVE), entry(code.tournament, "Ada"), database_now())


def _with_deck(code: DoorCode, name: str = "Ada") -> None:
    load_catalogues(database_now(), [get_system("doom_pile")])
    register_deck(account(OLIVE), member(code, name), "Pile", sample_decklist(copies=2), database_now())


def _taken_at_the_door(code: DoorCode) -> None:
    other = Client()
    other.post(claimed(other, code))


def _started(code: DoorCode) -> None:
    start_tournament(account(OLIVE), code.tournament, database_now())


TAKEN = (_linked, _checked_in, _with_deck, _taken_at_the_door, _started)


def attack(taken: object, *, before: bool) -> tuple[DoorCode, Client, list[PersonalLink]]:
    """A phone that claims an entry freely, before or after the player came in another way; what links there were."""
    code, phone = opened(2, free=True), Client()
    waits = claimed(phone, code) if before else ""
    taken(code)  # type: ignore[operator]
    there = list(PersonalLink.objects.filter(revoked_at=None))
    phone.post(waits or claimed(phone, code))
    return code, phone, there


def test_a_free_claim_takes_nothing_from_a_player_who_is_in() -> None:
    for taken in TAKEN:
        for before in (False, True):
            code, phone, there = attack(taken, before=before)
            assert own_name(phone, code) == "", (taken.__name__, before)
            assert list(PersonalLink.objects.filter(revoked_at=None)) == there
            Tournament.objects.all().delete()


def test_control_without_the_guard_a_free_claim_takes_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "is_free", lambda code, member: True)
    for taken in TAKEN[1:3]:
        code, phone, _there = attack(taken, before=True)
        assert own_name(phone, code) == "Ada", taken.__name__


def test_a_free_claim_needs_nobody_and_its_link_shows_no_older_deck() -> None:
    code, phone = opened(2, free=True, check_in=True), Client()
    phone.post(claimed(phone, code))
    assert own_name(phone, code) == "Ada"
    assert entry(code.tournament, "Ada").checked_in_at is not None
    ben = Client()
    waits = claimed(ben, code, "Ben")
    _with_deck(code, "Ben")
    confirm(code)
    ben.post(waits)
    assert own_name(ben, code) == "Ben"
    actor = ben.get(at(code)).wsgi_request.actor
    assert not may_see_own_list(actor, member(code, "Ben"))


def test_of_two_phones_that_claim_one_player_the_confirmed_one_gets_in() -> None:
    code, first, second = opened(), Client(), Client()
    one, two = claimed(first, code), claimed(second, code)
    confirm(code, DoorClaim.objects.earliest("pk"))
    second.post(two)
    first.post(one)
    second.post(two)
    assert (own_name(first, code), own_name(second, code)) == ("Ada", "")
    with pytest.raises(Conflict, match="too long or was answered"):
        door.answer_claim(account(OLIVE), DoorClaim.objects.latest("pk"), database_now(), is_they=True)


def test_a_link_from_the_desk_ends_a_claim_that_was_confirmed_before() -> None:
    code, phone = opened(), Client()
    waits = claimed(phone, code)
    confirm(code)
    _linked(code)
    assert phone.post(waits).context["error"]
    assert own_name(phone, code) == ""


def test_nothing_happens_by_a_code_that_is_renewed_closed_or_foreign() -> None:
    for end in (door.open_door, door.close_door):
        code, phone, named = opened(), Client(), Client()
        waits, confirmed = claimed(phone, code), claimed(named, code, "Ben")
        confirm(code)
        end(account(OLIVE), code.tournament, database_now())  # type: ignore[operator]
        for address in (at(code), at(code, "kiosk/"), waits, confirmed):
            assert phone.get(address).status_code == 404
            assert phone.post(address, {"name": "Mallory"}).status_code == 404
        claim = DoorClaim.objects.filter(confirmed_by="").latest("pk")
        with pytest.raises(NotFound):
            door.answer_claim(account(OLIVE), claim, database_now(), is_they=True)
        with pytest.raises(NotFound):
            door.take_claim(account("mallory"), DoorClaim.objects.latest("pk"), database_now())
        assert code.tournament.entries.count() == 2
        assert not PersonalLink.objects.exists()
        Tournament.objects.all().delete()
    one, other = opened(), opened()
    phone = Client()
    foreign = claimed(phone, one).replace(reads.door_token(one), reads.door_token(other))
    assert phone.get(foreign).status_code == 404
    stranger = browser(account("mallory"))
    claim = DoorClaim.objects.latest("pk")
    assert stranger.post(f"/e/{one.tournament.slug}/manage/door/claims/{claim.pk}/", {"yes": ""}).status_code == 403
    olive = browser(account(OLIVE))
    assert olive.post(f"/e/{other.tournament.slug}/manage/door/claims/{claim.pk}/", {"yes": ""}).status_code == 404


def test_control_a_code_that_is_open_lets_the_same_phone_in() -> None:
    code, phone = opened(), Client()
    waits = claimed(phone, code)
    confirm(code)
    phone.post(waits)
    assert own_name(phone, code) == "Ada"


def test_claims_end_by_themselves_and_codes_cannot_be_forged() -> None:
    code, phone = opened(), Client()
    waits = claimed(phone, code)
    DoorClaim.objects.update(created_at=database_now() - reads.CLAIMS_LAST - timedelta(seconds=1))
    assert phone.get(waits).context["state"] == "over"
    assert not reads.waiting_claims(code.tournament, database_now())
    token = reads.door_token(code)
    for forged in (f"{code.pk}-aaaaaaaaaa", f"{code.pk}", f"{code.pk + 1}{token[token.index('-') :]}", "x", "²-a"):
        assert phone.get(f"/d/{forged}/").status_code == 404, forged
    assert phone.get(f"/d/{token.upper()}/").status_code == 200


def test_a_code_and_an_address_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    code = opened()
    DoorCode.objects.update(uses=door.MAX_USES - 1)
    door.enter_by_door(account("mallory"), code, "One", database_now())
    with pytest.raises(TooMany):
        door.enter_by_door(account("mallory"), code, "Two", database_now())
    with pytest.raises(TooMany):
        door.claim_entry(account("mallory"), code, member(code), database_now())
    DoorCode.objects.update(uses=0)
    monkeypatch.setattr("tournaments.web.player.door.DoorThrottle.rate", "2/hour")
    answers = [Client().post(at(code), {"name": f"N{number}"}, REMOTE_ADDR="10.0.0.8") for number in range(1, 4)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


def test_after_the_start_only_the_list_comes_in() -> None:
    code = opened(2)
    _started(code)
    answer = Client().post(at(code), {"name": "Mallory"})
    assert answer.context["form"].errors
    phone = Client()
    waits = claimed(phone, code)
    confirm(code)
    phone.post(waits)
    assert own_name(phone, code) == "Ada"


def test_accounts_come_as_themselves_and_are_claimed_by_nobody() -> None:
    code, mallory = opened(1), account("mallory")
    phone = browser(mallory)
    assert b'name="name"' not in phone.get(at(code)).content
    phone.post(at(code), {"name": "Somebody else"})
    assert own_name(phone, code) == "mallory"
    assert not PersonalLink.objects.exists()
    answer = Client().post(at(code), {"name": "mallory", "who": member(code, "mallory").pk})
    assert "signs in with an account" in str(answer.context["form"].errors)


def test_a_scorekeeper_confirms_no_opponent_and_a_judge_opens_the_door() -> None:
    code = opened(2, scorekeepers_issue=True)
    kit = staff(code.tournament, "kit", Role.Name.SCOREKEEPER)
    door.enter_by_door(kit, code, "", database_now(), person=kit.person)
    _started(code)
    match = next_round(code.tournament).matches.get(seats__member__person=kit.person)
    rival = match.seats.exclude(member__person=kit.person).get().member
    claim = door.claim_entry(account("mallory"), code, rival, database_now())
    with pytest.raises(NotAllowed):
        door.answer_claim(kit, claim, database_now(), is_they=True)
    door.open_door(staff(code.tournament, "juno", Role.Name.JUDGE), code.tournament, database_now())


def test_the_door_opens_only_while_players_enter_or_play() -> None:
    tournament = event(2)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.DRAFT)
    with pytest.raises(DomainError):
        door.open_door(account(OLIVE), tournament, database_now())
