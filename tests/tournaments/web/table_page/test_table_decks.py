"""What the code on a table does before cards are played: drafts move on, later games' stacking minutes begin."""

import pytest

from journal.clock import database_now
from tests.tournaments.decks.test_drafts import designed
from tests.tournaments.factories import account, next_round, running, table
from tests.tournaments.table_phones import phone, say, seats_at, tokens_of
from tests.tournaments.web.visitors import page, text_of, url
from tournaments.models import Tournament
from tournaments.room.services.clocks import start_clock

pytestmark = pytest.mark.django_db


def seen(client, tournament):
    return text_of(page(client, url(tournament, "table/")))


def claimed(token, match, place=0):
    client = phone(token)
    say(client, match, "claim", seat=seats_at(match)[place].pk)
    return client


def step(match):
    match.refresh_from_db()
    return match.draft_step


def test_a_draft_moves_on_and_back_by_the_code_of_its_table():
    held = designed()
    match = table(next_round(held))
    token = tokens_of(held)[1]
    one, two = claimed(token, match), claimed(token, match, 1)
    say(one, match, "draft", step=0)
    assert step(match) == 1
    say(two, match, "draft", step=0)
    assert step(match) == 1, "both pressed: it moves once"
    say(two, match, "draft_back", step=1)
    assert step(match) == 0
    assert say(one, match, "draft", step="x").status_code == 400
    assert step(match) == 0


def test_nobody_moves_a_draft_without_a_name_or_where_codes_report_nothing():
    held = designed()
    match = table(next_round(held))
    client = phone(tokens_of(held)[1])
    say(client, match, "draft", step=0)
    assert "Say first who you are." in seen(client, held)
    say(client, match, "claim", seat=seats_at(match)[0].pk)
    Tournament.objects.filter(pk=held.pk).update(table_reports="off")
    say(client, match, "draft", step=0)
    assert "The staff enter results at this event." in seen(client, held)
    assert step(match) == 0


def test_minutes_to_stack_for_game_2_begin_by_the_code_of_the_table():
    held = running(table_reports="agreed")
    match = table(next_round(held))
    start_clock(account("olive"), match.round, database_now())
    token = tokens_of(held)[1]
    one, two = claimed(token, match), claimed(token, match, 1)
    for each in (one, two):
        say(each, match, "place", game=1)
    say(one, match, "stack", game=2)
    match.refresh_from_db()
    since = match.stacking_since
    assert match.stacking_game == 2
    say(two, match, "stack", game=2)
    match.refresh_from_db()
    assert match.stacking_since == since, "who presses later has the same minutes"
    assert "game 2" in seen(two, held)
    other = claimed(tokens_of(held)[2], match)
    say(other, match, "stack", game=2)
    assert "Not saved: that was another match." in seen(other, held)
