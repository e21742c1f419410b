"""Matches told game by game on pages: what follows from the games, and what is refused with what was typed kept."""

import pytest

from tests.tournaments.factories import NOW, account, event, next_round, running, score, table
from tests.tournaments.web.visitors import browser, guest, page, paired, text_of, url
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, ResultReport
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db
TWO_PLANS = {
    "game1_winner": "0", "game1_kind": "master_plan", "game2_winner": "1", "game2_kind": "empty_deck",
    "game3_winner": "0", "game3_kind": "concession",
}  # fmt: skip


@pytest.fixture
def match():
    return table(next_round(running(4)))


def post(match, **fields):
    tournament = match.round.stage.tournament
    sent = {"act": "report", "kind": "played", "version": match.version, **fields}
    return browser(account("olive")).post(url(tournament, f"match/{match.pk}/"), sent)


def test_score_follows_from_the_games(match):
    assert post(match, **TWO_PLANS).status_code == 302
    report = ResultReport.objects.get(match=match)
    assert [row.games_won for row in report.seat_results.all()] == [2, 1]
    assert [game["win_kind"] for game in report.games] == ["master_plan", "empty_deck", "concession"]
    shown = text_of(page(browser(account("olive")), url(match.round.stage.tournament, f"match/{match.pk}/")))
    assert "Master Plan completed" in shown


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({**TWO_PLANS, "first": 2, "second": 0}, "add up to 2–1"),
        ({"game1_winner": "0", "game3_winner": "0"}, "before this one is missing"),
        ({"game1_kind": "time"}, "Say who won"),
        ({"game1_winner": "none", "game1_kind": "time"}, "leave out how"),
        ({"game1_winner": "0", "game2_winner": "0", "game3_winner": "0"}, "win more than 2"),
        ({**TWO_PLANS, "kind": "intentional_draw"}, "You entered single games, but not that the match was played"),
    ],
)
def test_games_that_cannot_be_are_refused_and_stay_typed(match, fields, said):
    answer = post(match, **fields)
    assert (answer.status_code, ResultReport.objects.count()) == (200, 0)
    html = answer.content.decode()
    assert said in text_of(html)
    assert '<option value="0" selected>' in html or "game1_winner" not in fields or fields["game1_winner"] != "0"


def test_confirmer_reads_the_single_games(match):
    tournament = match.round.stage.tournament
    _match, one, other = paired(match.round)
    sent = {"act": "other", "match": match.pk, "kind": "played", **TWO_PLANS}
    assert guest(tournament, one.entry.name).post(url(tournament, "my/"), sent).status_code == 302
    assert ResultReport.objects.get().by_seat == one
    assert "Master Plan completed" in text_of(page(guest(tournament, other.entry.name), url(tournament, "my/")))


def test_staff_page_opened_before_a_report_stores_nothing(match):
    seat = match.seats.get(order=1)
    seen = match.version
    report_result(account("x"), match, score(0, 2), NOW, seat=seat)
    answer = post(match, first=2, second=0, version=seen)
    assert (answer.status_code, ResultReport.objects.count()) == (200, 1)
    html = answer.content.decode()
    assert "This match has changed" in text_of(html)
    again = Match.objects.get(pk=match.pk).version
    assert f'name="version" value="{again}"' in html
    assert post(match, first=2, second=0, version=again).status_code == 302


def undead(**changes):
    """Table 1 of an event of Dead or Destroyed."""
    tournament = event(game="dead_or_destroyed", **changes)
    register_walk_ins(account("olive"), tournament, [EntryDraft("Ada"), EntryDraft("Ben")], NOW)
    return table(next_round(start_tournament(account("olive"), tournament, NOW)))


def roles_of(match):
    return [game["roles"][0] if game["roles"] else "" for game in ResultReport.objects.get(match=match).games]


@pytest.mark.parametrize(
    ("rule", "third", "told"),
    [
        ("", "", ["necromancer", "paladin", "necromancer"]),
        ("lot", "", ["necromancer", "paladin", ""]),
        ("lot", "1", ["necromancer", "paladin", "paladin"]),
    ],
)
def test_roles_swap_from_game_to_game_but_for_the_organisers_rule(rule, third, told):
    match = undead(best_of=3, deciding_game=rule)
    games = {"game1_winner": "0", "game1_role": "0", "game2_winner": "1", "game3_winner": "0", "game3_role": third}
    assert post(match, **games).status_code == 302
    assert roles_of(match) == told


def test_win_tells_the_role_and_a_wrong_one_is_refused():
    match = undead(best_of=2, exact_games=True)
    wrong = {"game1_winner": "0", "game1_role": "1", "game1_kind": "necromancer"}
    assert "played the other role" in text_of(post(match, **wrong).content.decode())
    post(match, game1_winner="0", game1_kind="necromancer", game2_winner="1", game2_kind="necromancer")
    assert roles_of(match) == ["necromancer", "paladin"]
    assert [row.outcome for row in ResultReport.objects.get().seat_results.all()] == ["draw", "draw"]
