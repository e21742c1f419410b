"""Every page of an event opens in every kind of stage, and rounds are called by their names."""

import re

import pytest

from tests.tournaments.api.callers import caller, path_of
from tests.tournaments.factories import NOW, account, event, next_round, report_all, table
from tests.tournaments.web.visitors import browser, guest, page, queries, text_of, url
from tournaments.core.rounds import matches_of
from tournaments.events.services.events import start_tournament
from tournaments.models import Stage
from tournaments.penalties.services import give_penalty
from tournaments.room.services.clocks import start_clock
from tournaments.standings.selectors.standings import compute_standings_of
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages
from tournaments.web.player.phases import plays_on

pytestmark = pytest.mark.django_db
Kind = Stage.Kind
PAGES = ("", "pairings/", "pairings/?by=table", "standings/", "bracket/", "crosstable/")
STAFF_PAGES = ("manage/", "manage/rounds/", "manage/stages/", "manage/log/", "desk/")


def held(kind, players=5, **draft):
    """An event of one stage of this kind, its first round out."""
    game = {"game": "doomlings", "game_format": "standard", "best_of": 1} if kind == Kind.TABLES else {}
    tournament = event(players, also_judge=True, **game)
    set_stages(account("olive"), tournament, [StageDraft(kind, **draft)], NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    return tournament, next_round(tournament)


@pytest.mark.parametrize("kind", Kind.values)
def test_every_page_opens_in_each_kind_of_stage(kind, client):
    tournament, round_ = held(kind)
    olive = browser(account("olive"))
    for path in PAGES:
        assert page(client, url(tournament, path))
    for path in STAFF_PAGES:
        assert page(olive, url(tournament, path))
    for match in round_.matches.all():
        assert page(client, url(tournament, f"pairings/{match.pk}/why/"))
        assert page(olive, url(tournament, f"match/{match.pk}/"))
    assert page(guest(tournament, "Ada"), url(tournament, "my/"))


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        (Kind.SINGLE_ELIMINATION, "bracket/"),
        (Kind.SINGLE_ELIMINATION, "bracket.svg"),
        (Kind.ROUND_ROBIN, "crosstable/"),
    ],
)
def test_queries_do_not_grow_with_the_field(kind, path, client):
    counts = []
    for players in (4, 17):
        tournament, round_ = held(kind, players)
        report_all(round_)
        counts.append(queries(client, url(tournament, path)))
    assert counts[0] == counts[1]


def test_rounds_of_a_cup_are_called_by_their_names(client):
    tournament, round_ = held(Kind.SINGLE_ELIMINATION, 4)
    olive = browser(account("olive"))
    assert "Pairings of “Semi-finals”" in text_of(page(client, url(tournament, "pairings/")))
    assert "Start the clock of “Semi-finals”" in text_of(page(olive, url(tournament, "manage/")))
    start_clock(account("olive"), round_, NOW)
    assert "“Semi-finals” is missing 2 results" in text_of(page(olive, url(tournament, "manage/")))
    report_all(round_)
    assert "Pair “Final”" in text_of(page(olive, url(tournament, "manage/")))
    final = next_round(tournament)
    assert "Semi-finals" in text_of(page(client, url(tournament, "pairings/")))
    assert "Final · as of" in text_of(page(client, url(tournament, "standings/")))
    assert "Final" in text_of(page(guest(tournament, "Ada"), url(tournament, "pairings/")))
    report_all(final)
    shown = text_of(page(client, url(tournament, "bracket/")))
    assert "wins." in shown


def test_organiser_is_led_to_the_cut():
    tournament = event(4, swiss_rounds=1)
    cup = StageDraft(Kind.SINGLE_ELIMINATION, name="Cup", qualify=Stage.Qualify.TOP, qualify_value=2)
    set_stages(account("olive"), tournament, [StageDraft(planned_rounds=1), cup], NOW)
    tournament = start_tournament(account("olive"), tournament, NOW)
    report_all(next_round(tournament))
    text = text_of(page(browser(account("olive")), url(tournament, "manage/")))
    assert "Start the next stage: Cup" in text
    assert "Preview who plays on" in text


def test_bracket_is_shown_once_its_first_round_is_published(client):
    tournament, round_ = held(Kind.SINGLE_ELIMINATION, 4)
    type(round_).objects.filter(pk=round_.pk).update(state="paired", published_at=None)
    assert "There is no bracket yet" in page(client, url(tournament, "bracket/"))
    assert client.get(url(tournament, "bracket.svg")).status_code == 404
    assert "Semi-finals" in page(browser(account("olive")), url(tournament, "bracket/"))


def test_bracket_tells_names_seeds_scores_and_who_comes_from_where(client):
    tournament, round_ = held(Kind.SINGLE_ELIMINATION, 5, third_place=True)
    report_all(round_, 2, 1)
    text = text_of(page(client, url(tournament, "bracket/")))
    assert "seed 5" in text
    assert "wins" in text
    assert "Winner of match 2" in text
    assert "Match for third place" in text
    assert "Loser of match 2" in text


def test_crosstable_crosses_everybody(client):
    tournament, round_ = held(Kind.ROUND_ROBIN, 4)
    report_all(round_, 2, 1)
    html = page(client, url(tournament, "crosstable/"))
    assert html.count("2–1") == html.count("1–2")
    assert html.count(">2–1<") == 2
    assert [html.count(f'class="score {look}"') for look in ("done", "wrong")] == [2, 2], "colour of won and lost"
    assert re.search(r'<span class="hidden-visually">[^<]+ beat [^<]+ 2–1</span>', html), "and the same in words"


def test_disqualified_winner_is_no_champion(client):
    tournament, round_ = held(Kind.SINGLE_ELIMINATION, 2)
    report_all(round_, 2, 0)
    first, second = (seat.entry for seat in table(round_).seats.all())
    assert f"decided {first.name} wins." in text_of(page(client, url(tournament, "bracket/")))
    give_penalty(account("olive"), first, "disqualification", "Marked cards", NOW)
    text = text_of(page(client, url(tournament, "bracket/")))
    assert f"decided {first.name} won the final and was disqualified." in text
    assert caller().get(f"{path_of(tournament)}bracket/").json()["champion"] is None
    assert [line.contender for line in compute_standings_of(tournament)] == [second.pk]


@pytest.mark.parametrize("path", ["bracket/", "crosstable/"])
def test_stages_that_are_not_there_are_not_found(path, client):
    tournament, _round = held(Kind.SINGLE_ELIMINATION, 4)
    assert client.get(url(tournament, path), {"stage": "9"}).status_code == 404
    assert client.get(url(tournament, path), {"stage": "x"}).status_code == 404


def test_look_at_a_changed_result_names_the_matches_that_follow(client):
    tournament, round_ = held(Stage.Kind.SINGLE_ELIMINATION, 4, third_place=True)
    report_all(round_)
    final = next_round(tournament)
    names = {match.bracket: [seat.entry.name for seat in match.seats.all()] for match in matches_of(final)}
    first = table(round_)
    winner, loser = (seat.entry.name for seat in first.seats.all())
    other = next(name for name in names["W2-1"] if name != winner)
    client.force_login(account("olive").user)
    typed = {"act": "correct", "kind": "played", "first": "0", "second": "2", "drawn": "0", "reason": "typed wrongly"}
    seen = {"seen": str(first.accepted_report_id), "step": "look"}
    html = client.post(url(tournament, f"match/{first.pk}/"), typed | seen).content.decode()
    told = text_of(html)
    assert "Matches of the bracket" in told
    assert f"{loser} – {other}" in told or f"{other} – {loser}" in told
    assert "are as good afterwards" not in told


def test_losers_of_semi_finals_stand_below_the_finalists(client):
    tournament, round_ = held(Stage.Kind.SINGLE_ELIMINATION, 4, third_place=True)
    report_all(round_)
    lost = {match.seats.all()[1].entry_id for match in matches_of(round_)}
    ranks = {each.contender: each.rank for each in compute_standings_of(tournament)}
    assert {ranks.pop(pk) for pk in lost} == {3}
    assert set(ranks.values()) == {1}


def test_whoever_is_out_of_a_cup_reads_that_no_match_comes():
    tournament, round_ = held(Stage.Kind.SINGLE_ELIMINATION, 4)
    report_all(round_)
    first, second = (seat.entry for seat in table(round_).seats.all())
    assert plays_on(tournament, first)
    assert not plays_on(tournament, second)


def test_staff_are_led_from_pairings_to_a_match(client):
    tournament, round_ = held(Stage.Kind.SWISS, 4)
    address = url(tournament, f"match/{table(round_).pk}/")
    assert address not in client.get(url(tournament, "pairings/")).content.decode()
    client.force_login(account("olive").user)
    for by in ("name", "table"):
        assert address in client.get(url(tournament, f"pairings/?round=1&by={by}")).content.decode()
