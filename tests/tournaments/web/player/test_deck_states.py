"""Legal, not legal, missing: the same words wherever a deck is named, to those alone who may know."""

import re
from datetime import timedelta

import pytest

from journal.models import LedgerEntry
from rules_engine.errors import DomainError, NotAllowed
from tests.tournaments.factories import NOW, account, entry, event, next_round, staff
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.decks.services import deck_checks
from tournaments.decks.services.deck_checks import allow_deck
from tournaments.decks.services.decks import register_deck, replace_deck
from tournaments.decks.services.reopening import reopen_deck
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.management.demo import sample_decklist
from tournaments.models import EntryMember, Role, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pile_cards")]
LEGAL = sample_decklist(copies=3)
ILLEGAL = LEGAL.replace("3 Ash Ledger", "4 Ash Ledger")
WRONG = "not legal"


def event_of_three(**changes):
    """Ada's deck is not legal, Ben's is, Cem has none; Kit keeps scores, Juno judges."""
    tournament = event(0, self_sign_up=True, **changes)
    for name, text in (("ada", ILLEGAL), ("ben", LEGAL), ("cem", "")):
        sign_up(account(name), tournament, account(name).person, NOW)
        if text:
            register_deck(account(name), member(tournament, name), "Pile", text, NOW)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    staff(tournament, "juno", Role.Name.JUDGE)
    return tournament


def member(tournament, name="ada"):
    return EntryMember.objects.get(entry=entry(tournament, name))


def seen(name, address):
    return text_of(page(browser(account(name)), address))


def start(tournament):
    return start_tournament(account("olive"), tournament, NOW)


def test_a_player_reads_what_is_wrong_wherever_the_own_deck_is_named():
    tournament = event_of_three()
    reason = "Repair your deck: "
    for address in (url(tournament), url(tournament, "my/")):
        text = seen("ada", address)
        assert reason in text
        assert text.count("Ash Ledger") == 0
    assert WRONG in seen("ada", url(tournament, "my/"))
    assert WRONG in seen("ada", url(tournament, "register/"))
    assert WRONG in seen("ada", url(tournament, "my/deck/"))
    for address in ("/my/", "/"):
        assert WRONG in seen("ada", address)
    assert "legal" in seen("ben", "/my/")
    assert page(browser(account("ben")), url(tournament, "my/deck/")).count('class="state done"') == 1, "said once"
    assert WRONG not in seen("ben", "/my/")
    assert "missing" not in seen("cem", "/my/")  # no deck is asked for
    assert "missing" in seen("cem", url(tournament, "my/"))
    Tournament.objects.update(deck_required=True)
    assert "missing" in seen("cem", "/my/")
    assert reason not in seen("ben", url(tournament, "my/"))
    assert 'href="' + url(tournament, "my/deck/") in page(browser(account("ada")), url(tournament))


def test_staff_open_their_events_where_the_next_step_is_and_players_where_they_play():
    tournament = event_of_three()
    for name, target in (("olive", "manage/"), ("juno", "manage/"), ("kit", "manage/"), ("ada", "")):
        for address in ("/", "/my/"):
            shown = page(browser(account(name)), address)
            mine = shown.partition('id="group-1"')[0] if address == "/" else shown
            assert f'href="{url(tournament, target)}"' in mine, (name, address)


def test_a_personal_link_lands_on_the_event_and_later_on_the_match():
    tournament = event(2)
    ada = guest(tournament, "Ada")
    assert ada.get("/my/").headers["Location"] == url(tournament)
    text = text_of(page(ada, url(tournament)))
    assert "Register your deck" in text
    start(tournament)
    assert ada.get("/my/").headers["Location"] == url(tournament, "my/")


def test_once_decks_are_locked_a_player_reads_that_a_judge_decides():
    tournament = start(event_of_three(deck_required=False))
    for address in (url(tournament), url(tournament, "my/")):
        assert "Your deck is not legal." in seen("ada", address)
        assert "a judge decides" in seen("ada", address)
        assert "Repair your deck" not in seen("ada", address)
        assert "Your deck is not legal." not in seen("ben", address)
    reopen_deck(account("juno"), member(tournament), 60 * 24, "to repair it", tournament.started_at)


@pytest.mark.parametrize("started", [False, True])
def test_staff_read_verdicts_of_players_as_judges_and_otherwise_counts(started):
    tournament = event_of_three()
    if started:
        tournament = start(tournament)
    entries = url(tournament, "manage/entries/")
    for name in ("kit", "olive"):
        text = seen(name, entries)
        assert (text.count("registered"), WRONG in text) == (2 if started else 5, False)
        assert "missing" in text
        assert "1 deck is not legal" in seen(name, url(tournament, "manage/"))
        assert "1 legal, 1 not legal, 1 missing" in seen(name, url(tournament, "manage/"))
        assert WRONG not in seen(name, url(tournament, "manage/entries/1/"))
    assert WRONG in seen("juno", entries)
    assert WRONG in seen("juno", url(tournament, "manage/decks/"))
    assert WRONG in seen("juno", url(tournament, "manage/entries/1/"))


def test_a_link_that_came_after_the_deck_is_not_told_the_verdict():
    tournament = event(2)
    register_deck(account("olive"), member(tournament, "Ada"), "Pile", ILLEGAL, NOW)
    EntryMember.objects.update(deck_registered_at=NOW.replace(year=NOW.year - 1))
    late = guest(tournament, "Ada")
    for address in (url(tournament), url(tournament, "my/"), url(tournament, "register/"), url(tournament, "my/deck/")):
        text = text_of(page(late, address))
        assert WRONG not in text
        assert "Repair" not in text


def test_judges_read_the_words_at_the_table():
    tournament = start(event_of_three())
    match = next_round(tournament).matches.filter(kind="played").get()
    text = seen("juno", url(tournament, f"match/{match.pk}/?from=floor"))
    sitting = {seat.entry.name for seat in match.seats.all()}
    words = {"ada": "ada not legal", "ben": "ben legal", "cem": "cem missing"}
    assert all(words[name] in text for name in sitting)


def test_a_deck_that_is_not_legal_is_asked_about_until_a_judge_settles_it():
    tournament = start(event_of_three())
    now_page = url(tournament, "manage/")
    asked = "1 deck is not legal"
    assert asked in seen("olive", now_page)
    allow_deck(account("juno"), member(tournament), "the cards are proxies we lent", NOW)
    assert asked not in seen("olive", now_page)
    assert "a judge decides" not in seen("ada", url(tournament, "my/"))
    assert "allowed by a judge" in seen("ada", url(tournament, "my/"))
    reopen_deck(account("juno"), member(tournament), 30, "after all, repair it", NOW)
    assert asked in seen("olive", now_page)
    replace_deck(account("juno"), member(tournament), "Pile", LEGAL, "repaired", NOW)
    assert asked not in seen("olive", now_page)
    replace_deck(account("juno"), member(tournament), "Pile", ILLEGAL, "typed wrongly", NOW)
    assert asked in seen("olive", now_page)
    drop_entry(account("olive"), entry(tournament, "ada"), NOW)
    assert asked not in seen("olive", now_page)


def test_a_judge_allows_it_on_a_page_with_a_reason_and_nobody_else_does():
    tournament = start(event_of_three())
    change, allow = url(tournament, "manage/decks/1/"), url(tournament, "manage/decks/1/allow/")
    juno = browser(account("juno"))
    assert "Allow it as it is" in text_of(page(juno, change))
    for name in ("kit", "olive", "ada"):
        assert browser(account(name)).post(allow, {"allow-reason": "why not"}).status_code == 403
    assert "Give a reason" in text_of(juno.post(allow, follow=True).content.decode())
    assert member(tournament).deck_allowed_at is None
    juno.post(allow, {"allow-reason": "sleeves swapped"})
    assert member(tournament).deck_allowed_at is not None
    assert "Allow it as it is" not in text_of(page(juno, change))


def test_a_list_that_the_player_registered_meanwhile_is_not_allowed_unseen():
    tournament = event_of_three()
    allow = url(tournament, "manage/decks/1/allow/")
    juno = browser(account("juno"))
    seen = re.search(r'name="version" value="(\d+)"', page(juno, url(tournament, "manage/decks/1/")))[1]
    register_deck(account("ada"), member(tournament), "Pile", ILLEGAL.replace("4 Ash", "5 Ash"), NOW)
    text = text_of(juno.post(allow, {"allow-reason": "sleeves", "version": seen}, follow=True).content.decode())
    assert "The player registered another list." in text
    assert member(tournament).deck_allowed_at is None


def test_a_judge_corrects_no_list_that_the_player_replaced_meanwhile():
    tournament = event_of_three()
    juno = browser(account("juno"))
    tab = juno.post(url(tournament, "manage/decks/1/read/")).content.decode()
    form = re.search(r'action="[^"]*/manage/decks/1/">(.*?)</form>', tab, re.DOTALL)[1]
    sent = {"name": "Pile", "text": LEGAL, "reason": "typed wrongly"}
    sent["version"] = re.search(r'name="version" value="(\d+)"', form)[1]
    register_deck(account("ada"), member(tournament), "Other pile", ILLEGAL, NOW)
    text = text_of(juno.post(url(tournament, "manage/decks/1/"), sent, follow=True).content.decode())
    assert "The player registered another list." in text
    assert member(tournament).deck_version.deck.name == "Other pile"
    del sent["version"]  # as the page that tells so sends it
    juno.post(url(tournament, "manage/decks/1/"), sent)
    assert member(tournament).deck_version.deck.name == "Pile"


def test_what_a_judge_allowed_stays_so_on_another_day_under_the_same_lists():
    tournament = start(event_of_three())
    allow_deck(account("juno"), member(tournament), "the cards are proxies we lent", NOW)
    for starts_at in (NOW + timedelta(days=3), NOW):
        update_settings(account("olive"), tournament, {"starts_at": starts_at}, NOW)
        assert member(tournament).deck_allowed_at is not None


def test_the_log_tells_judges_alone_whose_deck_was_allowed():
    tournament = start(event_of_three())
    allow_deck(account("juno"), member(tournament), "sleeves of Ada swapped", NOW)
    act = LedgerEntry.objects.get(act="deck.allowed")
    assert act.subjects == {}
    log = url(tournament, "manage/log/")
    assert "allowed the illegal deck of no. 1 ada" in seen("juno", log)
    assert "sleeves of Ada swapped" in seen("juno", log)
    text = seen("olive", log)
    assert "allowed an illegal deck" in text
    assert "no. 1 ada be played" not in text
    assert "sleeves" not in text


def test_only_a_deck_that_is_not_legal_is_allowed_and_never_the_own(monkeypatch):
    tournament = event_of_three()
    for name in ("ben", "cem"):
        with pytest.raises(DomainError, match="Nothing to allow"):
            allow_deck(account("juno"), member(tournament, name), "?", NOW)
    staff(tournament, "ada", Role.Name.JUDGE)
    with pytest.raises(NotAllowed):
        allow_deck(account("ada"), member(tournament), "mine is fine", NOW)
    monkeypatch.setattr(deck_checks, "member_of", lambda actor, tournament: None)
    assert allow_deck(account("ada"), member(tournament), "the guard is out", NOW).deck_allowed_at == NOW
