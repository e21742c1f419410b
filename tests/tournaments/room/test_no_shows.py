"""A table that waits for a missing player: what the rule proposes, to whom, and that nothing happens by itself."""

import re
from datetime import datetime, timedelta

import pytest

from journal.clock import database_now
from rules_engine.errors import DomainError
from tests.tournaments.factories import NOW, account, event, next_round, running, score, staff, table
from tests.tournaments.room.test_calls import player
from tests.tournaments.web.organiser.test_organiser import browser, text_of
from tests.tournaments.web.visitors import guest
from tournaments.events.services.settings import update_settings
from tournaments.models import Match, Penalty, Role, Round, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.results.services.reports import report_result
from tournaments.room.selectors.calls import call_at
from tournaments.room.selectors.no_shows import NoShow, due_penalty, no_show_at
from tournaments.room.services.calls import call_judge
from tournaments.room.services.clocks import pause_clock, resume_clock, start_clock

pytestmark = pytest.mark.django_db


def after(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def held(**changes: object) -> Tournament:
    return running(4, no_show_game_minutes=5, no_show_match_minutes=10, **changes)


def seen(match: Match, minutes: float) -> NoShow | None:
    """What the table's pages say so long after NOW."""
    match.refresh_from_db()
    return no_show_at(match, call_at(match), after(minutes))


@pytest.mark.parametrize(
    ("minutes", "rule", "due"),
    [
        (4, (5, 10), ""), (5, (5, 10), "game_loss"), (10, (5, 10), "match_loss"), (90, (None, None), ""),
        (9, (None, 10), ""), (10, (None, 10), "match_loss"), (90, (5, None), "game_loss"),
    ],
)  # fmt: skip
def test_rule_says_what_is_due(minutes, rule, due):
    assert due_penalty(minutes, *rule) == due


def test_minutes_count_with_the_round_and_who_called_is_there():
    match = table(next_round(held()))
    call_judge(player(match), match, "missing", "", NOW)
    assert seen(match, 3) == NoShow(0, 5, 10, "", ())
    start_clock(account("olive"), match.round, after(1))
    assert seen(match, 5.5) == NoShow(4, 5, 10, "", ())
    pause_clock(account("olive"), match.round, after(5))
    assert seen(match, 60) == NoShow(4, 5, 10, "", ())
    resume_clock(account("olive"), match.round, after(65))
    assert seen(match, 66) == NoShow(5, 5, 10, "game_loss", (1,))
    missing = match.seats.get(order=2).entry
    give_penalty(account("olive"), missing, "game_loss", "Late to the match", after(66), match=match)
    assert seen(match, 67) == NoShow(6, 5, 10, "game_loss", ())
    assert seen(match, 71) == NoShow(10, 5, 10, "match_loss", (1,))
    report_result(account("olive"), match, score(2, 0), after(72))
    assert seen(match, 73) is None


def test_without_a_clock_publishing_counts_and_any_seat_may_be_missing():
    match = table(next_round(held(round_minutes=0)))
    assert seen(match, 20) is None
    call_judge(account("olive"), match, "missing", "", NOW)
    assert seen(match, 6) == NoShow(6, 5, 10, "game_loss", (0, 1))


def test_no_rule_or_another_call_proposes_nothing():
    plain = table(next_round(running(4)))
    call_judge(player(plain), plain, "missing", "", NOW)
    assert seen(plain, 60) is None
    other = table(next_round(held()))
    call_judge(player(other), other, "rules", "", NOW)
    assert seen(other, 60) is None


def test_judge_is_one_press_from_the_filled_form_and_players_see_the_clock():
    tournament = held(round_minutes=0)
    match = table(next_round(tournament))
    staff(tournament, "juno", Role.Name.JUDGE)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    page = f"/e/{tournament.slug}/match/{match.pk}/?from=floor"
    assert "A player is missing" in text_of(browser("juno").get(page))
    waiting, missing = (seat.entry for seat in match.seats.order_by("order"))
    call_judge(player(match), match, "missing", "", NOW)
    Round.objects.update(published_at=database_now() - timedelta(minutes=6, seconds=5))
    text = text_of(browser("juno").get(page))
    assert "6 minutes since the round started" in text
    assert f"Game loss: {missing.name}" in text
    assert f"Game loss: {waiting.name}" not in text
    form = f"/e/{tournament.slug}/floor/table/{match.pk}/penalty/{missing.number}/?choice=game_loss:0"
    assert form in browser("juno").get(page).content.decode()
    assert re.search(r'value="game_loss:0"[^>]* checked', browser("juno").get(form).content.decode())
    assert "Game loss:" not in text_of(browser("kit").get(page))
    mine = text_of(guest(tournament, waiting.name).get(f"/e/{tournament.slug}/my/"))
    assert "6 minutes since the round started" in mine
    assert "match loss after 10 minutes" in mine
    assert "Game loss:" not in mine
    assert not Penalty.objects.exists()


def test_settings_take_a_rule_that_can_be():
    tournament, olive = event(), account("olive")
    for wrong in ({"no_show_game_minutes": 0}, {"no_show_game_minutes": 9, "no_show_match_minutes": 9}):
        with pytest.raises(DomainError, match="minutes"):
            update_settings(olive, tournament, wrong, NOW)
    update_settings(olive, tournament, {"no_show_match_minutes": 15}, NOW)
    tournament.refresh_from_db()
    assert (tournament.no_show_game_minutes, tournament.no_show_match_minutes) == (None, 15)
