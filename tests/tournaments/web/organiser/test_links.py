"""A personal link is good for the event whose staff made it, and no other; its player reads who made it and when."""

import re
from unittest.mock import Mock
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from accounts.models import Person, PersonalLink
from accounts.notifications.push_services import Unreachable
from journal.clock import database_now
from journal.models import LedgerEntry, OutboxMessage
from tests.tournaments.factories import NOW, account, draft, entry, event, next_round, running, staff
from tests.tournaments.web.visitors import browser, text_of, url
from tournaments import tasks
from tournaments.core.rounds import matches_of
from tournaments.entries.services.desk_entries import issue_entry_link, revoke_entry_links
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.events.services.events import create_tournament, open_registration, start_tournament
from tournaments.models import Entry, EntryMember, Role, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def home():
    """Olive's event, in which Ben plays without an account."""
    return event(2)


@pytest.fixture
def trap():
    """Mallory's event, open for registration."""
    mallory = account("mallory")
    return open_registration(mallory, create_tournament(mallory, draft(name="Trap"), NOW), NOW)


def opened(tournament: Tournament, by: str, name: str = "Ben") -> Client:
    """A browser that opened the link which somebody made for a player of the event."""
    client = Client()
    token = issue_entry_link(account(by), entry(tournament, name), database_now())
    assert client.get(f"/p/{token}/").status_code == 302
    return client


def in_both(home: Tournament, trap: Tournament) -> None:
    """Enter the same guest in Mallory's event, as could be done before links had a scope."""
    person = EntryMember.objects.get(entry=entry(home, "Ben")).person
    sign_up(account("mallory"), trap, person, NOW)


def test_a_link_acts_in_its_own_event_alone(home, trap):
    in_both(home, trap)
    ben = opened(trap, "mallory")
    assert ben.get(url(trap, "my/")).status_code == 200
    for rest in ("my/", "my/deck/", "my/drop/"):
        assert ben.get(url(home, rest)).status_code == 403
    assert ben.get(f"/api/v1/events/{home.slug}/my/").status_code == 403
    assert ben.post(f"/api/v1/events/{home.slug}/my/drop/").status_code == 403
    assert ben.get("/my/").headers["Location"] == url(trap)
    assert entry(home, "Ben").state == "registered"


def test_revoking_in_one_event_leaves_the_links_of_another(home, trap):
    in_both(home, trap)
    ben = opened(home, "olive")
    lost = opened(trap, "mallory")
    assert revoke_entry_links(account("mallory"), entry(trap, "Ben"), database_now()) == 1
    assert ben.get(url(home, "my/")).status_code == 200
    assert lost.get(url(trap, "my/")).status_code == 302


def test_a_link_that_does_not_exist_is_not_called_revoked(home):
    olive, path = browser(account("olive")), url(home, "manage/entries/2/revoke-links/")
    assert "Ben has no personal link." in text_of(olive.post(path, follow=True).getvalue().decode())
    issue_entry_link(account("olive"), entry(home, "Ben"), database_now())
    assert "The personal link of Ben is revoked." in text_of(olive.post(path, follow=True).getvalue().decode())
    assert "Ben has no personal link." in text_of(olive.post(path, follow=True).getvalue().decode())


def test_links_of_a_player_with_an_account_can_be_revoked(home):
    opened(home, "olive")
    Person.objects.filter(name="Ben").update(user=account("ben").user)
    assert revoke_entry_links(account("olive"), entry(home, "Ben"), database_now()) == 1


def test_signing_up_elsewhere_needs_an_account(home, trap):
    ben = opened(home, "olive")
    for response in (
        ben.get(url(trap, "register/")),
        ben.post(url(trap, "register/"), {"act": "sign_up"}),
        ben.post(f"/api/v1/events/{trap.slug}/entries/sign-up/", {}, "application/json"),
    ):
        assert response.status_code == 403
        assert "Sign in with an account" in response.getvalue().decode()
    assert not trap.entries.exists()


def test_a_link_of_another_event_does_not_open_a_private_one(home, trap):
    in_both(home, trap)
    Tournament.objects.filter(pk=home.pk).update(visibility=Tournament.Visibility.PRIVATE)
    assert opened(trap, "mallory").get(url(home)).status_code == 404
    assert opened(home, "olive").get(url(home)).status_code == 200


def test_a_guest_who_withdrew_signs_up_again_by_the_link(home):
    ben = opened(home, "olive")
    ben.post(url(home, "register/"), {"act": "withdraw"})
    assert entry(home, "Ben").state == "withdrawn"
    assert ben.post(url(home, "register/"), {"act": "sign_up"}).status_code == 302
    assert entry(home, "Ben").state == "registered"


# Who made it, and when


def notice(zone: str) -> str:
    """What tells of the newest link, by the clock of a zone."""
    made = PersonalLink.objects.latest("created_at").created_at.astimezone(ZoneInfo(zone))
    at = f"{made.day} {made:%b, %H:%M %Z}"
    return f"kit created a new link for you on {at}. Your older link has ended. If you did not ask for it"


def read(client: Client, tournament: Tournament) -> str:
    """What a player reads who opens the own match, or is led away from it."""
    return text_of(client.get(url(tournament, "my/"), follow=True).getvalue().decode())


def test_a_player_reads_on_both_browsers_who_made_a_newer_link_and_when():
    held = event(2, scorekeepers_issue=True, time_zone="Asia/Tokyo")
    staff(held, "kit", Role.Name.SCOREKEEPER)
    ben, ada = opened(held, "olive"), opened(held, "olive", "Ada")
    page = read(ben, held)
    assert page.index("olive created your personal link on") > page.rindex("My deck"), "at the foot"
    rival = opened(held, "kit")
    assert notice("UTC") in read(ben, held), "this browser is led to the page for signing in, which is of no event"
    page = read(rival, held)
    assert page.index(notice("Asia/Tokyo")) < page.rindex("My deck"), "a warning comes first"
    assert page.count("kit created") == 1
    for client in (ada, Client()):
        assert "created a new link" not in read(client, held)


def test_a_newer_link_that_is_revoked_is_told_no_longer():
    held = event(2)
    ben = opened(held, "olive")
    opened(held, "olive")
    assert "olive created a new link for you" in read(ben, held)
    revoke_entry_links(account("olive"), entry(held, "Ben"), database_now())
    assert "created a new link" not in read(ben, held)


def slips(client: Client, tournament: Tournament) -> dict[str, str]:
    """The address on each slip that pressing "Links for … players" answers, by name."""
    html = client.post(f"/e/{tournament.slug}/manage/entries/links/").getvalue().decode()
    parts = html.split('<section class="sign link-slip"')[1:]
    return {
        text_of(part.split("<h2>")[1].split("</h2>")[0]): re.search(r"http://[^<]*/p/[^<]+/", part)[0] for part in parts
    }


def test_one_press_makes_a_slip_for_everybody_who_has_neither_account_nor_link():
    held = event(4)
    client, ben = browser(account("olive")), opened(held, "olive")
    Person.objects.filter(name="Cem").update(user=account("cem").user)
    Entry.objects.filter(tournament=held, name="Dora").update(state=Entry.State.WITHDRAWN)
    register_walk_ins(account("olive"), held, [EntryDraft("Örs")], NOW)
    assert "Links for 2 players" in text_of(client.get(f"/e/{held.slug}/manage/entries/").getvalue().decode())
    found = slips(client, held)
    assert [*found] == ["Ada", "Örs"]
    assert ben.get(url(held, "my/")).status_code == 200, "a link that is in use stays"
    for name, address in found.items():
        phone = Client()
        phone.get(address)
        assert name in text_of(phone.get(url(held, "register/")).getvalue().decode())
    act = LedgerEntry.objects.get(stream=held.stream, act="entry.links_issued")
    assert (act.subjects["count"], act.actor) == (2, account("olive").key)
    assert set(PersonalLink.objects.exclude(person__name="Ben").values_list("issued_by__username", flat=True)) == {
        "olive"
    }


def test_slips_are_shown_once_and_a_second_press_makes_none():
    held = event(3)
    client = browser(account("olive"))
    key = {"idempotency_key": "11111111-1111-4111-8111-111111111111"}
    address = f"/e/{held.slug}/manage/entries/links/"
    first = client.post(address, key)
    assert first.headers["Cache-Control"].find("no-store") >= 0
    assert first.getvalue().decode().count('link-slip"') == 3
    again = client.post(address, key)
    assert "/p/" not in again.getvalue().decode(), "the kept answer of a key holds no secret"
    assert "already has an account or a link" in text_of(client.post(address, follow=True).getvalue().decode())
    assert PersonalLink.objects.count() == 3


def test_a_scorekeeper_who_plays_gets_no_slip_of_an_opponent():
    held = running(4, scorekeepers_issue=True)
    kit = staff(held, "kit", Role.Name.SCOREKEEPER)
    Person.objects.filter(name="Ada").update(user=kit.user)
    round_ = next_round(held)
    opponent = next(
        seat.entry.name
        for match in matches_of(round_)
        if match.seats.filter(entry__name="Ada").exists()
        for seat in match.seats.exclude(entry__name="Ada")
    )
    found = slips(browser(kit), held)
    assert sorted([*found, opponent]) == ["Ben", "Cem", "Dora"]


# By mail

MAILS = "manage/entries/links/mail/"


@pytest.fixture
def by_mail(settings) -> Tournament:
    """An event on a site that sends mail: Ada and Cem have an address, Ben and Dora have none."""
    settings.DOOMDESK_MAIL, settings.PUBLIC_ADDRESS = True, "http://shop.test"
    held = event(4, place="Lantern Street 9", scorekeepers_issue=True, time_zone="Europe/Berlin")
    for name in ("Ada", "Cem"):
        Person.objects.filter(name=name).update(email=f"{name.lower()}@example.org")
    Person.objects.filter(name="Cem").update(language="de")
    return held


def sent() -> dict[str, str]:
    """Let the worker send what waits; answers the link in each mail by its address."""
    mail.outbox.clear()
    for message in OutboxMessage.objects.filter(task=tasks.mail_link.name, done_at=None):
        tasks.mail_link.run(*message.args)
        OutboxMessage.objects.filter(pk=message.pk).update(done_at=database_now())
    return {each.to[0]: re.search(r"http://shop\.test(/p/\S+)", each.body)[1] for each in mail.outbox}


def test_links_go_by_mail_to_those_with_an_address_once(by_mail):
    olive, key = browser(account("olive")), {"idempotency_key": "22222222-2222-4222-8222-222222222222"}
    page = text_of(olive.get(url(by_mail, MAILS)).getvalue().decode())
    assert "Get a link by email 2 Have no link and no email address 2 Have an address and a link already 0" in page
    first = olive.post(url(by_mail, MAILS), key, follow=True)
    assert "2 links are on their way." in text_of(first.getvalue().decode())
    assert "2 links are on their way." not in text_of(olive.post(url(by_mail, MAILS), follow=True).getvalue().decode())
    olive.post(url(by_mail, MAILS), key)
    links = sent()
    assert [*links] == ["ada@example.org", "cem@example.org"]
    assert "0 waiting" in text_of(olive.get(url(by_mail, MAILS)).getvalue().decode())
    english, german = (each.body for each in mail.outbox)
    assert all(each in english for each in ("Hello Ada", by_mail.name, "Lantern Street 9", "(Europe/Berlin)"))
    assert "Hello" not in german
    phone = Client()
    phone.get(links["ada@example.org"])
    assert "Ada" in text_of(phone.get(url(by_mail, "register/")).getvalue().decode())
    assert PersonalLink.objects.filter(revoked_at=None).count() == 2
    act = LedgerEntry.objects.get(stream=by_mail.stream, act="entry.links_mailed")
    assert (act.subjects["count"], act.actor) == (2, account("olive").key)
    stored = repr([*OutboxMessage.objects.values(), *LedgerEntry.objects.values(), *PersonalLink.objects.values()])
    assert not any(link.split("/")[2] in stored for link in links.values()), "no table holds a token"


def test_a_link_in_use_is_replaced_only_if_asked_for_and_an_overtaken_mail_is_not_sent(by_mail):
    olive, ada = browser(account("olive")), opened(by_mail, "olive", "Ada")
    olive.post(url(by_mail, MAILS))
    assert [*sent()] == ["cem@example.org"]
    assert ada.get(url(by_mail, "my/")).status_code == 200
    for _press in range(2):
        olive.post(url(by_mail, MAILS), {"renew": "1"})
    assert ada.get(url(by_mail, "my/")).status_code != 200
    assert sorted(sent()) == ["ada@example.org", "cem@example.org"], "of two links for one player the newer is sent"
    assert PersonalLink.objects.filter(revoked_at=None).count() == 2


def test_a_mail_that_failed_is_tried_again_with_the_same_link(by_mail, monkeypatch):
    browser(account("olive")).post(url(by_mail, MAILS))
    with monkeypatch.context() as down:
        down.setattr(EmailBackend, "send_messages", Mock(side_effect=ConnectionRefusedError))
        with pytest.raises(Unreachable):
            sent()
    assert Client().get(sent()["ada@example.org"]).headers["Location"] != "/"
    assert PersonalLink.objects.count() == 2


def test_mails_are_for_staff_of_the_event_and_bounded(by_mail, trap, settings, monkeypatch):
    assert browser(account("mallory")).post(url(by_mail, MAILS)).status_code == 403
    kit = staff(by_mail, "kit", Role.Name.SCOREKEEPER)
    Tournament.objects.filter(pk=by_mail.pk).update(scorekeepers_issue=False)
    assert browser(kit).post(url(by_mail, MAILS)).status_code == 403
    olive = browser(account("olive"))
    monkeypatch.setattr("tournaments.entries.services.link_mails.MAX_A_DAY", 1)
    assert "Too many emails" in text_of(olive.post(url(by_mail, MAILS), follow=True).getvalue().decode())
    settings.DOOMDESK_MAIL = False
    assert "This site sends no email." in text_of(olive.post(url(by_mail, MAILS), follow=True).getvalue().decode())
    assert not PersonalLink.objects.exists()
    assert not OutboxMessage.objects.filter(task=tasks.mail_link.name).exists()


def test_a_scorekeeper_who_plays_mails_no_link_to_an_opponent(by_mail):
    kit = staff(by_mail, "kit", Role.Name.SCOREKEEPER)
    Person.objects.filter(name="Ben").update(user=kit.user)
    Person.objects.filter(name__in=["Ada", "Cem", "Dora"]).update(email="player@example.org")
    start_tournament(account("olive"), by_mail, NOW)
    round_ = next_round(by_mail)
    browser(kit).post(url(by_mail, MAILS))
    linked = set(PersonalLink.objects.values_list("person__name", flat=True))
    assert len(linked) == 2
    assert not any(
        {"Ben", other} <= {seat.entry.name for seat in match.seats.all()}
        for match in matches_of(round_) for other in linked
    )  # fmt: skip
