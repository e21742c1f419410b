"""Tables of three to six: everybody on the pairings, places and scores from the desk, the match page and players."""

import pytest

from rules_engine.errors import DomainError
from tests.tournaments.cast import NOW, account, event, next_round
from tests.tournaments.web.visitors import browser, guest, page, text_of, url
from tournaments.forms.table_results import filled_places, read_places
from tournaments.models import Match, ResultReport
from tournaments.selectors.rounds import matches_of
from tournaments.services.events import start_tournament

pytestmark = pytest.mark.django_db
FOUR = ("Ada", "Ben", "Cem", "Dora")


def doomlings(players=4):
    """A running event at tables of four without score sheets, its first round out: event, round and first table."""
    tournament = event(players, game="doomlings", game_format="standard", best_of=1, score_sheets=False)
    round_ = next_round(start_tournament(account("olive"), tournament, NOW))
    return tournament, round_, next(match for match in matches_of(round_) if match.table_number == 1)


def names_of(match):
    return [seat.entry.name for seat in match.seats.order_by("order")]


def placings(match):
    match.refresh_from_db()
    return [row.placing for row in match.standing_report.seat_results.order_by("seat__order")]


def test_pairings_show_everybody_at_the_table(client):
    tournament, _round, match = doomlings(7)
    text = text_of(page(client, url(tournament, "pairings/"), by="table"))
    assert " · ".join(names_of(match)[1:]) in text
    by_name = text_of(page(client, url(tournament, "pairings/")))
    assert "Also at the table" in by_name


def test_desk_takes_places_typed_in_seat_order():
    tournament, round_, match = doomlings()
    olive = browser(account("olive"))
    assert "everybody's place in seat order" in page(olive, url(tournament, "desk/")).replace("&#x27;", "'")
    answer = olive.post(url(tournament, "desk/"), {"round": round_.pk, "table": "1", "result": "2 1 2 4"})
    assert answer.status_code == 302
    assert placings(match) == [2, 1, 2, 4]
    done = text_of(page(olive, url(tournament, "desk/")))
    assert "1 · 2 · 2 · 4" in done
    assert f"{names_of(match)[1]} · " in done


@pytest.mark.parametrize("typed", ["2-1", "12", "1 2 2", "1 2 3 9", "abcd", "1 2 2 3"])
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
    data = {"act": "report", "kind": "played", "version": match.version, **fields}
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
        url(tournament, f"match/{match.pk}/"), {"act": "report", "kind": "played", **fields}
    )
    assert said in shown.content.decode().replace("&#39;", "&#x27;")
    for name, value in fields.items():
        assert f'name="{name}" value="{value}"' in shown.content.decode()


def test_correction_starts_from_what_counts():
    tournament, round_, match = doomlings()
    olive = browser(account("olive"))
    olive.post(url(tournament, "desk/"), {"round": round_.pk, "table": "1", "result": "2124"})
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
    data = {"act": "table", "match": match.pk, "kind": "played", **fields}
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
        data = {"act": "table", "match": match.pk, "kind": "played", f"place_{winner}": "1"}
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


def test_places_are_read_with_and_without_spaces():
    assert read_places("1224", 4) == read_places("1 2 2 4", 4) == read_places("1,2,2,4", 4)
    with pytest.raises(DomainError):
        read_places("122", 4)
