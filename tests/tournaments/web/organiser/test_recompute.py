"""Computing a round again from the page of rounds: equal, different, another engine, by hand; what the page tells."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW, account, next_round, report_all, running, staff
from tests.tournaments.standings.test_recomputed import swap_seats
from tests.tournaments.web.organiser.test_organiser import browser, manage, text_of
from tournaments.models import Role, Round, Tournament
from tournaments.rounds.services.rounds import ManualPairing, enter_pairings

pytestmark = pytest.mark.django_db


def recompute(client: Client, round_: Round) -> str:
    """The page after the press."""
    tournament = round_.stage.tournament
    return text_of(client.post(manage(tournament, f"rounds/{round_.pk}/recompute/"), follow=True))


def test_round_is_told_to_be_the_same() -> None:
    page = recompute(browser("olive"), next_round(running(5)))
    assert "Round 1, recomputed: all tables match." in page


def test_difference_names_table_and_players() -> None:
    tournament = running(4)
    round_ = next_round(tournament)
    was, is_ = swap_seats(round_)
    numbers = {each.pk: each.number for each in tournament.entries.all()}
    page = recompute(browser("olive"), round_)
    assert "Round 1, recomputed: it differs. The tables differ from the engine's." in page
    for word, (table, one, other) in (("Computed", was), ("Stored", is_)):
        assert f"{word}: table {table}: no. {numbers[one]} – no. {numbers[other]}." in page


def test_round_of_another_engine_is_told_to_be_just_that() -> None:
    round_ = next_round(running(4))
    Round.objects.update(engine="older/1")
    page = recompute(browser("olive"), round_)
    assert f"Round 1 was paired by engine older/1, this is {round_.engine}. It can't be recomputed here." in page


def test_round_by_hand_has_nothing_to_compute_and_no_button() -> None:
    tournament = running(2)
    pair = ManualPairing(*tournament.entries.all())
    round_ = enter_pairings(account("olive"), tournament, [pair], NOW)
    olive = browser("olive")
    assert "recompute/" not in olive.get(manage(tournament, "rounds/")).content.decode()
    assert "Nothing to compute" in recompute(olive, round_)


def test_page_tells_what_is_proved_and_the_rules_used() -> None:
    tournament = running(2, swiss_rounds=3)
    report_all(next_round(tournament))
    next_round(tournament, 2)
    page = text_of(browser("olive").get(manage(tournament, "rounds/")))
    assert "no pairing keeps the rules better" in page
    assert "1 rematch. No equally valid pairing has fewer." in page
    assert page.count("the draw decides the rest") == 1


def test_officials_alone_compute_again_and_read_the_seed_beside_a_pairing() -> None:
    tournament = running(4)
    match = next_round(tournament, 271828).matches.get(table_number=1)
    why = reverse("why", args=[tournament.slug, match.pk])
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    staff(tournament, "juno", Role.Name.JUDGE)
    for name, seen in (("olive", True), ("juno", True), ("kit", False)):
        rounds, reasons = (browser(name).get(each).content.decode() for each in (manage(tournament, "rounds/"), why))
        assert ("recompute/" in rounds, "271828" in reasons) == (seen, seen)
        assert "271828" not in rounds


def test_round_of_another_event_is_not_computed() -> None:
    other = next_round(running(4))
    mine = running(4)
    assert browser("olive").post(manage(mine, f"rounds/{other.pk}/recompute/")).status_code == 404
    assert Tournament.objects.count() == 2
