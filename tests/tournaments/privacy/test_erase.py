"""An erased account is found nowhere; results, standings and logs are what they were."""

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from accounts.models import Person, User
from decks.models import Deck
from decks.services.catalogues import load_catalogues
from journal.ledger.erasing import erasing
from journal.ledger.selectors import verify_stream
from journal.models import Erasure, LedgerEntry
from rules_engine.errors import Conflict
from rules_engine.systems import get_system
from scoring.models import SheetRevision, SheetTally
from scoring.sheets.erasing import renamed
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, score, staff, table
from tests.tournaments.sheet_acts import file, opened, work, write
from tests.tournaments.web.visitors import browser
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.attendance import drop_entry, return_entry
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import finish_tournament, start_tournament
from tournaments.events.services.moving import mark_as_moved
from tournaments.leagues.services import LeagueDraft, create_league, finish_league
from tournaments.management.demo import sample_decklist
from tournaments.models import Entry, Penalty, ResultReport, Role, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.privacy.services import erase_account
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.room.services.announcements import post_announcement
from tournaments.room.services.calls import call_judge, claim_call
from tournaments.standings.selectors.standings import standings_of

pytestmark = pytest.mark.django_db
ZOE = "Zoe Canary"


def found_in(word="canary"):
    """The tables that hold the name, in whatever column."""
    return {
        model._meta.label
        for model in apps.get_models()
        for row in model._default_manager.values()
        if any(word in str(value).casefold() for value in row.values())
    }


def entered(names=("Ben",), **changes):
    tournament = event(self_sign_up=True, **changes)
    for name in (ZOE, *names):
        sign_up(account(name), tournament, account(name).person, NOW)
    return tournament


def over(tournament):
    held = Tournament.objects.get(pk=tournament.pk)
    return finish_tournament(account("olive"), held, NOW, early="enough for today")


def duel():
    """A finished event in which Zoe did what leaves a name behind."""
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = entered()
    zoe = account(ZOE)
    User.objects.filter(pk=zoe.user.pk).update(email="canary@example.com")
    Person.objects.filter(pk=zoe.person.pk).update(email="canary@example.com")
    register_deck(zoe, entry(tournament, ZOE).members.get(), "Canary deck", sample_decklist(copies=3), NOW)
    staff(tournament, ZOE, Role.Name.SCOREKEEPER)
    juno = staff(tournament, "juno", Role.Name.JUDGE)
    tournament = start_tournament(account("olive"), tournament, NOW)
    round_ = next_round(tournament)
    match = table(round_)
    report_result(zoe, match, score(2, 0), NOW, seat=match.seats.get(entry__name=ZOE))
    report_all(round_)
    correct_result(account("olive"), table(round_), score(0, 2), "typed in for zoe canary", NOW)
    give_penalty(juno, entry(tournament, ZOE), Penalty.Kind.WARNING, "Slow play", NOW, notes="Zoe Canary was slow")
    post_announcement(zoe, tournament, "Zoe Canary has the keys", NOW)
    return over(tournament)


def lines(tournament):
    return [(each.rank, each.contender, each.tally, each.amounts) for each in standings_of(tournament)]


def test_a_judge_who_erases_themselves_in_a_running_event_is_on_its_staff_no_more():
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament, moved, past = (event(3, name=name) for name in ("Now", "Away", "Past"))
    for each in (tournament, moved, past):
        zoe = staff(each, ZOE, Role.Name.JUDGE)
    started = start_tournament(account("olive"), tournament, NOW)
    call = claim_call(zoe, call_judge(account("olive"), table(next_round(started)), "rules", "", NOW), NOW)
    mark_as_moved(account("olive"), moved, "Elsewhere", "", NOW)
    over(start_tournament(account("olive"), past, NOW))
    erase_account(zoe.user, zoe, NOW)
    call.refresh_from_db()
    assert (call.state, call.judge) == ("open", None)
    assert set(Role.objects.filter(user=zoe.user).values_list("tournament__name", flat=True)) == {"Away", "Past"}
    assert (found_in(), verify_stream(tournament.stream)) == (set(), [])


def test_the_name_is_found_nowhere_and_the_standings_and_the_chain_are_what_they_were():
    tournament = duel()
    before, head = lines(tournament), LedgerEntry.objects.filter(stream=tournament.stream).count()
    results = list(ResultReport.objects.order_by("pk").values_list("kind", "games_drawn", "games", "reported_at"))
    assert {"accounts.User", "accounts.Person", "tournaments.Entry", "tournaments.ResultReport",
            "tournaments.Announcement", "journal.PersonalValue", "decks.Deck"} <= found_in()  # fmt: skip
    erase_account(account(ZOE).user, account(ZOE), NOW)
    assert found_in() == set()
    assert lines(Tournament.objects.get(pk=tournament.pk)) == before
    assert (
        list(ResultReport.objects.order_by("pk").values_list("kind", "games_drawn", "games", "reported_at")) == results
    )
    assert verify_stream(tournament.stream) == []
    assert verify_stream("accounts") == []
    assert LedgerEntry.objects.filter(stream=tournament.stream).count() == head + 1


def nameless(players):
    return [{key: value for key, value in each.items() if key != "name"} for each in players]


def test_score_sheets_lose_the_name_and_keep_their_points():
    tournament = entered(("Ben", "Cem"), game="doomlings", best_of=1, score_sheets=True)
    tournament = start_tournament(account("olive"), tournament, NOW)
    match = opened(table(next_round(tournament)))
    write(match, 30, 20, 10)
    revision = file(match, 0)
    work()
    tournament = over(tournament)
    assert {"scoring.ScoreSheet", "scoring.SheetRevision", "scoring.SheetTally"} <= found_in()
    points = nameless(SheetTally.objects.get().tally["players"])
    erase_account(account(ZOE).user, account(ZOE), NOW)
    assert found_in() == set()
    assert nameless(SheetTally.objects.get().tally["players"]) == points
    assert len(SheetRevision.objects.get(pk=revision.pk).content["players"]) == 3
    assert verify_stream(tournament.stream) == []


def test_a_sheet_that_names_players_in_its_moves_is_committed_to_again():
    value = {"players": [{"name": "Zoe"}], "games": [{"turn": "Zoe", "by": {"Zoe": 3}}], "card": "Zoelight"}
    assert renamed(value, {"Zoe"}, "X") == {
        "players": [{"name": "X"}], "games": [{"turn": "X", "by": {"X": 3}}], "card": "Zoelight",
    }  # fmt: skip


def test_the_database_lets_names_change_only_while_a_transaction_erases_and_results_never():
    duel()
    rows = ResultReport.objects.all()
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(actor_label="Mallory")
    for forbidden in ({"kind": "bye"}, {"games_drawn": 7}, {"actor": "user:1"}, {"actor_label": "x", "games_lost": 3}):
        with pytest.raises(IntegrityError), transaction.atomic(), erasing(NOW):
            rows.update(**forbidden)
    with pytest.raises(IntegrityError), transaction.atomic(), erasing(NOW):
        rows._raw_delete(rows.db)
    with erasing(NOW):
        assert rows.update(actor_label="Erased") == rows.count()
    assert not Erasure.objects.exists()


def test_decks_go_and_a_registered_one_stays_without_its_name():
    tournament = duel()
    member = Entry.objects.get(tournament=tournament, name=ZOE).members.get()
    erase_account(account(ZOE).user, account(ZOE), NOW)
    member.refresh_from_db()
    deck = Deck.objects.get(pk=member.deck_version.deck_id)
    assert deck.hidden_at is not None
    assert "Canary" not in deck.name
    assert LedgerEntry.objects.get(act="deck.deleted").role == "self"


@pytest.mark.parametrize("state", ["plays", "organises"])
def test_who_still_plays_or_organises_is_told_what_to_do_first(state):
    if state == "plays":
        entered()
        who = account(ZOE)
    else:
        event(2)
        who = account("olive")
    assert refusal(erase_account, who.user, who, NOW) == "event_not_over"
    assert User.objects.get(pk=who.user.pk).is_active


def test_who_alone_runs_a_league_adds_another_organiser_first():
    who = account("lea")
    league = create_league(who, LeagueDraft("Winter", (3, 1)), NOW)
    client = browser(who)
    assert "Winter" in client.get("/my/data/").content.decode()
    assert refusal(erase_account, who.user, who, NOW) == "event_not_over"
    league.organisers.add(account("olive").user)
    User.objects.filter(username="olive").update(is_active=False)
    with pytest.raises(Conflict, match="Winter"):
        erase_account(who.user, who, NOW)
    User.objects.filter(username="olive").update(is_active=True)
    assert "Erase my account" in client.get("/my/data/").content.decode()
    erase_account(who.user, who, NOW)
    assert list(league.organisers.all()) == [account("olive").user]


def test_a_finished_league_keeps_its_only_organiser_while_another_could_be_added():
    who, now = account("lea"), NOW
    league = create_league(who, LeagueDraft("Winter", (3, 1), visibility="private"), now)
    held = event(2)
    league.tournaments.add(held, through_defaults={"added_at": now})
    held.state = held.State.FINISHED
    held.save()
    finish_league(who, league, now)
    client = browser(who)
    assert "Winter" in client.get("/my/data/").content.decode()
    with pytest.raises(Conflict) as caught:
        erase_account(who.user, who, now)
    assert "only organiser" in str(caught.value)
    address = f"/l/{league.slug}/manage/"
    assert 'name="username"' in client.get(f"{address}settings/").content.decode()
    assert client.post(f"{address}organisers/", {"username": "olive"}).status_code == 302
    erase_account(who.user, who, now)
    assert list(league.organisers.all()) == [account("olive").user]


def test_a_finished_league_that_nobody_else_could_run_keeps_nobody():
    who = account("lea")
    league = create_league(who, LeagueDraft("Winter", (3, 1)), NOW)
    finish_league(who, league, NOW)
    erase_account(who.user, who, NOW)
    assert not league.organisers.exists()


def test_nobody_brings_an_erased_player_back_into_the_event():
    tournament = entered()
    drop_entry(account(ZOE), held := entry(tournament, ZOE), NOW)
    erase_account(account(ZOE).user, account(ZOE), NOW)
    assert refusal(return_entry, account("olive"), held, NOW) == "erased"


def test_a_site_admin_is_not_erased():
    User.objects.create_superuser("root", password="asked for before the key of a second factor is shown")
    assert refusal(erase_account, account("root").user, account("root"), NOW) == "site_admin"


def test_the_page_asks_for_the_name_then_signs_out():
    duel()
    client = browser(account(ZOE))
    asked = client.post("/my/data/erase/")
    assert asked.status_code == 200
    assert User.objects.filter(username=ZOE).exists()
    assert client.post("/my/data/erase/", {"confirmed_name": "Ben"}).status_code == 422
    assert client.post("/my/data/erase/", {"confirmed_name": ZOE}).status_code == 302
    assert not User.objects.filter(username=ZOE).exists()
    assert client.get("/my/data/").status_code in (302, 403)
