"""Settings that change: two hands at once, the queue, the lock of the decks, decks judged again."""

import itertools
from datetime import timedelta

import pytest

from accounts.models import PersonalLink
from decks.models import LegalityCheck
from decks.services.catalogues import load_catalogues
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, DomainError
from rules_engine.systems import get_system
from scoring.standings.records import ScoringPolicy
from tests.tournaments.factories import NOW, account, draft, entry, event, running
from tournaments.core.links import last_of_links
from tournaments.decks.services.decks import register_deck
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.events.services.settings import changes_of, settings_mark, update_settings
from tournaments.management.demo import sample_decklist
from tournaments.models import Tournament
from tournaments.pairing.swiss.contenders import Apart, Finish, Order, PairingPolicy

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
HOUR = timedelta(hours=1)
PUBLISH = Tournament.DeckPublish.values


def change(tournament, seen=None, **changes):
    """Olive changes settings."""
    return update_settings(account("olive"), tournament, changes, NOW, seen=seen)


def code_of(tournament, **changes):
    """Why it is refused."""
    with pytest.raises(DomainError) as caught:
        change(tournament, **changes)
    return caught.value.code


def with_deck(tournament, name="Ada"):
    """A member with a legal deck."""
    load_catalogues(NOW, [get_system("doom_pile")])
    member = entry(tournament, name).members.get()
    register_deck(account(name.lower()), member, "Pile", sample_decklist(copies=3), NOW)
    member.refresh_from_db()
    return member


def states(tournament):
    return [one.state[0] for one in tournament.entries.order_by("number")]


def test_two_changes_of_different_fields_both_stay():
    stale = event(policy=ScoringPolicy(draw=2))
    change(stale, name="Winter Doom Cup")
    change(stale, place="Hall 3")
    change(stale, policy={"win": 4})
    changed = change(stale, policy={"floor": "1/4"}).tournament
    assert (changed.name, changed.place) == ("Winter Doom Cup", "Hall 3")
    assert (changed.policy["win"], changed.policy["draw"], changed.policy["floor"]) == (4, 2, "1/4")


def test_settings_changed_meanwhile_are_not_overwritten():
    tournament = event()
    seen = settings_mark(tournament)
    assert settings_mark(change(tournament, seen, name="Winter Doom Cup").tournament) != seen
    with pytest.raises(Conflict, match="have changed"):
        change(tournament, seen, place="Hall 3")
    tournament.refresh_from_db()
    assert change(tournament, settings_mark(tournament), place="Hall 3").tournament.place == "Hall 3"


def test_games_of_a_bye_follow_the_match_length_until_somebody_chose_them():
    tournament = event()
    assert change(tournament, best_of=5).tournament.scoring_policy.bye_games == (3, 0)
    change(tournament, policy={"bye_games": [1, 1]})
    assert change(tournament, best_of=1).tournament.scoring_policy.bye_games == (1, 1)


def test_more_room_moves_up_those_who_wait_longest():
    tournament = event(6, capacity=2)
    tournament.entries.filter(name="Fay").update(registered_at=NOW - HOUR)
    change(tournament, name="Winter Doom Cup")
    assert states(tournament) == list("rrwwww")
    change(tournament, capacity=4)
    assert states(tournament) == list("rrrwwr")
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="entry.promoted").count() == 2
    change(tournament, capacity=3)
    assert states(tournament) == list("rrrwwr")
    change(tournament, capacity=None)
    assert states(tournament) == list("rrrrrr")


def test_rules_of_pairing_change_while_the_event_runs_and_the_log_says_how():
    tournament = running(4)
    assert tournament.pairing_policy == PairingPolicy()
    change(tournament, pairing={"clubs": "soft"})
    changed = change(tournament, pairing={"order": "top_down"}).tournament
    assert changed.pairing_policy == PairingPolicy(order=Order.TOP_DOWN, clubs=Apart.SOFT)
    whole = change(tournament, pairing=PairingPolicy(last_finish=Finish.STANDINGS)).tournament
    assert whole.pairing_policy == PairingPolicy(last_finish=Finish.STANDINGS)
    logged = LedgerEntry.objects.filter(stream=tournament.stream, act="event.settings_changed").order_by("sequence")
    assert [each.subjects["changed"] for each in logged] == [
        "pairing clubs=soft",
        "pairing order=top_down",
        "pairing order=least_squares clubs=ignore last_finish=standings",
    ]


def test_mark_of_the_settings_covers_the_rules_of_pairing_and_not_how_they_are_stored():
    tournament = event()
    seen = settings_mark(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(pairing={})
    tournament.refresh_from_db()
    assert settings_mark(tournament) == seen
    assert settings_mark(change(tournament, pairing={"teams": "hard"}).tournament) != seen


def test_all_settings_of_a_running_event_may_leave_the_rounds_open():
    tournament = running(4)
    changes = changes_of(draft(name="Winter Doom Cup"))
    assert change(tournament, **changes).tournament.swiss_rounds == tournament.swiss_rounds


@pytest.mark.parametrize("deadline", [NOW + HOUR, None])
def test_locked_decks_stay_locked(deadline):
    tournament = event(2, deck_deadline=NOW)
    assert code_of(tournament, deck_deadline=deadline) == "deck_deadline_passed"
    assert change(tournament, deck_deadline=NOW - HOUR).tournament.deck_deadline == NOW - HOUR


def test_deadline_moves_freely_while_decks_are_open():
    tournament = event(2, deck_deadline=NOW + HOUR)
    assert change(tournament, deck_deadline=NOW + 2 * HOUR).tournament.deck_deadline == NOW + 2 * HOUR
    assert change(tournament, deck_deadline=None).tournament.deck_deadline is None


def test_start_locks_decks_for_good():
    tournament = running(4)
    assert code_of(tournament, deck_deadline=NOW + HOUR) == "deck_deadline_passed"
    other = running(4, deck_deadline=NOW + HOUR)
    assert code_of(other, deck_deadline=NOW + 2 * HOUR) == "deck_deadline_passed"
    assert change(other, deck_deadline=NOW).tournament.deck_deadline == NOW


def test_another_day_judges_every_deck_again():
    tournament = event(2)
    member = with_deck(tournament)
    change(tournament, starts_at=tournament.starts_at + HOUR)
    assert LegalityCheck.objects.filter(version=member.deck_version).count() == 1
    assert change(tournament, starts_at=tournament.starts_at + 48 * HOUR).decks_detached == 0
    newest = LegalityCheck.objects.filter(version=member.deck_version).order_by("id").last()
    assert newest.on_date == (tournament.starts_at + 48 * HOUR).date()
    change(tournament, time_zone="Pacific/Kiritimati")
    assert LegalityCheck.objects.filter(version=member.deck_version).count() == 3


def test_personal_links_open_as_long_as_new_ones_after_the_event_moved_to_another_day():
    tournament = event(1)
    issue_entry_link(account("olive"), entry(tournament, "Ada"), NOW)
    for days in (100, 2):
        change(tournament, starts_at=NOW + timedelta(days=days))
        tournament.refresh_from_db()
        assert PersonalLink.objects.get().expires_at == last_of_links(tournament, NOW)
    change(tournament, place="Back room")
    assert PersonalLink.objects.get().expires_at == NOW + timedelta(days=62)


def test_another_game_takes_its_decks_off():
    tournament = event(2)
    member = with_deck(tournament)
    assert change(tournament, game="house_game", game_format="open").decks_detached == 1
    member.refresh_from_db()
    assert (member.deck_version, member.deck_registered_at) == (None, None)
    assert LedgerEntry.objects.get(stream=tournament.stream, act="deck.detached").subjects["entry"] == 1
    assert Tournament.objects.get(pk=tournament.pk).game == "house_game"


def is_allowed(tournament, before, after):
    """Whether an organiser may change the publish policy so."""
    Tournament.objects.filter(pk=tournament.pk).update(deck_publish=before)
    try:
        change(tournament, deck_publish=after)
    except DomainError as error:
        return (error.code, error.details) != ("deck_publish_told", {"field": "deck_publish"})
    return True


def allowed_changes(tournament):
    """The changes of the publish policy that an organiser may make now."""
    pairs = itertools.product(PUBLISH, repeat=2)
    return {(before, after) for before, after in pairs if is_allowed(tournament, before, after)}


def test_publish_policy_is_free_until_the_first_deck_and_can_then_only_become_less():
    tournament = event(2)
    same = {(each, each) for each in PUBLISH}
    assert allowed_changes(tournament) == set(itertools.product(PUBLISH, repeat=2))
    with_deck(tournament)
    assert allowed_changes(tournament) == same | {
        ("after_cut", "after_end"), ("after_cut", "never"), ("after_end", "never"), ("to_opponent", "never"),
    }  # fmt: skip


def test_sheets_are_usual_where_several_sit_at_a_table():
    tables = event(game="doomlings", game_format="standard", best_of=1)
    assert (tables.score_sheets, event().score_sheets) == (True, False)
    assert not event(game="doomlings", game_format="standard", best_of=1, score_sheets=False).score_sheets


def test_sheets_are_refused_for_a_game_without():
    with pytest.raises(DomainError) as caught:
        event(game="house_game", game_format="standard", score_sheets=True)
    assert caught.value.code in ("no_sheets", "unknown_format")


def test_options_of_sheets_are_checked_and_stored_where_they_are_not_usual():
    tournament = event(game="doomlings", game_format="standard", best_of=1)
    stored = change(tournament, sheet_options={"ties": "draw", "signatures": "all"}).tournament
    assert stored.sheet_options == {"ties": "draw"}
    assert code_of(tournament, sheet_options={"ties": ["draw"]}) == "bad_options"
    assert code_of(tournament, sheet_options={"genetic_mishap": True}) == "bad_options"


def test_options_of_sheets_do_not_follow_to_another_game():
    tournament = event(game="doomlings", game_format="standard", best_of=1, sheet_options={"ties": "draw"})
    stored = change(tournament, game="doom_pile", game_format="standard").tournament
    assert (stored.score_sheets, stored.sheet_options) == (False, {})


def test_sheets_are_frozen_once_the_event_runs():
    tournament = running(4, game="doomlings", game_format="standard", best_of=1)
    assert code_of(tournament, score_sheets=False) == "rules_frozen"
    assert code_of(tournament, sheet_options={"ties": "draw"}) == "rules_frozen"
    assert code_of(tournament, sheet_options={"ties": "draw", "signatures": "one"}) == "rules_frozen"


def test_who_signs_a_sheet_may_change_while_the_event_runs():
    said = {"game": "doomlings", "game_format": "standard", "best_of": 1, "sheet_options": {"ties": "draw"}}
    tournament = running(4, **said)
    stored = change(tournament, sheet_options={"ties": "draw", "signatures": "one"}).tournament
    assert stored.sheet_options == {"ties": "draw", "signatures": "one"}
    assert change(stored, sheet_options={"ties": "draw"}).tournament.sheet_options == {"ties": "draw"}


def test_tables_follow_a_variation_that_is_for_fewer_players():
    tournament = event(game="doomlings", game_format="standard", best_of=1)
    assert tournament.stages.get().table_policy.most == 5
    change(tournament, sheet_options={"intelligent_design": True})
    assert tournament.stages.get().table_policy.most == 4
    change(tournament, sheet_options={})
    stage = tournament.stages.get()
    stage.tables = {**stage.tables, "least": 3, "most": 6}
    stage.save()
    assert code_of(tournament, sheet_options={"prosperous_world": "3x4"}) == "bad_stage"


def test_the_hall_closes_after_the_start():
    tournament = event()
    with pytest.raises(DomainError, match="after the start"):
        change(tournament, hall_closes_at=tournament.starts_at)
    change(tournament, hall_closes_at=tournament.starts_at + HOUR)
    tournament.refresh_from_db()
    assert tournament.hall_closes_at == tournament.starts_at + HOUR
