"""The life of a tournament: each way out of each service."""

from datetime import timedelta

import pytest

from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry, OutboxMessage
from rules_engine.errors import DomainError, NotFound
from scoring.standings.records import ScoringPolicy
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, draft, event, name_of, next_round, report_all, running
from tournaments.core.events import find_event
from tournaments.entries.services.attendance import check_in_entry
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.selectors.events import Step, next_step
from tournaments.events.services.events import (
    cancel_tournament,
    close_registration,
    create_tournament,
    finish_tournament,
    open_registration,
    reopen_tournament,
    start_tournament,
)
from tournaments.events.services.settings import update_settings
from tournaments.models import Entry, Role, Round, Tournament
from tournaments.permissions import roles_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_new_event_is_a_draft_of_its_organiser():
    olive = account("olive")
    tournament = create_tournament(olive, draft(), NOW, also_judge=True)
    assert tournament.state == Tournament.State.DRAFT
    assert roles_of(olive, tournament) == {Role.Name.ORGANISER, Role.Name.JUDGE}
    assert LedgerEntry.objects.get(stream=tournament.stream).subjects["also_judge"] == 1
    assert OutboxMessage.objects.filter(task="tournaments.refresh_standings", args=[tournament.pk]).exists()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"game_format": "wild"}, "unknown_format"),
        ({"name": ""}, "bad_event"),
        ({"name": "x" * 121}, "bad_event"),
        ({"time_zone": "Mars/Olympus"}, "bad_event"),
        ({"best_of": 0}, "bad_event"),
        ({"best_of": 10}, "bad_event"),
        ({"best_of": 2}, "bad_event"),
        ({"swiss_rounds": 0}, "bad_event"),
        ({"capacity": 1}, "bad_event"),
        ({"visibility": "secret"}, "bad_event"),
        ({"starts_at": NOW.replace(year=1)}, "bad_event"),
        ({"starts_at": NOW.replace(year=9999)}, "bad_event"),
        ({"deck_deadline": NOW.replace(year=1)}, "bad_event"),
        ({"deck_deadline": NOW.replace(year=9999)}, "bad_event"),
        ({"best_of": 7}, "bad_event"),
        ({"policy": ScoringPolicy(tiebreakers=())}, "bad_policy"),
        ({"policy": ScoringPolicy(tiebreakers=("omw", "gw", "omw"))}, "bad_policy"),
        ({"policy": ScoringPolicy(tiebreakers=("luck",))}, "unknown_tiebreaker"),
        ({"game": "house_game", "game_format": "open", "deck_required": True}, "no_decks"),
    ],
)
def test_event_that_cannot_be_is_refused_and_leaves_nothing(changes, code):
    assert refusal(create_tournament, account("olive"), draft(**changes), NOW) == code
    assert not Tournament.objects.exists()
    assert not LedgerEntry.objects.filter(act="event.created").exists()


def test_addresses_carry_enough_chance_not_to_be_guessed():
    slugs = {create_tournament(account("olive"), draft(), NOW).slug for _ in range(20)}
    assert len(slugs) == 20
    assert all(slug.startswith("autumn-doom-cup-") and len(slug.rsplit("-", 1)[1]) == 16 for slug in slugs)


def test_start_needs_two_and_recommends_rounds():
    tournament = event(1)
    with pytest.raises(DomainError, match="two players"):
        start_tournament(account("olive"), tournament, NOW)
    register_walk_ins(account("olive"), tournament, [EntryDraft(name_of(number)) for number in range(1, 9)], NOW)
    assert start_tournament(account("olive"), tournament, NOW).swiss_rounds == 4


def test_start_with_check_in_withdraws_whoever_is_not_there():
    tournament = event(4, check_in=True)
    here = list(tournament.entries.all())[:3]
    for one in here:
        check_in_entry(account("olive"), one, NOW)
    start_tournament(account("olive"), tournament, NOW)
    assert list(tournament.entries.filter(state=Entry.State.WITHDRAWN).values_list("name", flat=True)) == ["Dora"]


@pytest.mark.parametrize(
    ("service", "states"),
    [
        (open_registration, {"draft"}),
        (close_registration, {"registration"}),
        (start_tournament, {"draft", "registration"}),
        (finish_tournament, {"running"}),
        (lambda *args: cancel_tournament(*args[:2], "rain", args[2]), {"draft", "registration", "running"}),
        (lambda *args: reopen_tournament(*args[:2], "wrong result", args[2]), {"finished"}),
    ],
)
@pytest.mark.parametrize("state", Tournament.State.values)
def test_states_change_only_along_the_table(service, states, state):
    tournament = event(2)
    Tournament.objects.filter(pk=tournament.pk).update(state=state)
    tournament.refresh_from_db()
    if state in states:
        assert service(account("olive"), tournament, NOW).state != state
    else:
        assert refusal(service, account("olive"), tournament, NOW) == "wrong_state"
        tournament.refresh_from_db()
        assert tournament.state == state


def test_rules_are_frozen_while_the_event_runs_and_the_rest_is_not():
    tournament = running(4)
    kept = {"swiss_rounds": 2, "visibility": tournament.visibility}
    assert refusal(update_settings, account("olive"), tournament, {"best_of": 5, **kept}, NOW) == "rules_frozen"
    changed = update_settings(account("olive"), tournament, {"name": "Winter Doom Cup", **kept}, NOW)
    assert changed.tournament.name == "Winter Doom Cup"


def test_rounds_cannot_shrink_below_those_paired():
    tournament = running(4)
    report_all(next_round(tournament))
    next_round(tournament, 2)
    with pytest.raises(DomainError, match="already paired"):
        update_settings(account("olive"), tournament, {"swiss_rounds": 1}, NOW)


def test_finish_waits_for_results_and_reopen_opens_the_last_round():
    tournament = running(4)
    round_ = next_round(tournament)
    with pytest.raises(DomainError) as caught:
        finish_tournament(account("olive"), tournament, NOW)
    assert [each["table"] for each in caught.value.details["missing"]] == [1, 2]
    report_all(round_)
    tournament = finish_tournament(account("olive"), tournament, NOW + timedelta(hours=3))
    assert (tournament.state, tournament.finished_at) == ("finished", NOW + timedelta(hours=3))
    with pytest.raises(DomainError, match="reason"):
        reopen_tournament(account("olive"), tournament, "  ", NOW)
    reopen_tournament(account("olive"), tournament, "table 2 was wrong", NOW)
    assert Round.objects.get(pk=round_.pk).state == Round.State.PUBLISHED
    tournament.refresh_from_db()
    assert tournament.finished_at is None
    assert verify_stream(tournament.stream) == []


def test_next_step_leads_through_the_event():
    olive = account("olive")
    tournament = create_tournament(olive, draft(swiss_rounds=1), NOW)
    assert next_step(tournament).step is Step.OPEN_REGISTRATION
    tournament = open_registration(olive, tournament, NOW)
    assert next_step(tournament).step is Step.START
    register_walk_ins(olive, tournament, [EntryDraft("Ada"), EntryDraft("Ben")], NOW)
    tournament = start_tournament(olive, tournament, NOW)
    assert next_step(tournament).step is Step.PAIR
    round_ = next_round(tournament)
    collect = next_step(tournament)
    assert (collect.step, collect.missing, collect.conflicts) == (Step.COLLECT, tuple(round_.matches.all()), ())
    report_all(round_)
    assert next_step(tournament).step is Step.FINISH
    assert next_step(finish_tournament(olive, tournament, NOW)).step is Step.NOTHING


@pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
def test_hidden_events_are_not_found_by_strangers(visibility):
    tournament = event(visibility=visibility)
    mallory = account("mallory")
    if visibility == "private":
        with pytest.raises(NotFound) as hidden:
            find_event(mallory, tournament.slug)
        with pytest.raises(NotFound) as unknown:
            find_event(mallory, "no-such-event")
        assert (hidden.value.code, str(hidden.value)) == (unknown.value.code, str(unknown.value))
    else:
        assert find_event(mallory, tournament.slug) == tournament
    assert find_event(account("olive"), tournament.slug) == tournament


def test_start_waits_for_required_decks_unless_told_otherwise():
    olive, tournament = account("olive"), event(3, deck_required=True, check_in=True)
    for one in list(tournament.entries.all())[:2]:
        check_in_entry(olive, one, NOW)
    with pytest.raises(DomainError) as caught:
        start_tournament(olive, tournament, NOW)
    assert (caught.value.code, caught.value.details) == ("decks_missing", {"count": 2})
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.REGISTRATION
    assert start_tournament(olive, tournament, NOW, without_decks=True).state == Tournament.State.RUNNING


@pytest.mark.parametrize(("best_of", "games"), [(1, (1, 0)), (3, (2, 0)), (5, (3, 0))])
def test_bye_without_a_policy_counts_the_games_that_win_a_match(best_of, games):
    assert create_tournament(account("olive"), draft(best_of=best_of), NOW).scoring_policy.bye_games == games


def test_length_the_game_does_not_offer_is_refused_with_its_field_unless_all_games_are_played():
    with pytest.raises(DomainError) as caught:
        create_tournament(account("olive"), draft(best_of=2), NOW)
    assert caught.value.details == {"field": "best_of"}
    assert create_tournament(account("olive"), draft(best_of=2, exact_games=True), NOW).best_of == 2


def test_opening_stores_nothing_but_the_state():
    olive = account("olive")
    stale = create_tournament(olive, draft(), NOW)
    update_settings(olive, stale, {"swiss_rounds": 7}, NOW)
    assert open_registration(olive, stale, NOW).swiss_rounds == 7
