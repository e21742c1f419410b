"""Pages of decks at an event: sealed, shown, exported, proved, printed; reopened, drawn and checked by judges."""

import hashlib
import re
from datetime import timedelta

import pytest

from decks.formats.registry import EXPORTS
from decks.models import CardList, Recheck, RecheckResult
from journal.clock import database_now
from journal.models import LedgerEntry
from tests.decks.owners import save_deck_version
from tests.queries import count_queries
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, staff
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.decks.services.deck_checks import record_check
from tournaments.decks.services.decks import register_deck, replace_deck
from tournaments.decks.services.reopening import reopen_deck
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import finish_tournament, start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import DeckCheck, Entry, EntryMember, Role, Tournament
from tournaments.web.live import page_cache

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pile_cards")]
LEGAL = sample_decklist(copies=3)
CARD = "Ash Ledger"


def with_decks(players=2, **changes):
    """Walk-ins with decks, and Juno who judges."""
    tournament = event(players, swiss_rounds=1, **changes)
    for each in tournament.entries.all():
        register_deck(account("olive"), each.members.get(), "Secret pile", LEGAL, NOW)
    staff(tournament, "juno", Role.Name.JUDGE)
    return tournament


def ended(players=2, **changes):
    """The same, started and finished."""
    tournament = with_decks(players, **changes)
    start_tournament(account("olive"), tournament, NOW)
    report_all(next_round(tournament))
    return finish_tournament(account("olive"), tournament, NOW)


def member(tournament, name="Ada"):
    return EntryMember.objects.get(entry=entry(tournament, name))


def juno():
    return browser(account("juno"))


def test_before_the_lock_nobody_is_listed():
    tournament = with_decks()
    text = page(browser(), url(tournament, "decks/"))
    assert "Decks can still be registered" in text
    assert "Ada" not in text
    assert member(tournament).deck_commitment not in text


def test_from_the_lock_on_commitments_alone_are_public():
    tournament = with_decks(deck_deadline=database_now() + timedelta(hours=1))
    Tournament.objects.update(deck_deadline=database_now() - timedelta(seconds=1))
    text = page(browser(), url(tournament, "decks/"))
    found = member(tournament)
    assert found.deck_commitment in text
    assert not [word for word in ("Secret pile", found.deck_salt, CARD, found.deck_version.digest) if word in text]


def test_a_long_list_of_decks_leads_to_players_and_is_searched():
    tournament = with_decks(13)
    start_tournament(account("olive"), tournament, NOW)
    text = page(browser(), url(tournament, "decks/"))
    assert text.count("/player/") == 13
    name = Entry.objects.get(tournament=tournament, number=5).name
    found = page(browser(), url(tournament, f"decks/?q={name[:4].lower()}"))
    assert name in found
    assert found.count("/player/") < 13
    assert "No player here is called" in page(browser(), url(tournament, "decks/?q=nobody+here"))


@pytest.mark.parametrize("rest", ["decks/1/", "decks/1/proof.txt", *(f"decks/1/export/{e.key}/" for e in EXPORTS)])
def test_hidden_and_missing_lists_answer_alike(rest):
    tournament = with_decks()
    for who in (browser(), browser(account("olive")), juno(), guest(tournament, "Ben")):
        hidden, missing = who.get(url(tournament, rest)), who.get(url(tournament, rest.replace("1", "77", 1)))
        assert (hidden.status_code, missing.status_code) == (404, 404)
        assert len(hidden.content) == len(missing.content)


def test_a_shown_list_comes_with_its_proof_and_never_with_a_verdict():
    tournament = ended(deck_publish="after_end")
    response = browser().get(url(tournament, "decks/1/"))
    text, found = response.content.decode(), member(tournament)
    assert all(word in text for word in (CARD, "Secret pile", found.deck_salt, found.deck_commitment))
    assert "verdict" not in text
    assert response["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert "no-store" in response["Cache-Control"]
    proof = browser().get(url(tournament, "decks/1/proof.txt"))
    assert hashlib.sha256(proof.content).hexdigest() == found.deck_commitment


@pytest.mark.parametrize("key", [each.key for each in EXPORTS])
def test_a_shown_list_is_taken_along(key):
    tournament = ended(deck_publish="after_end")
    response = browser().get(url(tournament, f"decks/1/export/{key}/"))
    assert CARD in response.content.decode()
    assert response["X-Robots-Tag"]


def test_an_unknown_export_is_not_found():
    assert browser().get(url(ended(deck_publish="after_end"), "decks/1/export/nonsuch/")).status_code == 404


def test_queries_do_not_grow_with_the_field():
    counts = []
    for players in (2, 40):
        tournament = ended(players, deck_publish="after_end")
        for each in tournament.entries.all():
            DeckCheck.objects.create(
                tournament=tournament, member=each.members.get(), version=each.members.get().deck_version,
                judge=account("juno").user, outcome="ok", checked_at=NOW,
            )  # fmt: skip
        client = juno()
        for path in ("decks/", "manage/decks/?drawn=1", "manage/decks/checks/"):
            client.get(url(tournament, path))
            counts.append((path, count_queries(page, client, url(tournament, path))))
    assert counts[:3] == counts[3:]


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("never", "Only judges can read the lists"),
        ("after_cut", "after the cut, or without one when the event ends"),
        ("after_end", "public when the event ends"),
        ("to_opponent", "see each other’s list when"),
    ],
)
def test_players_read_the_policy_before_they_register(policy, words):
    tournament = event(1, deck_publish=policy)
    assert words in text_of(page(browser(), url(tournament)))
    assert words in text_of(page(browser(account("ada")), url(tournament, "register/")))
    assert words in text_of(page(guest(tournament, "Ada"), url(tournament, "my/deck/")))


def test_one_of_the_own_decks_is_picked():
    tournament, ada = event(), account("ada")
    sign_up(ada, tournament, ada.person, NOW)
    deck = save_deck_version(ada.key, ada.person, "doom_pile", "standard", "Winter", LEGAL, NOW).deck
    client, address = browser(ada), url(tournament, "my/deck/")
    assert deck.public_id in page(client, address)
    assert client.post(address, {"act": "pick", "deck": "another"}).status_code == 200
    assert not EntryMember.objects.get(entry__tournament=tournament).deck_version_id
    assert client.post(address, {"act": "pick", "deck": deck.public_id}).status_code == 302
    assert EntryMember.objects.get(entry__tournament=tournament).deck_version.deck == deck


def test_a_suggestion_is_taken_without_registering():
    tournament = event(1)
    client = guest(tournament, "Ada")
    html = client.post(
        url(tournament, "my/deck/"), {"text": "3 Ash Leger\n3 Nonsuch", "act": f"replace 1 {CARD}"}
    ).content.decode()
    assert f"3 {CARD}\n3 Nonsuch" in html
    assert not member(tournament).deck_version_id


def test_a_judge_takes_a_suggestion_before_the_reason_is_typed_and_registers_nothing():
    tournament = with_decks()
    before = member(tournament).deck_version_id
    values = {"name": "", "text": "3 Ash Leger\n3 Nonsuch", "reason": "", "act": f"replace 1 {CARD}"}
    html = juno().post(url(tournament, "manage/decks/1/"), values).content.decode()
    assert f"3 {CARD}\n3 Nonsuch" in html
    assert "Line 2" in html
    ready = {"name": "", "text": f"{LEGAL}\n3 Ash Leger", "reason": "on paper", "act": f"replace 14 {CARD}"}
    assert juno().post(url(tournament, "manage/decks/1/"), ready).status_code == 200
    assert member(tournament).deck_version_id == before


@pytest.mark.parametrize("act", [f"mend 14 {CARD}", "look"])
def test_a_button_that_no_page_has_any_more_registers_nothing(act):
    tournament = with_decks()
    before = member(tournament).deck_version_id
    ready = {"name": "", "text": LEGAL, "reason": "on paper", "act": act}
    assert juno().post(url(tournament, "manage/decks/1/"), ready).status_code == 200
    assert guest(tournament, "Ada").post(url(tournament, "my/deck/"), ready).status_code == 200
    assert member(tournament).deck_version_id == before


@pytest.mark.parametrize(
    "act", ["replace", "replace x Ash Ledger", "replace 99999999999999 Ash Ledger", "replace 5 Ash Ledger"]
)
def test_a_nonsense_suggestion_changes_nothing(act):
    tournament = event(1)
    answer = guest(tournament, "Ada").post(url(tournament, "my/deck/"), {"text": "3 Ash Leger", "act": act})
    assert answer.status_code == 200
    assert "3 Ash Leger" in answer.content.decode()


def test_a_reopened_deck_is_told_and_registered_once():
    tournament = with_decks()
    start_tournament(account("olive"), tournament, database_now())
    ada, address = guest(tournament, "Ada"), url(tournament, "my/deck/")
    assert "<textarea" not in page(ada, address)
    values = {"minutes": "20", "reason": "the sheet was unreadable"}
    assert juno().post(url(tournament, "manage/decks/1/reopen/"), values).status_code == 302
    assert "reopened your deck" in page(ada, address)
    assert "reopened until" in page(juno(), url(tournament, "manage/decks/"))
    assert ada.post(address, {"text": LEGAL, "act": "register"}).status_code == 302
    assert "<textarea" not in page(ada, address)


def test_reopening_without_a_reason_is_refused_in_words():
    tournament = with_decks()
    start_tournament(account("olive"), tournament, NOW)
    answer = juno().post(url(tournament, "manage/decks/1/reopen/"), {"minutes": "20"})
    assert answer.status_code == 200
    assert "Nothing was saved" in answer.content.decode()
    assert member(tournament).deck_reopened_until is None


def test_a_judge_draws_reads_checks_and_the_owner_is_told():
    tournament, judge = with_decks(1), juno()
    drawn = judge.post(url(tournament, "manage/decks/draw/"), follow=True)
    assert "Read and check" in drawn.content.decode()
    read = judge.post(url(tournament, "manage/decks/1/read/")).content.decode()
    assert CARD in read
    values = {"version": "1", "outcome": "problem", "notes": "a card short"}
    checked = judge.post(url(tournament, "manage/decks/1/check/"), values, follow=True)
    assert "a card short" in checked.content.decode()
    told = text_of(page(guest(tournament, "Ada"), url(tournament, "my/deck/")))
    assert "juno (judge) · checked your cards" in told
    assert [act.act for act in LedgerEntry.objects.filter(act__startswith="deck.").order_by("sequence")][-3:] == [
        "deck.check_drawn", "deck.read", "deck.checked",
    ]  # fmt: skip


def logs(tournament, name):
    """The event's log as somebody reads it, as page and as CSV."""
    client = browser(account(name))
    return [page(client, url(tournament, f"manage/{rest}")) for rest in ("log/", "log.csv")]


def test_what_judges_write_about_decks_is_for_judges_until_the_lists_are_public():
    tournament = with_decks(deck_publish="after_end")
    start_tournament(account("olive"), tournament, NOW)
    judge, ada = account("juno"), member(tournament)
    replace_deck(judge, ada, "Secret pile", LEGAL, "fourth Borrowed Apocalypse gone", NOW)
    reopen_deck(judge, ada, 5, "a Marrow Giant too many", NOW)
    record_check(judge, member(tournament, "Ben"), DeckCheck.Outcome.PROBLEM, "plays two Ash Ledgers more", NOW)
    words = ("Borrowed Apocalypse", "Marrow Giant", "Ash Ledger")
    for text in logs(tournament, "olive"):
        assert "checked the deck of no. 2 Ben" in text
        assert not [word for word in words if word in text]
    assert "judges only until lists are public" in logs(tournament, "olive")[0]
    assert all(word in text for text in logs(tournament, "juno") for word in words)
    report_all(next_round(tournament))
    finish_tournament(account("olive"), tournament, NOW)
    assert all(word in text for text in logs(tournament, "olive") for word in words)


def test_a_refused_check_shows_no_list():
    tournament = with_decks(1)
    answer = juno().post(url(tournament, "manage/decks/1/check/"), {"version": "1", "outcome": "problem"})
    assert "Say what differs" in answer.content.decode()
    assert CARD not in answer.content.decode().replace(f"3 {CARD}”", "")
    assert not DeckCheck.objects.exists()


def test_sheets_own_staffs_and_empty():
    tournament = with_decks(1)
    commitment = member(tournament).deck_commitment
    own = page(guest(tournament, "Ada"), url(tournament, "my/deck/sheet/"))
    staffs = juno().post(url(tournament, "manage/decks/1/sheet/")).content.decode()
    for sheet in (own, staffs):
        assert CARD in sheet
        assert commitment in sheet
    assert LedgerEntry.objects.filter(act="deck.read").count() == 1
    empty = page(browser(), url(tournament, "decks/sheet/"))
    assert empty.count('class="copies"') == 31
    assert CARD not in empty


@pytest.mark.parametrize("path", ["doomtrooper/tournament-1997", "doomtrooper/second-edition", "doom_pile/standard"])
def test_each_format_has_an_empty_sheet(path):
    assert 'class="copies"' in page(browser(), f"/sheets/{path}/")


@pytest.mark.parametrize("path", ["house_game/open", "doom_pile/nonsuch", "nonsuch/standard"])
def test_without_decklists_there_is_no_sheet(path):
    assert browser().get(f"/sheets/{path}/").status_code == 404


def test_games_without_decklists_have_no_page_of_decks():
    tournament = event(1, game="house_game", game_format="open")
    for rest in ("decks/", "decks/sheet/"):
        assert browser().get(url(tournament, rest)).status_code == 404


def test_judges_are_told_which_decks_a_coming_list_fells_and_the_cure_only_on_record():
    tournament, now = with_decks(1, starts_at=database_now() + timedelta(days=20)), database_now()
    coming = CardList.objects.create(
        game="doom_pile", format="standard", slug="coming", name="Coming list",
        valid_from=now.date() + timedelta(days=9), state=CardList.State.ANNOUNCED, announced_at=now,
    )  # fmt: skip
    recheck = Recheck.objects.create(card_list=coming, requested_at=now, total=1)
    RecheckResult.objects.create(
        recheck=recheck, version=member(tournament).deck_version, variant="", legal_before=True, legal_after=False,
        report={}, repair=[{"card": CARD, "section": "main", "change": -1}],
    )  # fmt: skip
    listed = text_of(page(juno(), url(tournament, "manage/decks/")))
    assert "stop being legal" in listed
    assert "Coming list" in listed
    assert CARD not in listed
    read = text_of(juno().post(url(tournament, "manage/decks/1/read/")).content.decode())
    assert f"-1 {CARD}" in read
    Tournament.objects.update(starts_at=now + timedelta(days=3))
    assert "stop being legal" not in page(juno(), url(tournament, "manage/decks/"))
    Tournament.objects.update(starts_at=now + timedelta(days=20), pinned_lists=[])
    assert "stop being legal" not in page(juno(), url(tournament, "manage/decks/"))


@pytest.mark.parametrize("rest", ["", "my/"])
def test_a_reopened_deck_is_told_on_the_players_own_pages_until_then(rest):
    tournament = with_decks()
    start_tournament(account("olive"), tournament, NOW)
    ada, ben, words = guest(tournament, "Ada"), guest(tournament, "Ben"), "A judge reopened your deck until"
    assert words not in page(ada, url(tournament, rest))
    until = database_now() + timedelta(minutes=30)
    EntryMember.objects.filter(pk=member(tournament).pk).update(deck_reopened_until=until)
    page_cache.forget_pages()  # nothing was written into the log
    told = page(ada, url(tournament, rest))
    assert words in told
    assert f'href="{url(tournament, "my/deck/")}"' in told
    assert words not in page(ben, url(tournament, rest))
    assert words not in page(browser(), url(tournament, ""))
    EntryMember.objects.filter(pk=member(tournament).pk).update(deck_reopened_until=database_now())
    page_cache.forget_pages()
    assert words not in page(ada, url(tournament, rest))


def test_nothing_is_told_of_a_deck_reopened_in_an_event_that_ended():
    tournament = ended()
    EntryMember.objects.filter(pk=member(tournament).pk).update(deck_reopened_until=database_now() + timedelta(hours=1))
    assert "has reopened your deck" not in page(guest(tournament, "Ada"), url(tournament, "my/"))


def disabled_policies(tournament):
    """The publish policies that the form of settings shows, but does not let choose."""
    text = page(browser(account("olive")), url(tournament, "manage/settings/"))
    tags = re.findall(r'<input type="radio" name="deck_publish"[^>]*>', text)
    assert len(re.findall(r'<label class="choice">\s*<input type="radio" name="deck_publish"', text)) == len(tags) == 4
    return {re.search('value="([^"]*)"', tag)[1] for tag in tags if " disabled" in tag}, text


@pytest.mark.parametrize(
    ("policy", "shut"),
    [
        ("never", {"after_cut", "after_end", "to_opponent"}),
        ("after_cut", {"to_opponent"}),
        ("after_end", {"after_cut", "to_opponent"}),
        ("to_opponent", {"after_cut", "after_end"}),
    ],
)
def test_policies_that_show_more_are_shut_from_the_first_deck_on(policy, shut):
    tournament = event(1, deck_publish=policy)
    assert disabled_policies(tournament)[0] == set()
    register_deck(account("olive"), member(tournament), "Secret pile", LEGAL, NOW)
    found, text = disabled_policies(tournament)
    assert found == shut
    assert "you can only show less" in text
    assert re.search(rf'value="{policy}"[^>]* checked', text)


def test_the_form_of_an_event_says_how_long_its_game_stacks():
    text = text_of(page(browser(account("olive")), "/new/"))
    assert "Leave empty for 10. 0: no stacking" in text
