"""Who goes first: a lot that anybody can draw again, or the first seat where roles are unequal."""

from collections import Counter
from hashlib import sha256

import pytest

from tests.tournaments.factories import NOW, account, event, next_round, report_all, running
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.core.first_players import draw_lots, first_place
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.web.shared.match_rows import seats_of

pytestmark = pytest.mark.django_db
DESTROYED = {"game": "dead_or_destroyed", "best_of": 2, "exact_games": True}


def test_lot_is_drawn_again_from_what_the_round_keeps():
    tournament = running(16)
    round_ = next_round(tournament)
    drawn = set()
    for match in round_.matches.select_related("round"):
        text = f"{round_.lots}:{match.table_number}"
        expected = int(sha256(text.encode()).hexdigest(), 16) % 2
        assert first_place(tournament, match, 2) == expected
        drawn.add(expected)
    assert drawn <= {0, 1}


def test_lots_follow_from_the_seed_and_give_nothing_away_of_it(settings):
    """Whoever knows the lots cannot try out seeds without the secret of the site."""
    drawn = draw_lots(1, 1, 1, 7)
    assert draw_lots(1, 1, 1, 7) == drawn
    assert len({drawn, draw_lots(2, 1, 1, 7), draw_lots(1, 2, 1, 7), draw_lots(1, 1, 2, 7), draw_lots(1, 1, 1, 8)}) == 5
    settings.SECRET_KEY = "another"
    assert draw_lots(1, 1, 1, 7) != drawn


def test_round_from_before_has_no_lot():
    match = next_round(running(2)).matches.select_related("round").get()
    match.round.lots = None
    assert first_place(match.round.stage.tournament, match, 2) is None


def test_lot_favours_nobody():
    tournament = running(2)
    match = next_round(tournament).matches.select_related("round").get()
    drawn: Counter[int | None] = Counter()
    for lots in range(3000):
        match.round.lots = lots
        drawn[first_place(tournament, match, 3)] += 1
    assert set(drawn) == {0, 1, 2}
    assert all(900 < count < 1100 for count in drawn.values())


def test_first_of_unequal_roles_is_the_first_seat_and_goes_round():
    tournament = running(4, **DESTROYED, swiss_rounds=4)
    firsts: Counter[str] = Counter()
    for number in (1, 2):
        round_ = next_round(tournament, number)
        for match in round_.matches.select_related("round"):
            place = first_place(tournament, match, 2)
            firsts[seats_of(match)[place].entry.name] += 1
        report_all(round_, 1, 1)
    assert set(firsts.values()) == {1}


def test_game_whose_rules_leave_it_open_says_nothing():
    tournament = running(2, game="house_game", game_format="open")
    match = next_round(tournament).matches.select_related("round").get()
    assert first_place(tournament, match, 2) is None


def test_b14_phone_and_slip_say_who_goes_first():
    tournament = event(0, **DESTROYED, self_sign_up=True)
    for name in ("ada", "ben"):
        sign_up(account(name), tournament, account(name).person, NOW)
    (match,) = next_round(start_tournament(account("olive"), tournament, NOW)).matches.all()
    first = seats_of(match)[0].entry
    for name in ("ada", "ben"):
        said = text_of(page(browser(account(name)), url(tournament, "my/")))
        own = first.members.get().person == account(name).person
        assert f"{'You go first' if own else f'{first.name} goes first'} (Necromancer)" in said
    slips = text_of(page(browser(account("olive")), url(tournament, "print/slips/")))
    assert f"{first.name} · goes first" in slips


def test_wall_and_pairings_say_who_goes_first_until_there_is_a_result():
    tournament = running(2, **DESTROYED)
    round_ = next_round(tournament)
    first, second = (seat.entry.name for seat in seats_of(round_.matches.get()))

    def shown():
        wall = text_of(page(browser(), url(tournament, "wall/?show=tables")))
        return wall, text_of(page(browser(), url(tournament, "pairings/?by=table")))

    wall, pairings = shown()
    assert f"{first} (first)" in wall.replace("– ", "")
    assert f"{second} (first)" not in wall
    assert f"{first} (first)" in pairings
    report_all(round_)
    assert not any("(first)" in text for text in shown())
