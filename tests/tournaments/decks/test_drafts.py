"""Cards drafted at the table: pass by pass on every phone, and the deck they make counts for one round alone."""

from datetime import timedelta

import pytest

from decks.services.catalogues import load_catalogues
from rules_engine.systems import get_system, list_systems
from scoring.sheets.tallies.registry import options_at_events
from tests.refusals import refusal
from tests.tournaments.decks.test_deck_ready import acts
from tests.tournaments.factories import NOW, account, draft, event, member_of, next_round, report_all, staff, table
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.decks.selectors.deck_checks import candidates_of
from tournaments.decks.selectors.deck_states import DeckState, own_deck
from tournaments.decks.selectors.deck_view import may_see_deck
from tournaments.decks.selectors.decks import deck_counts, deck_rows
from tournaments.decks.selectors.drafts import table_draft
from tournaments.decks.services.decks import register_deck
from tournaments.decks.services.drafts import move_draft
from tournaments.decks.services.reopening import reopen_deck
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import create_tournament, start_tournament
from tournaments.models import Match, Role, Round, Tournament

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=5)
PLAYERS = ("ada", "ben", "cem")
DECKED, BEGUN = 4, 5
"""The steps of Intelligent Design at which decks are registered, and the game has begun."""


def designed(**changes) -> Tournament:
    """Three at one table that drafts its decks, round 1 published."""
    load_catalogues(NOW, [get_system("doomlings")])
    tournament = event(game="doomlings", game_format="intelligent-design", way="intelligent-design", **changes)
    for name in PLAYERS:
        sign_up(account(name), tournament, account(name).person, NOW)
    return start_tournament(account("olive"), tournament, NOW)


@pytest.fixture
def held():
    return designed()


@pytest.fixture
def match(held):
    return table(next_round(held))


def fresh(match):
    return Match.objects.select_related("round__stage__tournament").get(pk=match.pk)


def on(match, to, who="ada", now=NOW):
    """Take the draft of the table on until it is at step `to`."""
    for seen in range(fresh(match).draft_step, to):
        move_draft(account(who), fresh(match), seen, now)


def traits(count=28):
    """A decklist of so many traits."""
    cards = [card for card in get_system("doomlings").shipped_cards if card.type == "Trait"][:count]
    return "\n".join(f"1 {card.name}" for card in cards)


def register(tournament, name, text=None, now=LATER):
    return register_deck(account(name), member_of(tournament, name), "Drafted", text or traits(), now)


def test_every_draft_is_switched_on_by_an_option_that_its_game_has():
    for system in list_systems():
        known = {option.key for option in options_at_events(system.slug)}
        assert {each.option for each in system.drafts} <= known


def test_the_passes_of_the_book(held):
    design, start = get_system("doomlings").drafts
    assert [(step.hold, step.keep, step.towards) for step in design.steps] == [
        (28, 14, "left"), (14, 7, "left"), (7, 7, ""),
    ]  # fmt: skip
    assert sum(step.keep for step in design.steps) == 28
    assert [(step.hold, step.keep, step.towards) for step in start.steps] == [
        *((hold, 1, "right") for hold in (5, 4, 3, 2)), (1, 1, ""),
    ]  # fmt: skip


def test_a_table_passes_step_by_step_to_the_left_and_a_later_press_is_told_where_it_is(held, match):
    drafted = table_draft(held, fresh(match))
    assert (drafted.step, drafted.running, len(drafted.left)) == (0, None, 3)
    on(match, 1)
    drafted = table_draft(held, fresh(match))
    assert (drafted.running.keep, drafted.until) == (14, NOW + timedelta(minutes=5))
    first, second, third = drafted.seats
    assert [drafted.next_to(seat) for seat in (first, second, third)] == [second, third, first]
    assert refusal(lambda: move_draft(account("ben"), fresh(match), 0, NOW)) == "draft_moved"
    move_draft(account("ben"), fresh(match), 1, NOW, back=True)
    on(match, DECKED)
    assert table_draft(held, fresh(match)).registers
    assert acts(held, "deck.drafted").count() == 1 + 1 + DECKED


def test_strategic_start_passes_to_the_right_and_makes_no_deck():
    tournament = event(3, game="doomlings", sheet_options={"strategic_start": True})
    tournament = start_tournament(account("olive"), tournament, NOW)
    match = table(next_round(tournament))
    move_draft(account("olive"), fresh(match), 0, NOW)
    drafted = table_draft(tournament, fresh(match))
    first, second, third = drafted.seats
    assert [drafted.next_to(seat) for seat in (first, second, third)] == [third, first, second]
    for seen in range(1, 6):
        move_draft(account("olive"), fresh(match), seen, NOW)
    assert table_draft(tournament, fresh(match)).is_over
    assert not deck_counts(deck_rows(tournament)).registered


def test_nobody_from_elsewhere_moves_it_and_where_nothing_is_drafted_there_is_none(held, match):
    assert refusal(lambda: move_draft(account("mallory"), fresh(match), 0, NOW)) == "not_your_match"
    other = event(3, game="doomlings")
    elsewhere = table(next_round(start_tournament(account("olive"), other, NOW)))
    assert refusal(lambda: move_draft(account("olive"), fresh(elsewhere), 0, NOW)) == "no_draft"


def test_a_deck_is_registered_until_the_own_game_begins_and_only_staff_unlock_it(held, match):
    on(match, DECKED)
    assert register(held, "ada").verdict.report.legal
    on(match, BEGUN)
    assert refusal(lambda: register(held, "ada")) == "decks_locked"
    assert refusal(lambda: move_draft(account("ada"), fresh(match), BEGUN, NOW, back=True)) == "draft_over"
    reopen_deck(account("juno"), member_of(held, "ben"), 10, "was slow", LATER)
    assert register(held, "ben").version
    move_draft(account("olive"), fresh(match), BEGUN, NOW, back=True)
    assert register(held, "ada").version
    assert refusal(lambda: reopen_deck(account("juno"), member_of(held, "ada"), 10, "again", LATER)) == "not_locked"


def test_pages_say_that_drafted_decks_lock_with_their_table_and_a_judge_unlocks_one_there(held, match):
    on(match, DECKED)
    juno = browser(staff(held, "juno", Role.Name.JUDGE))
    address = url(held, "manage/decks/1/")
    assert "Reopen it for the player" not in page(juno, address)
    for each in ("", "decks/", "manage/decks/"):
        told = text_of(page(juno, url(held, each)))
        assert "table starts its game" in told
        assert "until Saturday" not in told
    on(match, BEGUN)
    assert "Reopen it for the player" in page(juno, address)


def test_a_deck_counts_for_its_round_alone(held, match):
    on(match, DECKED)
    for name in PLAYERS:
        register(held, name)
    on(match, BEGUN)
    assert (deck_counts(deck_rows(held)).registered, len(candidates_of(held))) == (3, 3)
    report_all(match.round)
    again = table(next_round(Tournament.objects.get(pk=held.pk)))
    Round.objects.filter(pk=again.round_id).update(published_at=LATER + timedelta(minutes=1))
    held = Tournament.objects.get(pk=held.pk)
    counts = deck_counts(deck_rows(held))
    assert (counts.registered, counts.without, candidates_of(held)) == (0, 3, [])
    mine = own_deck(account("ada"), held, member_of(held, "ada"), LATER)
    assert (mine.state, mine.can_register) == (DeckState.MISSING, True)
    on(again, DECKED)
    register(held, "ada", now=LATER + timedelta(minutes=2))
    assert deck_counts(deck_rows(Tournament.objects.get(pk=held.pk))).registered == 1


def test_opponents_see_a_drafted_deck_once_it_is_locked_and_no_earlier(match, held):
    Tournament.objects.filter(pk=held.pk).update(deck_publish=Tournament.DeckPublish.TO_OPPONENT)
    on(match, DECKED)
    register(held, "ada")
    held = Tournament.objects.get(pk=held.pk)
    hers = member_of(held, "ada")
    assert not may_see_deck(account("ben"), held, hers, LATER)
    on(match, BEGUN)
    assert may_see_deck(account("ben"), Tournament.objects.get(pk=held.pk), hers, LATER)
    assert not may_see_deck(account("mallory"), Tournament.objects.get(pk=held.pk), hers, LATER)


def test_lists_cannot_be_asked_for_before_the_start_where_tables_draft_them():
    asked = draft(game="doomlings", game_format="intelligent-design", way="intelligent-design", deck_required=True)
    assert refusal(lambda: create_tournament(account("olive"), asked, NOW)) == "no_decks"


def test_dl_v_design_three_phones_go_through_the_draft_to_the_locked_decks(held, match):
    ada, ben = browser(account("ada")), browser(account("ben"))

    def press(client, step, **values):
        return client.post(url(held, f"match/{match.pk}/draft/"), {"step": step, "act": "draft", **values}, follow=True)

    assert "Draft: deal 28 cards to each player" in text_of(page(ada, url(held, "my/")))
    press(ada, 0)
    text = text_of(page(ben, url(held, "my/")))
    assert "Keep 14 of 28" in text
    assert "face down to" in text
    clock = ben.get(url(held, "clock/"), {"match": match.pk, "own": ""}).json()["clock"]
    assert [(phase["phase"], phase["length"]) for phase in clock["phases"]] == [("draft", 300)]
    assert "The draft has moved on" in text_of(press(ben, 0).content.decode())
    for step in (1, 2, 3):
        press(ben, step)
    html = page(ada, url(held, "my/"))
    assert "Register the deck you drafted" in html
    assert text_of(html).count("no deck") == 3
    answer = ada.post(url(held, "my/deck/"), {"act": "register", "name": "Mine", "text": traits()}, follow=True)
    assert "until your table starts its game" in text_of(answer.content.decode())
    assert text_of(page(ben, url(held, "my/"))).count("no deck") == 2
    press(ben, DECKED)
    assert "decks locked" in text_of(page(ada, url(held, "my/")))
    assert 'name="text"' not in page(ada, url(held, "my/deck/"))
