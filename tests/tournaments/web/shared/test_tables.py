"""Tables of three to six: everybody on the pairings, places and scores from the desk, the match page and players."""

import pytest

from scoring.standings.presets import PRESETS
from scoring.standings.records import ScoringPolicy
from scoring.standings.results import MatchLength
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, event, next_round
from tests.tournaments.web.visitors import browser, guest, names_at, page, text_of, url
from tournaments.core.rounds import matches_of
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, ResultReport
from tournaments.results.forms.table_results import filled_places
from tournaments.results.forms.table_text import read_table
from tournaments.standings.selectors.standings import standing_rows
from tournaments.web.shared.standing_words import points_sentence

pytestmark = pytest.mark.django_db
FOUR = ("Ada", "Ben", "Cem", "Dora")


def doomlings(players=4):
    """A running event at tables of four without score sheets, its first round out: event, round and first table."""
    tournament = event(players, game="doomlings", game_format="standard", best_of=1, score_sheets=False)
    round_ = next_round(start_tournament(account("olive"), tournament, NOW))
    return tournament, round_, next(match for match in matches_of(round_) if match.table_number == 1)


def placings(match):
    match.refresh_from_db()
    return [row.placing for row in match.accepted_report.seat_results.order_by("seat__order")]


def test_pairings_show_everybody_at_the_table(client):
    tournament, round_, match = doomlings(7)
    text = text_of(page(client, url(tournament, "pairings/"), by="table"))
    assert text.count(" (first)") == round_.matches.count()
    assert " · ".join(names_at(match)[1:]) in text.replace(" (first)", "")
    by_name = text_of(page(client, url(tournament, "pairings/")))
    assert "Also at the table" in by_name


def test_desk_takes_places_typed_in_seat_order():
    tournament, round_, match = doomlings()
    olive = browser(account("olive"))
    assert "everybody's score in seat order" in page(olive, url(tournament, "desk/")).replace("&#x27;", "'")
    answer = olive.post(url(tournament, "desk/"), {"round": round_.pk, "table": "1", "result": "2 1 2 4!"})
    assert answer.status_code == 302
    assert placings(match) == [2, 1, 2, 4]
    done = text_of(page(olive, url(tournament, "desk/")))
    assert "1 · 2 · 2 · 4" in done
    assert f"{names_at(match)[1]} · " in done


@pytest.mark.parametrize("typed", ["2-1", "12", "1 2 2", "1 2 3 x", "abcd", "1 2 2 3"])
def test_desk_says_what_is_no_result_of_a_table(typed):
    tournament, round_, match = doomlings()
    shown = browser(account("olive")).post(
        url(tournament, "desk/"), {"round": round_.pk, "table": "1", "result": typed}
    )
    assert shown.status_code == 200
    assert 'class="errors"' in shown.content.decode()
    assert f'value="{typed}"' in shown.content.decode()
    assert not ResultReport.objects.filter(match=match).exists()


@pytest.mark.parametrize(
    ("fields", "stored"),
    [
        ({"place_1": "1"}, [1, 2, 2, 2]),
        ({"place_1": "3", "place_2": "1", "place_3": "1", "place_4": "4"}, [3, 1, 1, 4]),
        ({"score_1": "10", "score_2": "12.5", "score_3": "12.5", "score_4": "-3"}, [3, 1, 1, 4]),
        ({"place_2": "1", "absent_4": "on"}, [2, 1, 2, 4]),
        ({"kind": "intentional_draw"}, [1, 1, 1, 1]),
    ],
)
def test_match_page_takes_places_or_scores(fields, stored):
    tournament, _round, match = doomlings()
    olive = browser(account("olive"))
    assert "Place of Ada" in page(olive, url(tournament, f"match/{match.pk}/"))
    data = {"act": "report", "kind": "played", "without_scores": "on", "version": match.version, **fields}
    assert olive.post(url(tournament, f"match/{match.pk}/"), data).status_code == 302
    assert placings(match) == stored


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "the winner&#x27;s place at least"),
        ({"score_1": "10"}, "the winner&#x27;s place at least"),
        ({"place_1": "1", "score_1": "10"}, "everybody&#x27;s score, or nobody&#x27;s"),
        ({"place_1": "7"}, "less than or equal to 4"),
        ({"place_1": "2"}, "place at the table from 1"),
    ],
)
def test_match_page_keeps_what_was_typed_wrongly(fields, said):
    tournament, _round, match = doomlings()
    shown = browser(account("olive")).post(
        url(tournament, f"match/{match.pk}/"),
        {"act": "report", "kind": "played", "without_scores": "on", **fields},
    )
    assert said in shown.content.decode().replace("&#39;", "&#x27;")
    for name, value in fields.items():
        assert f'name="{name}" value="{value}"' in shown.content.decode()


def test_correction_starts_from_what_counts():
    tournament, round_, match = doomlings()
    olive = browser(account("olive"))
    olive.post(url(tournament, "desk/"), {"round": round_.pk, "table": "1", "result": "2124!"})
    html = page(olive, url(tournament, f"match/{match.pk}/"))
    assert 'name="place_2" value="1"' in html
    assert 'name="place_4" value="4"' in html


def test_players_report_and_confirm_their_table():
    tournament, _round, match = doomlings()
    ada, ben = guest(tournament, "Ada"), guest(tournament, "Ben")
    text = text_of(page(ada, url(tournament, "my/")))
    assert all(name in text for name in FOUR if name != "Ada")
    seats = [seat.entry.name for seat in match.seats.order_by("order")]
    fields = {f"place_{seats.index(name) + 1}": str(place) for place, name in enumerate(FOUR, 1)}
    data = {"act": "table", "match": match.pk, "kind": "played", "without_scores": "on", **fields}
    assert ada.post(url(tournament, "my/"), data).status_code == 302
    assert "You came 1st" in text_of(page(ada, url(tournament, "my/")))
    asked = page(ben, url(tournament, "my/"))
    assert "Ada reported:" in text_of(asked)
    assert "You came 2nd" in text_of(asked)
    report = ResultReport.objects.get(match=match)
    ben.post(url(tournament, "my/"), {"act": "confirm", "match": match.pk, "report": report.pk})
    match.refresh_from_db()
    assert match.state == Match.State.DONE


def test_two_reports_of_a_table_that_differ_are_a_conflict():
    tournament, _round, match = doomlings()
    for name, winner in (("Ada", "1"), ("Ben", "2")):
        told = {f"place_{winner}": "1", "without_scores": "on"}
        data = {"act": "table", "match": match.pk, "kind": "played", **told}
        guest(tournament, name).post(url(tournament, "my/"), data)
    match.refresh_from_db()
    assert match.state == Match.State.CONFLICT


@pytest.mark.parametrize(
    ("places", "absent", "scores", "filled"),
    [
        ([None, 1, None, None], (), (), (2, 1, 2, 2)),
        ([1, 2, None, None], (), (), (1, 2, 3, 3)),
        ([1, 1, None, None], (3,), (), (1, 1, 3, 4)),
        ([None] * 4, (), (5, 7, 5, 0), (2, 1, 2, 4)),
        ([None] * 4, (1,), (5, 0, 6, 0), (2, 4, 1, 3)),
    ],
)
def test_places_that_nobody_typed_are_filled(places, absent, scores, filled):
    assert filled_places(places, absent, scores) == filled


ONE_GAME = MatchLength(1)


def read(text, seats, *, counts_scores=True):
    """(places, scores) of a typed result."""
    result = read_table(text, seats, ONE_GAME, counts_scores=counts_scores)
    return result.placings, tuple(map(float, result.scores))


@pytest.mark.parametrize("typed", ["1224", "1 2 2 4", "1,2,2,4", "1-2-2-4", "1 2 2 4!"])
def test_places_are_read_where_scores_do_not_count(typed):
    assert read(typed, 4, counts_scores=False) == ((1, 2, 2, 4), ())


@pytest.mark.parametrize(
    ("typed", "seats", "places", "scores"),
    [
        ("11 9 12", 3, (2, 3, 1), (11, 9, 12)),
        ("11, 9, 12", 3, (2, 3, 1), (11, 9, 12)),
        ("11-9-12", 3, (2, 3, 1), (11, 9, 12)),
        ("10.5 -3 0", 3, (1, 3, 2), (10.5, -3, 0)),
        ("= 3 2 1", 3, (1, 2, 3), (3, 2, 1)),
        ("2 1 3!", 3, (2, 1, 3), ()),
        ("11 9", 2, (1, 2), (11, 9)),
        ("=1 0", 2, (1, 2), (1, 0)),
        ("7 7", 2, (1, 1), (7, 7)),
    ],
)
def test_scores_are_read_where_they_count(typed, seats, places, scores):
    assert read(typed, seats) == (places, scores)


@pytest.mark.parametrize(("typed", "seats"), [("2 1 3", 3), ("213", 3), ("1 0", 2), ("1-0", 2), ("1", 2), ("2 1", 2)])
def test_places_or_games_alone_are_asked_about_where_scores_count(typed, seats):
    assert refusal(read, typed, seats) == "scores_missing"
    assert not read(f"{typed}!", seats)[1]


@pytest.mark.parametrize(
    ("typed", "counts_scores"), [("122", True), ("122", False), ("11 9 12 8", False), ("a b c d", True)]
)
def test_anything_else_is_not_read(typed, counts_scores):
    assert refusal(read, typed, 4, counts_scores=counts_scores) == "unread_score"


def test_games_of_two_are_typed_as_everywhere_where_scores_count():
    assert read_table("1-0!", 2, ONE_GAME, counts_scores=True).games_won == (1, 0)
    assert read_table("0 1!", 2, ONE_GAME, counts_scores=True).games_won == (0, 1)


def test_places_without_scores_are_stored_after_a_warning_and_marked_in_the_standings():
    tournament, _round, match = doomlings()
    olive, address = browser(account("olive")), url(tournament, f"match/{match.pk}/")
    fields = {"act": "report", "kind": "played", "place_1": "2", "place_2": "1", "place_3": "3", "place_4": "4"}
    asked = olive.post(address, fields)
    assert asked.status_code == 200
    assert "The standings of this event count scores." in text_of(asked.content.decode())
    assert "Save the places without scores" in text_of(asked.content.decode())
    assert not ResultReport.objects.exists()
    assert olive.post(address, {**fields, "without_scores": "on"}).status_code == 302
    assert placings(match) == [2, 1, 3, 4]
    assert text_of(page(olive, url(tournament, "standings/"))).count("1 table without scores") == 4


def test_dl_score_a_table_of_two_is_asked_for_scores_where_they_count():
    tournament, round_, match = doomlings(2)
    olive = browser(account("olive"))
    shown = text_of(page(olive, url(tournament, f"match/{match.pk}/")))
    assert f"Score of {names_at(match)[0]}" in shown
    answer = olive.post(url(tournament, "desk/"), {"round": round_.pk, "table": "1", "result": "11 14"})
    assert answer.status_code == 302
    lines = {line.entry.name: line.standing.value("victory_points") for line in standing_rows(tournament)}
    assert [lines[name] for name in names_at(match)] == [11, 14]
    assert "without scores" not in page(olive, url(tournament, "standings/"))


def test_an_event_ranked_by_all_points_scored_says_so_and_nothing_of_points_by_place():
    """What a place is worth decides nothing there, and a bye adds nothing."""
    said = "All points scored at the tables are added up. A bye adds none."
    assert points_sentence(PRESETS["total_score"].policy) == said
    assert "Points by place" in points_sentence(PRESETS["doomlings"].policy)


@pytest.mark.parametrize(
    ("players", "policy", "place", "score", "games"),
    [
        (4, PRESETS["doomlings"].policy, False, True, False),
        (2, PRESETS["doomlings"].policy, False, True, False),
        (4, ScoringPolicy(), True, False, False),
        (2, ScoringPolicy(), False, False, True),
        (5, ScoringPolicy(), True, False, True),
    ],
)
def test_c9_hint_at_the_desk_asks_for_what_its_tables_take(players, policy, place, score, games):
    way = {"game_format": "intelligent-design", "way": "intelligent-design"}
    tournament = event(players, game="doomlings", best_of=1, score_sheets=False, policy=policy, **way)
    next_round(start_tournament(account("olive"), tournament, NOW))
    shown = text_of(page(browser(account("olive")), url(tournament, "desk/"))).replace("&#x27;", "'")
    assert ("everybody's place in seat order" in shown) == place
    assert ("everybody's score in seat order" in shown) == score
    assert ("1–0" in shown) == games
    assert ("At a table of two:" in shown) == (place and games)


def test_a_player_at_a_table_of_two_reports_scores():
    tournament, _round, match = doomlings(2)
    one, other = names_at(match)
    before = text_of(page(guest(tournament, one), url(tournament, "my/")))
    assert f"You 0 points · 1st {other} 0 points · 1st" in before
    assert "1 and 1 is a shared win" in before
    assert "1, 2, 2, 4" not in before
    fields = {"act": "table", "match": match.pk, "kind": "played", "score_1": "11", "score_2": "14"}
    assert guest(tournament, one).post(url(tournament, "my/"), fields).status_code == 302
    assert "You came 1st (14)" in text_of(page(guest(tournament, other), url(tournament, "my/")))
