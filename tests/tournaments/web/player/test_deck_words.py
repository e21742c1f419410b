"""What pages of an event tell of decks: lists to come, the way to play, the opponent's list; forms of judges."""

import re
from datetime import timedelta

import pytest

from decks.models import CardList, Recheck, RecheckResult
from journal.clock import database_now
from journal.models import LedgerEntry
from tests.decks.owners import save_deck_version
from tests.tournaments.factories import NOW, account, entry, event, next_round, staff
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import DeckCheck, EntryMember, Role

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pile_cards")]
LEGAL = sample_decklist(copies=3)
CARD = "Ash Ledger"
TROOPER = {"game": "doomtrooper", "game_format": "tournament-1997"}
FALLS = "Your deck won’t be legal at the event"
EMPTY = "This deck is empty."


def with_decks(players=2, **changes):
    """Walk-ins with decks, and Juno who judges."""
    tournament = event(players, swiss_rounds=1, **changes)
    for each in tournament.entries.all():
        register_deck(account("olive"), each.members.get(), "Secret pile", LEGAL, NOW)
    staff(tournament, "juno", Role.Name.JUDGE)
    return tournament


def member(tournament, name="Ada"):
    return EntryMember.objects.get(entry=entry(tournament, name))


def juno():
    return browser(account("juno"))


def felled(tournament):
    """Ada's deck falls by a list in force nine days from now, with a cure."""
    now = database_now()
    coming = CardList.objects.create(
        game="doom_pile", format="standard", slug="coming", name="Coming list",
        valid_from=now.date() + timedelta(days=9), state=CardList.State.ANNOUNCED, announced_at=now,
    )  # fmt: skip
    recheck = Recheck.objects.create(card_list=coming, requested_at=now, total=1)
    RecheckResult.objects.create(
        recheck=recheck, version=member(tournament).deck_version, variant="", legal_before=True, legal_after=False,
        report={}, repair=[{"card": CARD, "section": "main", "change": -1}],
    )  # fmt: skip


def test_players_are_warned_of_a_list_that_fells_their_deck_by_the_day_of_the_event():
    tournament = with_decks(starts_at=database_now() + timedelta(days=20))
    felled(tournament)
    ada, ben = guest(tournament, "Ada"), guest(tournament, "Ben")
    EntryMember.objects.update(deck_registered_at=database_now())
    told = text_of(page(ada, url(tournament, "my/deck/")))
    assert all(words in told for words in ("Coming list", "not legal from", f"-1 {CARD}"))
    assert FALLS in page(ada, url(tournament))
    for other in (ben, browser(), browser(account("olive"))):
        assert FALLS not in page(other, url(tournament))
    assert "Coming list" not in page(ben, url(tournament, "my/deck/"))


@pytest.mark.parametrize("days", [3, 20])
def test_no_warning_of_a_list_after_the_day_or_to_a_link_that_came_later(days):
    tournament = with_decks(starts_at=database_now() + timedelta(days=days))
    felled(tournament)
    ada = guest(tournament, "Ada")
    if days == 20:
        EntryMember.objects.update(deck_registered_at=NOW - timedelta(days=1))
    assert FALLS not in page(ada, url(tournament))
    assert "Coming list" not in page(ada, url(tournament, "my/deck/"))


def test_the_way_to_play_is_named_on_the_event_and_its_sheet():
    tournament = event(**TROOPER, variant="multi-player")
    assert "Rules of 1997, multi-player" in page(browser(), url(tournament))
    assert "Multi-player" in page(browser(), url(tournament, "decks/sheet/"))
    assert "Rules of 1997, head to head" in page(browser(), url(event(**TROOPER, name="Another")))


def test_the_opponents_list_is_one_step_from_the_own_match_once_it_is_shown():
    tournament = with_decks(deck_publish="to_opponent")
    players = [guest(tournament, "Ada"), guest(tournament, "Ben")]
    start_tournament(account("olive"), tournament, NOW)
    (match,) = next_round(tournament).matches.all()
    links = [f'href="{url(tournament, f"decks/{number}/")}"' for number in (2, 1)]
    for each, link in zip(players, links, strict=True):
        assert link not in page(each, url(tournament, "my/"))
    for each in players:
        each.post(url(tournament, "my/placed/"), {"match": match.pk, "game": 1})
    for each, link in zip(players, links, strict=True):
        html = page(each, url(tournament, "my/"))
        assert link in html
        assert "Your opponent's list" in html


def test_ids_of_the_judges_page_are_single_and_labels_meet_them():
    tournament = with_decks()
    start_tournament(account("olive"), tournament, NOW)
    html = juno().post(url(tournament, "manage/decks/1/read/")).content.decode()
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'<label[^>]* for="([^"]+)"', html)) <= set(ids)
    assert {"reopen_reason", "id_reason"} <= set(ids)


def test_a_refused_check_keeps_the_list_that_was_read_without_another_reading():
    tournament, client = with_decks(1), juno()
    client.post(url(tournament, "manage/decks/1/read/"))
    address, values = url(tournament, "manage/decks/1/check/"), {"version": "1", "outcome": "problem"}
    answer = client.post(address, values)
    assert "Say what differs" in answer.content.decode()
    assert f"<b>3</b> {CARD}" in " ".join(answer.content.decode().split())
    assert "no-store" in answer["Cache-Control"]
    assert LedgerEntry.objects.filter(act="deck.read").count() == 1
    staff(tournament, "jori", Role.Name.JUDGE)
    unread = browser(account("jori")).post(address, values).content.decode()
    assert f"<b>3</b> {CARD}" not in " ".join(unread.split())
    register_deck(account("olive"), member(tournament), "Secret pile", LEGAL.replace(CARD, "Night Freight", 1), NOW)
    assert "<b>3</b>" not in client.post(address, values | {"notes": "x"}).content.decode()
    assert not DeckCheck.objects.exists()


@pytest.mark.parametrize("text", ["  \n", "Main deck:\n", "// nothing yet\n"])
def test_a_deck_without_cards_is_not_registered(text):
    tournament = event(1)
    ada = guest(tournament, "Ada")
    assert EMPTY in ada.post(url(tournament, "my/deck/"), {"text": text, "act": "register"}).content.decode()
    staff(tournament, "juno", Role.Name.JUDGE)
    given = {"text": text, "reason": "no printer"}
    assert EMPTY in juno().post(url(tournament, "manage/decks/1/"), given).content.decode()
    assert member(tournament).deck_version is None


def test_the_registered_deck_is_the_one_offered_first_and_opens_in_the_editor():
    tournament, ada = event(), account("ada")
    sign_up(ada, tournament, ada.person, NOW)
    kept = save_deck_version(ada.key, ada.person, "doom_pile", "standard", "Winter", LEGAL, NOW).deck
    save_deck_version(ada.key, ada.person, "doom_pile", "standard", "Summer", LEGAL, NOW + timedelta(days=1))
    client, address = browser(ada), url(tournament, "my/deck/")
    client.post(address, {"act": "pick", "deck": kept.public_id})
    html = page(client, address)
    assert f'value="{kept.public_id}" selected' in html
    assert "version 1 of 9 May 2026" in html
    assert f'href="/decks/{kept.public_id}/"' in html


def test_a_stored_deck_is_dated_in_the_time_zone_of_the_event():
    tournament, ada = event(time_zone="Pacific/Kiritimati"), account("ada")  # fourteen hours ahead
    sign_up(ada, tournament, ada.person, NOW)
    save_deck_version(ada.key, ada.person, "doom_pile", "standard", "Winter", LEGAL, NOW.replace(hour=20))
    assert "version 1 of 10 May 2026" in page(browser(ada), url(tournament, "my/deck/"))


def test_an_own_deck_without_cards_is_not_registered():
    tournament, ada = event(), account("ada")
    sign_up(ada, tournament, ada.person, NOW)
    kept = save_deck_version(ada.key, ada.person, "doom_pile", "standard", "Winter", "", NOW).deck
    answer = browser(ada).post(url(tournament, "my/deck/"), {"act": "pick", "deck": kept.public_id})
    assert "This deck is empty." in answer.content.decode()
    assert EntryMember.objects.get().deck_version is None


def test_judges_find_a_deck_by_name_or_number():
    tournament = with_decks(4)
    address = url(tournament, "manage/decks/")
    for words, found in {"ad": ["Ada"], "2": ["Ben"], "nobody": []}.items():
        html = page(juno(), address, q=words)
        assert re.findall(r'class="title">([^<]+)<', html) == found
        assert f'value="{words}"' in html
    assert "No player in this event matches “nobody”." in html
    assert len(re.findall('class="title">', page(juno(), address))) == 4
