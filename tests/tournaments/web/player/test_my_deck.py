"""The page of one's own deck: unread lines, preview, receipt, versions, deadline, and nobody else's list."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.identity.services import issue_personal_link
from decks.models import DeckVersion
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from rules_engine.systems import get_system
from tests.tournaments.factories import NOW, account, afresh, entry, event, running, staff
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.decks.services.decks import replace_deck
from tournaments.models import EntryMember, Role, Tournament

pytestmark = pytest.mark.django_db
NAMES = ("Ash Ledger", "Cold Handshake", "Glass Widow", "Brass Hound", "Ink for the Devil", "Devil’s Abacus")
LEGAL = "Master Plan: Winter Without End\n\n" + "\n".join(
    f"3x {name}" for name in (*NAMES, "Marrow Giant", "Paper Dragon", "Night Freight", "Überkobold")
)
ILLEGAL = LEGAL.replace("3x Ash Ledger", "4 Ash Ledger\n1 Borrowed Apocalypse")


@pytest.fixture(autouse=True, scope="module")
def _cards(shared_db):
    load_catalogues(NOW, [get_system("doom_pile")])


@pytest.fixture(scope="module")
def stored_held(shared_db):
    return event(2)


@pytest.fixture
def held(stored_held, db):
    return afresh(stored_held)


@pytest.fixture
def ada(held):
    return guest(held, "Ada")


def send(client, held, text, act="register", **values):
    response = client.post(url(held, "my/deck/"), {"name": "Frost", "text": text, "act": act, **values}, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def registered(held, name="Ada"):
    return EntryMember.objects.get(entry=entry(held, name)).deck_version


def test_registering_gives_a_receipt_and_the_verdict(held, ada):
    text = text_of(send(ada, held, LEGAL))
    member = EntryMember.objects.get(entry=entry(held, "Ada"))
    assert all(words in text for words in ("Your deck is registered.", "Frost", "Legal", member.deck_commitment))
    assert member.deck_salt not in text
    assert registered(held).digest[:12] not in text
    assert registered(held).source_text == LEGAL


def test_illegal_deck_is_registered_with_every_violation_and_its_clause(held, ada):
    html = send(ada, held, ILLEGAL)
    assert "registered but not legal" in html
    for clause in ("DP-COPIES", "DP-BANNED"):
        assert f'href="/rules/doom_pile/#{clause}"' in html
    assert registered(held) is not None


def test_checking_shows_the_verdict_and_stores_nothing(held, ada):
    html = send(ada, held, ILLEGAL, act="check")
    assert "Checked, not registered" in html
    assert "DP-BANNED" in html
    assert "4 Ash Ledger" in html
    assert not DeckVersion.objects.exists()


COD = '<cockatrice_deck><zone name="main"><card number="3" name="Ash Ledger"/></zone></cockatrice_deck>'


@pytest.mark.parametrize(("name", "content"), [("deck.cod", COD), ("deck.csv", "count,name\n3,Ash Ledger\n")])
def test_a_file_is_checked_as_lines_that_can_be_registered(held, ada, name, content):
    html = send(ada, held, "typed before", act="import", file=SimpleUploadedFile(name, content.encode()))
    assert "Checked, not registered" in html
    assert "3 Ash Ledger" in html
    assert "typed before" not in html
    assert 'value="Frost"' in html
    assert not DeckVersion.objects.exists()


@pytest.mark.parametrize("file", [{}, {"file": SimpleUploadedFile("deck.cod", b"\0\0")}])
def test_a_file_that_is_no_list_is_refused_and_what_was_typed_stays(held, ada, file):
    html = send(ada, held, "typed before", act="import", **file)
    assert "typed before" in html
    assert 'value="Frost"' in html
    assert 'aria-invalid="true"' in html
    assert "Checked, not registered" not in html


def test_the_key_of_a_checked_form_still_registers_it(held, ada):
    send(ada, held, LEGAL, act="check", idempotency_key="k")
    send(ada, held, LEGAL, idempotency_key="k")
    again = {"name": "Frost", "text": LEGAL, "act": "register", "idempotency_key": "k"}
    assert ada.post(url(held, "my/deck/"), again)["Idempotency-Replayed"] == "true"
    assert DeckVersion.objects.count() == 1


@pytest.mark.parametrize("by_judge", [False, True])
def test_what_was_assumed_of_a_registered_list_is_said_and_its_own_name_is_kept(held, ada, by_judge):
    text = f"Name: Frost\n// 2 Bog Notary\n{LEGAL}"
    if by_judge:
        values = {"name": "", "text": text, "reason": "on paper"}
        juno = browser(staff(held, "juno", Role.Name.JUDGE))
        html = juno.post(url(held, "manage/decks/1/"), values, follow=True).content.decode()
    else:
        html = send(ada, held, text, name=" ")
    assert "Line 2 · Left out, as a comment: Bog Notary." in text_of(html)
    assert registered(held).deck.name == "Frost"


def test_every_unread_line_is_shown_with_suggestions_and_the_text_kept(held, ada):
    html = send(ada, held, LEGAL + "\n3 Glas Widow\n2 <b>Nothing</b> like it")
    assert "Line 13" in html
    assert "Line 14" in html
    assert "Glass Widow" in html
    assert "<b>Nothing" not in html
    assert "3 Glas Widow" in html[html.index("<textarea") :]
    assert registered(held) is None


def test_ten_thousand_lines_are_refused_in_words(held, ada):
    html = send(ada, held, "3 Ash Ledger\n" * 10_000)
    assert "Nothing was saved" in html
    assert registered(held) is None


def test_versions_are_listed_newest_first(held, ada):
    send(ada, held, ILLEGAL)
    html = send(ada, held, LEGAL)
    history = html[html.index("Earlier registrations") :]
    assert history.index("version 2") < history.index("version 1")
    assert registered(held).number == 2


def test_deadline_is_told_in_the_events_zone_and_locks():
    soon = database_now() + timedelta(hours=3)
    held = event(1, deck_deadline=soon, time_zone="Asia/Tokyo")
    ada = guest(held, "Ada")
    local = soon + timedelta(hours=9)
    assert f"{local.day} {local:%B} {local.year}, {local:%H:%M} (Asia/Tokyo)" in text_of(
        page(ada, url(held, "my/deck/"))
    )
    Tournament.objects.filter(pk=held.pk).update(deck_deadline=database_now() - timedelta(seconds=1))
    html = page(ada, url(held, "my/deck/"))
    assert "locked" in html
    assert "<textarea" not in html
    for act in ("register", "check", "replace 1 Frost"):
        late = send(ada, held, LEGAL, act)
        assert "The list you sent" in late
        assert "Please correct this" not in late
        assert "3x Marrow Giant" in late
        assert ("Decks are locked. A judge can still change one" in late) is (act == "register")
    assert registered(held) is None


def test_start_locks_decks_where_no_deadline_is_set():
    held = running(2)
    assert "<textarea" not in page(guest(held, "Ada"), url(held, "my/deck/"))


def test_a_judges_change_is_shown_to_the_owner(held, ada):
    send(ada, held, ILLEGAL)
    juno = staff(held, "juno", Role.Name.JUDGE)
    member = EntryMember.objects.get(entry=entry(held, "Ada"))
    replace_deck(juno, member, "Frost", LEGAL, "a slip of the pen", database_now())
    assert "by a judge" in page(ada, url(held, "my/deck/"))


def test_nobody_sees_another_players_deck(held, ada):
    send(ada, held, LEGAL)
    ben = guest(held, "Ben")
    assert "Ash Ledger" not in page(ben, url(held, "my/deck/")).replace("3 Ash Ledger”", "")
    for who in ("olive", "mallory"):
        assert browser(account(who)).get(url(held, "my/deck/")).status_code == 403
    assert browser().get(url(held, "my/deck/")).status_code == 302
    for rest in ("", "standings/", "pairings/"):
        assert "Winter Without End" not in page(browser(account("olive")), url(held, rest))


def test_games_without_decks_have_no_deck_page():
    held = event(1, game="house_game", game_format="open")
    ada = guest(held, "Ada")
    assert ada.get(url(held, "my/deck/")).status_code == 404
    assert "my/deck" not in page(ada, url(held, "my/"))


def test_deck_page_is_not_cached(held, ada):
    assert "no-store" in ada.get(url(held, "my/deck/"))["Cache-Control"]


def test_a_link_made_after_the_deck_does_not_show_the_list(held, ada):
    send(ada, held, LEGAL)
    assert "Marrow Giant" in page(ada, url(held, "my/deck/"))
    later = Client()
    person = EntryMember.objects.get(entry=entry(held, "Ada")).person
    later.get(f"/p/{issue_personal_link(person, account('olive'), database_now())}/")
    assert_sealed(held, later, registered(held))


def assert_sealed(held, client, version):
    """Neither page nor API shows the deck, its name, nor anything that confirms a guess."""
    html = page(client, url(held, "my/deck/"))
    told = html + client.get(f"/api/v1/events/{held.slug}/my/deck/").content.decode()
    assert not [word for word in ("Marrow Giant", "Frost", version.digest[:12]) if word in told]
    assert "link or account is newer than this deck" in text_of(html)


def test_a_later_link_is_not_shown_what_was_registered_earlier_still(held, ada):
    send(ada, held, ILLEGAL, name="Thaw")
    old = registered(held)
    later = Client()
    person = EntryMember.objects.get(entry=entry(held, "Ada")).person
    later.get(f"/p/{issue_personal_link(person, account('olive'), database_now())}/")
    html = send(later, held, LEGAL)
    assert "Marrow Giant" in html
    assert not [word for word in ("Thaw", old.digest[:12]) if word in html]


def test_a_scorekeeper_who_takes_the_player_over_does_not_see_the_list(held, ada):
    send(ada, held, LEGAL)
    kit = browser(staff(held, "kit", Role.Name.SCOREKEEPER))
    person = EntryMember.objects.get(entry=entry(held, "Ada")).person
    kit.get(f"/p/{issue_personal_link(person, account('kit'), database_now())}/")
    assert kit.post("/accounts/link-person/").status_code == 302
    assert_sealed(held, kit, registered(held))
    assert ada.get(url(held, "my/deck/")).status_code == 302  # one signs in now


def test_a_link_is_dead_once_the_player_has_an_account_and_reads_no_later_list(held, ada):
    client = browser(account("ada"))
    person = EntryMember.objects.get(entry=entry(held, "Ada")).person
    client.get(f"/p/{issue_personal_link(person, account('olive'), database_now())}/")
    client.post("/accounts/link-person/")
    send(client, held, LEGAL)
    for rest in ("my/deck/", "my/deck/sheet/", "my/"):
        assert ada.get(url(held, rest)).status_code == 302
    assert ada.get(f"/api/v1/events/{held.slug}/my/deck/").status_code in (401, 403)


def test_an_account_sees_what_it_registered_after_taking_the_player_over(held):
    client = browser(account("ada"))
    person = EntryMember.objects.get(entry=entry(held, "Ada")).person
    client.get(f"/p/{issue_personal_link(person, account('olive'), database_now())}/")
    client.post("/accounts/link-person/")
    assert "Marrow Giant" in send(client, held, LEGAL)
