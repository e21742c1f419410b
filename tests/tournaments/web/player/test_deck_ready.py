"""Pages on which decks are placed: the player's two phones, the round's page, the judge's page of a match."""

import re
import uuid
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db.models import F

from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.models import IdempotencyKey, LedgerEntry, OutboxMessage
from rules_engine.systems import get_system
from tests.tournaments.decks.test_decks import decklist
from tests.tournaments.factories import NOW, account, afresh, entry, event, next_round, running, staff
from tests.tournaments.web.visitors import both, browser, guest, page, paired, queries, text_of, url
from tournaments.decks.services.deck_ready import mark_deck_ready
from tournaments.decks.services.decks import replace_deck
from tournaments.entries.services.attendance import drop_entry
from tournaments.events.services.events import start_tournament
from tournaments.models import DeckPlacement, Role, RoundClock, Tournament
from tournaments.room.selectors.clocks import clock_of
from tournaments.room.services.clocks import pause_clock, start_clock, stop_clock
from tournaments.rounds.services.rounds import pair_next_round, withdraw_round
from tournaments.web.live.page_cache import forget_pages

pytestmark = pytest.mark.django_db
PRESS = "My deck is stacked and placed"


@pytest.fixture(scope="module")
def stored_held(shared_db):
    """Four players with decks, the first of whom has a plan of the own; round 1 is published."""
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = event(4)
    for name in ("Ada", "Ben", "Cem", "Dora"):
        member = entry(tournament, name).members.get()
        replace_deck(account("juno"), member, "Pile", decklist(), "from paper", NOW)
    return start_tournament(account("olive"), tournament, NOW)


@pytest.fixture
def held(stored_held, db):
    return afresh(stored_held)


@pytest.fixture(scope="module")
def stored_round(stored_held):
    return next_round(stored_held)


@pytest.fixture
def round_(stored_round, db):
    return afresh(stored_round)


def plan_name():
    return decklist().splitlines()[-1]


def press(client, held, at, game=1, **values):
    """What the button sends; answers the page it leads to, as a reader sees it."""
    data = {"match": at.pk, "game": game, "idempotency_key": str(uuid.uuid4()), **values}
    return text_of(client.post(url(held, "my/placed/"), data, follow=True).content.decode())


def test_two_phones_go_from_stacking_to_the_reveal_to_reporting(held, round_):
    match, one, two, my_name, opponent = both(held, round_)
    text = text_of(page(one, url(held, "my/")))
    assert all(words in text for words in ("Stack your deck for game 1", "You have 10 minutes", PRESS))
    assert "The match is over: report it" in text
    text = press(one, held, match)
    assert f"{opponent} stacking" in text
    assert PRESS not in text
    assert plan_name() not in text
    text = text_of(page(two, url(held, "my/")))
    assert f"{my_name} placed" in text
    assert plan_name() not in text
    text = press(two, held, match)
    for client in (one, two):
        text = text_of(page(client, url(held, "my/")))
        assert text.count(plan_name()) == 2
        assert text.index("How did it end for you?") < text.index("Master Plan") < text.index("Next: stack for game 2")


def test_one_phone_alone_is_enough_to_report(held, round_):
    match, one, *_ = both(held, round_)
    press(one, held, match)
    one.post(url(held, "my/"), {"act": "report", "match": match.pk, "score": "2-0-0"})
    text = text_of(page(one, url(held, "my/")))
    assert "You won 2–0" in text
    assert PRESS not in text


def test_game_2_begins_with_the_first_press_and_can_be_reported_over(held, round_):
    match, one, two, *_ = both(held, round_)
    for client in (one, two):
        press(client, held, match)
    assert "Your deck is placed for game 2" in press(one, held, match, 2)
    text = text_of(page(two, url(held, "my/")))
    assert "Next: stack for game 2 1 of 2 placed" in text
    assert text.index("How did it end for you?") < text.index("Next: stack for game 2")
    assert "once every deck is placed" not in text
    assert "Others are still stacking." in text_of(page(one, url(held, "my/")))


STEPS_ASIDE = {
    "the round was begun early": (timedelta(minutes=1), lambda round_: begin_round(round_, timedelta(minutes=1))),
    "its time is over": (timedelta(minutes=11), lambda round_: None),
    "the round runs": (timedelta(minutes=30), lambda round_: None),
}


def begin_round(round_, after):
    """The organiser ends the stacking before its time."""
    stop_clock(account("olive"), round_, RoundClock.Phase.STACKING, database_now() + after)


@pytest.mark.parametrize("why", STEPS_ASIDE)
def test_stacking_steps_aside_for_the_score_once_the_round_runs(held, round_, why):
    _match, one, two, *_ = both(held, round_)
    start_clock(account("olive"), round_, database_now())
    assert "Stack your deck for game 1" in text_of(page(one, url(held, "my/")))
    later, act = STEPS_ASIDE[why]
    act(round_)
    RoundClock.objects.update(started_at=F("started_at") - later, stopped_at=F("stopped_at") - later)
    forget_pages()
    text = text_of(page(one, url(held, "my/")))
    assert "Stack your deck for game 1" not in text
    assert "The match is over: report it" not in text
    assert text.index("How did it end for you?") < text.index("Deck placed? Notify your table")
    html = page(one, url(held, "my/"))
    assert html.count('class="first large full"') == 1
    assert "Your deck is placed for game 1" in press(one, held, paired(round_)[0])
    assert "1 of 2 placed" in text_of(page(two, url(held, "my/")))
    press(two, held, paired(round_)[0])
    assert plan_name() in text_of(page(one, url(held, "my/")))


def test_stacking_that_is_paused_still_leads_and_where_the_desk_reports_it_folds(held, round_):
    _match, one, *_ = both(held, round_)
    start_clock(account("olive"), round_, database_now())
    pause_clock(account("olive"), round_, database_now())
    assert "Stack your deck for game 1" in text_of(page(one, url(held, "my/")))
    Tournament.objects.update(players_report=False)
    RoundClock.objects.update(paused_at=None, started_at=NOW)
    forget_pages()
    text = text_of(page(one, url(held, "my/")))
    assert text.index("Report your result at the desk") < text.index("Deck placed? Notify your table")


def test_an_event_can_do_without_the_ceremony():
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = running(2, stacking_minutes=0)
    round_ = next_round(tournament)
    match, one, *_ = both(tournament, round_)
    text = text_of(page(one, url(tournament, "my/")))
    assert "stack" not in text.casefold()
    assert "How did it end for you?" in text
    assert "In this game decks are not stacked." in press(one, tournament, match)
    clock = clock_of(tournament, NOW)
    assert [key for key, _timing in clock.phases] == [RoundClock.Phase.ROUND]


@pytest.mark.parametrize("values", [{"match": "x"}, {"match": ""}, {"match": "0"}, {"match": "9" * 30}, {"match": "١"}])
def test_a_press_about_no_match_touches_nothing(held, round_, values):
    match, one, *_ = both(held, round_)
    assert "Not saved: that was another match" in press(one, held, match, **values)
    assert not DeckPlacement.objects.exists()


@pytest.mark.parametrize("game", ["", "x", "0", "2", "-1", "99999999999999999999"])
def test_a_press_for_no_game_touches_nothing(held, round_, game):
    match, one, *_ = both(held, round_)
    assert "Decks are now placed for game 1" in press(one, held, match, game)
    assert not DeckPlacement.objects.exists()


def test_nobody_places_at_anothers_match_nor_in_a_hidden_round(held, round_):
    match, one, *_ = both(held, round_)
    stranger = guest(held, next(e.name for e in held.entries.exclude(seats__match=match)))
    assert "Not saved: that was another match" in press(stranger, held, match)
    withdraw_round(account("olive"), round_, "late", NOW)
    hidden = pair_next_round(account("olive"), held, NOW, seed=5)
    own = hidden.matches.filter(seats__entry__name=paired(round_)[1].entry.name).get()
    assert "Not saved: that was another match" in press(one, held, own)
    assert not DeckPlacement.objects.exists()


def test_double_press_is_one_mark(held, round_):
    match, one, *_ = both(held, round_)
    for key in ("same", "same", "another"):
        one.post(url(held, "my/placed/"), {"match": match.pk, "game": 1, "idempotency_key": key})
    assert DeckPlacement.objects.count() == 1


def test_only_players_press_and_only_by_post(held, round_):
    match, one, *_ = both(held, round_)
    assert one.get(url(held, "my/placed/")).status_code == 405
    for name in ("olive", "mallory"):
        assert browser(account(name)).post(url(held, "my/placed/"), {"match": match.pk}).status_code == 403


def test_where_the_desk_reports_decks_are_placed_all_the_same():
    load_catalogues(NOW, [get_system("doom_pile")])
    desk_only = running(2, players_report=False)
    match, one, *_ = both(desk_only, next_round(desk_only))
    text = text_of(page(one, url(desk_only, "my/")))
    assert PRESS in text
    assert "waiting for the other side" in press(one, desk_only, match)


def test_an_event_without_stacking_shows_none_of_it():
    load_catalogues(NOW, [get_system("doom_pile")])
    other = running(2, game="doomtrooper", game_format="second-edition", best_of=1)
    round_ = next_round(other)
    _match, one, *_ = both(other, round_)
    for client, address in ((one, "my/"), (browser(account("olive")), "manage/rounds/")):
        assert "stack" not in text_of(page(client, url(other, address))).casefold()


def test_link_that_came_after_the_placing_is_told_why_it_sees_no_plan(held, round_):
    _match, first, second = paired(round_)
    for seat in (first, second):
        mark_deck_ready(account("olive"), seat, 1, NOW)
    late = guest(held, first.entry.name)
    first.member.person.links.update(created_at=NOW.replace(hour=23))
    text = text_of(page(late, url(held, "my/")))
    assert "Your link or account is too new to see it" in text
    assert plan_name() not in text


# Staff


def test_round_page_lists_the_tables_that_stack(held, round_):
    match, one, _two, name, _opponent = both(held, round_)
    press(one, held, match)
    for who, role in (("olive", None), ("juno", Role.Name.JUDGE), ("kit", Role.Name.SCOREKEEPER)):
        actor = staff(held, who, role) if role else account(who)
        text = text_of(page(browser(actor), url(held, "manage/rounds/")))
        assert "2 tables are still stacking their decks" in text
        assert f"{name} placed" in text
        assert "1 of 2" in text


def test_round_page_takes_as_many_queries_for_40_tables():
    load_catalogues(NOW, [get_system("doom_pile")])
    counts = []
    for players in (8, 80):
        tournament = running(players)
        for seat in next_round(tournament).matches.get(table_number=1).seats.all():
            mark_deck_ready(account("olive"), seat, 1, NOW)
        counts.append(queries(browser(account("olive")), url(tournament, "manage/rounds/")))
    assert counts[0] == counts[1]


def test_own_page_takes_as_many_queries_whatever_was_placed(held, round_):
    match, one, two, *_ = both(held, round_)
    press(one, held, match)
    before = queries(one, url(held, "my/"))
    press(two, held, match)
    revealed = queries(one, url(held, "my/"))
    for client in (one, two):
        press(client, held, match, 2)
    assert queries(one, url(held, "my/")) == revealed <= before + 12


@pytest.mark.parametrize("who", ["olive", "juno", "kit"])
def test_staff_place_for_a_player_without_a_phone_on_the_page_of_the_match(held, round_, who):
    match, one, _two, name, opponent = both(held, round_)
    press(one, held, match)
    roles = {"juno": Role.Name.JUDGE, "kit": Role.Name.SCOREKEEPER}
    client = browser(staff(held, who, roles[who]) if who in roles else account(who))
    address = url(held, f"match/{match.pk}/")
    text = text_of(page(client, address))
    assert f"{opponent} has placed the deck" in text
    assert f"{name} has placed the deck" not in text
    values = {"seat": match.seats.get(entry__name=opponent).pk, "game": 1}
    for stranger in (one, browser(account("mallory"))):
        assert stranger.post(f"{address}place-deck/", values).status_code == 403
    assert client.get(f"{address}place-deck/").status_code == 405
    assert client.post(f"{address}place-deck/", {**values, "seat": "0"}).status_code == 404
    done = client.post(f"{address}place-deck/", values, follow=True)
    assert f"{opponent}: placed for game 1." in done.content.decode()
    assert text_of(page(one, url(held, "my/"))).count(plan_name()) == 2
    log = text_of(page(browser(account("olive")), url(held, "manage/log/")))
    assert "placed the deck for no." in log
    assert f"{opponent}: round 1, table 1, game 1" in log


def test_scorekeeper_is_offered_no_placing_at_the_own_table(held, round_):
    match, first, _second = paired(round_)
    ada = staff(held, "ada-keeper", Role.Name.SCOREKEEPER)
    first.member.person.user = ada.user
    first.member.person.save()
    text = text_of(page(browser(account("ada-keeper")), url(held, f"match/{match.pk}/")))
    assert "has placed the deck" not in text
    values = {"seat": match.seats.get(order=2).pk, "game": 1}
    browser(account("ada-keeper")).post(url(held, f"match/{match.pk}/place-deck/"), values)
    assert not DeckPlacement.objects.exists()


def test_judge_takes_a_placing_back_on_the_page_of_the_match(held, round_):
    match, one, _two, name, _opponent = both(held, round_)
    press(one, held, match)
    juno, kit = (browser(staff(held, *who)) for who in (("juno", Role.Name.JUDGE), ("kit", Role.Name.SCOREKEEPER)))
    address = url(held, f"match/{match.pk}/")
    assert f"Have {name} stack again" in text_of(page(juno, address))
    assert "stack again" not in text_of(page(kit, address))
    values = {"seat": match.seats.get(entry__name=name).pk, "game": 1, "reason": "by mistake"}
    for client in (kit, browser(account("olive")), one):
        assert client.post(f"{address}take-back-deck/", values).status_code == 403
    refused = juno.post(f"{address}take-back-deck/", {**values, "reason": ""}, follow=True)
    assert "Give a reason" in refused.content.decode()
    assert DeckPlacement.objects.count() == 1
    assert juno.post(f"{address}take-back-deck/", {**values, "seat": "0"}).status_code == 404
    assert juno.post(url(held, "match/0/take-back-deck/"), values).status_code == 404
    floor = f"{address}?from=floor"
    assert f'name="back" value="{floor}"' in page(juno, floor)
    for back, led in ((floor, floor), ("https://elsewhere.test/", address)):
        answer = juno.post(f"{address}take-back-deck/", {**values, "reason": "", "back": back})
        assert answer.headers["Location"] == led
    done = juno.post(f"{address}take-back-deck/", {**values, "back": floor}, follow=True)
    assert done.redirect_chain == [(floor, 302)]
    assert f"{name} stacks again" in done.content.decode()
    assert not DeckPlacement.objects.exists()
    log = text_of(page(juno, url(held, "manage/log/")))
    assert "stack again: round 1, table 1, game 1" in log
    assert "by mistake" in log


@pytest.mark.parametrize(
    ("who", "shown"), [("juno", True), ("olive", True), ("kit", False)], ids=["judge", "organiser", "scorekeeper"]
)
def test_match_page_shows_plans_after_the_reveal_to_officials(held, round_, who, shown):
    match, one, two, *_ = both(held, round_)
    roles = {"juno": Role.Name.JUDGE, "kit": Role.Name.SCOREKEEPER}
    reader = browser(staff(held, who, roles[who]) if who in roles else account(who))
    address = url(held, f"match/{match.pk}/")
    press(one, held, match)
    assert plan_name() not in page(reader, address)
    press(two, held, match)
    assert (plan_name() in page(reader, address)) == shown


# Nothing of a plan anywhere else


def everything(held, match):
    """Every page and answer about the match that somebody who is not at the table could read."""
    juno = browser(staff(held, "juno", Role.Name.JUDGE))
    kit = browser(staff(held, "kit", Role.Name.SCOREKEEPER))
    outsider = guest(held, next(e.name for e in held.entries.exclude(seats__match=match)))
    elsewhere = guest(event(1, name="Other"), "Ada")
    places = (
        "", "my/", "pairings/", "standings/", "standings.csv", "desk/", "manage/", "manage/rounds/", "manage/entries/",
        "manage/decks/", "manage/log/", "manage/log.csv", f"match/{match.pk}/",
    )  # fmt: skip
    api = ("", f"matches/{match.pk}/", "rounds/1/matches/", "entries/", "log/", "my/")
    addresses = [url(held, place) for place in places] + [f"/api/v1/events/{held.slug}/{each}" for each in api]
    for client in (browser(), browser(account("mallory")), outsider, elsewhere, kit, juno, browser(account("olive"))):
        for address in addresses:
            yield client, client.get(address).content.decode()


def test_before_the_reveal_no_answer_to_anybody_holds_a_plan(held, round_):
    match, one, _two, name, opponent = both(held, round_)
    press(one, held, match)
    drop_entry(account("olive"), entry(held, opponent), NOW)
    assert not [client for client, content in everything(held, match) if plan_name() in content]
    for player in (name, opponent):
        assert plan_name() not in page(guest(held, player), url(held, "my/"))


def test_the_same_press_leaves_the_same_page_whatever_the_plan(held, round_):
    """Twin worlds: another plan, two plans or no deck at all change no byte before the reveal."""
    match, one, two, _name, opponent = both(held, round_)
    press(two, held, match)
    member = entry(held, opponent).members.get()
    seen = set()
    for plans in (1, 2, 0, None):
        if plans is None:
            type(member).objects.filter(pk=member.pk).update(deck_version=None, deck_registered_at=None)
        else:
            replace_deck(account("juno"), member, "Pile", decklist(plans=plans), "another", NOW)
        text = text_of(page(one, url(held, "my/")))
        seen.add(
            (
                re.sub(r"\d\d:\d\d:\d\d", "", text),
                one.get(f"/api/v1/events/{held.slug}/matches/{match.pk}/").content,
            )
        )
    assert len(seen) == 1


def test_no_side_store_keeps_a_plan(held, round_):
    match, one, two, *_ = both(held, round_)
    press(one, held, match)
    press(two, held, match)
    one.get(f"/api/v1/events/{held.slug}/matches/{match.pk}/")
    stored = [bytes(row.body or b"").decode() for row in IdempotencyKey.objects.all()]
    stored += [str(row.subjects) for row in LedgerEntry.objects.filter(act__startswith="deck.pl")]
    stored += [str(row.__dict__) for row in OutboxMessage.objects.all()]
    assert not [text for text in stored if plan_name() in text]
    assert plan_name() not in str(getattr(cache, "_cache", ""))
