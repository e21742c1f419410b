"""An event of Doomlings at tables of seven and more (DL-PLAYERS): set up, paired, told by sheet and by hand, ranked."""

import pytest

from rules_engine.systems import get_system
from scoring.games.doomlings.tally.sheet import MAX_PLAYERS
from scoring.standings.results import MatchLength, table_result
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, event, next_round, table
from tests.tournaments.sheet_acts import file, fresh, opened, places, sign, work, write
from tests.tournaments.web.visitors import browser, page, text_of, url
from tournaments.core.rounds import matches_of
from tournaments.events.services.events import start_tournament
from tournaments.models import Stage, Tournament
from tournaments.pairing.certificates import explain_seating
from tournaments.pairing.pods.contenders import LARGEST, TableCost, TablePolicy
from tournaments.results.forms.table_text import read_table
from tournaments.results.services.reports import report_result
from tournaments.rounds.words import tell
from tournaments.standings.selectors.standings import standing_rows
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages, stages_mark

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
EIGHT = (31, 24, 24, 20, 11, 9, 3, -2)
EIGHT_PLACES = [1, 2, 2, 4, 5, 6, 7, 8]


def doomlings(players: int = 0, **changes: object) -> Tournament:
    """Olive's event of Doomlings, open."""
    said = {"game": "doomlings", "game_format": "standard", "best_of": 1, "score_sheets": True, **changes}
    return event(players, **said)


def started(players: int, policy: TablePolicy, rounds: int = 4) -> Tournament:
    tournament = doomlings(players)
    set_stages(account("olive"), tournament, [StageDraft("tables", planned_rounds=rounds, tables=policy)], NOW)
    return start_tournament(account("olive"), tournament, NOW)


def stage_fields(tournament: Tournament, preferred: int, least: int, most: int) -> dict[str, object]:
    values = {"kind": "tables", "planned_rounds": 4, "preferred": preferred, "least": least, "most": most}
    values |= {"remainder": "smaller", "balance": "on", "clubs": "ignore", "teams": "ignore"}
    return {"seen": stages_mark(tournament), **{f"stage-1-{name}": value for name, value in values.items()}}


def test_a_table_seats_what_a_score_sheet_takes():
    assert get_system("doomlings").match.seats_max == MAX_PLAYERS == LARGEST


def test_an_event_at_eights_is_set_paired_told_and_ranked_through_pages():
    tournament, olive = doomlings(15), browser(account("olive"))
    assert (
        olive.post(url(tournament, "manage/stages/"), stage_fields(tournament, 8, 7, 8) | {"differs": "1"}).status_code
        == 302
    )
    assert Stage.objects.get(tournament=tournament).table_policy.preferred == 8
    start_tournament(account("olive"), tournament, NOW)
    round_ = next_round(tournament)
    by_seats = {match.seats.count(): match for match in matches_of(round_)}
    assert set(by_seats) == {7, 8}

    tell_by_sheet(by_seats[8])
    assert places(by_seats[8]) == EIGHT_PLACES
    typed = {"round": round_.pk, "table": by_seats[7].table_number, "result": "3 1 1 4 5 6 7!"}
    assert olive.post(url(tournament, "desk/"), typed).status_code == 302
    assert places(by_seats[7]) == [3, 1, 1, 4, 5, 6, 7]

    won = {row.entry.pk: row.standing.match_points for row in standing_rows(tournament)}
    points = [[won[seat.entry_id] for seat in by_seats[size].seats.order_by("order")] for size in (8, 7)]
    assert points == [[5, 2, 2, 1, 0, 0, 0, 0], [2, 4, 4, 1, 0, 0, 0]]
    told = "From 7 players: the same, plus 0 for each further place."
    assert told in text_of(page(olive, url(tournament)))


def tell_by_sheet(match):
    """Everybody's sums, filed by the first seat, added up and signed by all."""
    write(opened(match), *EIGHT)
    revision = file(match)
    work()
    assert fresh(match).state == "reported"
    sign(match, revision, *range(1, 9))


def test_the_match_page_takes_places_at_a_table_of_eight():
    tournament, olive = started(8, TablePolicy(8, 2, 8)), browser(account("olive"))
    match = table(next_round(tournament))
    address = url(tournament, f"match/{match.pk}/")
    assert page(olive, address).count('name="place_') == 8
    fields = {f"place_{seat}": place for seat, place in enumerate(EIGHT_PLACES, 1)}
    data = {"act": "report", "kind": "played", "without_scores": "on", "version": match.version, **fields}
    assert olive.post(address, data).status_code == 302
    assert places(match) == EIGHT_PLACES


def test_twenty_sit_at_one_table_and_the_api_takes_their_places():
    tournament, olive = doomlings(20), caller("olive")
    sizes = {"preferred": 20, "least": 2, "most": 20}
    body = {"stages": [{"kind": "tables", "planned_rounds": 1, "tables": sizes}]}
    address = path_of(tournament)
    good(olive.put(f"{address}stages/", body))
    start_tournament(account("olive"), tournament, NOW)
    match = table(next_round(tournament))
    assert match.seats.count() == 20
    told = {"kind": "played", "placings": list(range(1, 21))}
    answer = olive.post(f"{address}matches/{match.pk}/report/", told, HTTP_IDEMPOTENCY_KEY="a" * 16)
    assert answer.status_code in (200, 201), answer.content
    assert places(match) == list(range(1, 21))


@pytest.mark.parametrize(
    ("game", "game_format", "most"), [("doomlings", "standard", 21), ("doomtrooper", "second-edition", 7)]
)
def test_larger_tables_than_a_game_seats_are_refused_by_page_and_api(game, game_format, most):
    tournament = event(4, game=game, game_format=game_format, best_of=1)
    shown = browser(account("olive")).post(url(tournament, "manage/stages/"), stage_fields(tournament, 4, 3, most))
    assert shown.status_code == 200
    assert f"less than or equal to {most - 1}" in text_of(shown.content.decode())
    sizes = {"preferred": 4, "least": 3, "most": most}
    answer = caller("olive").put(
        path_of(tournament) + "stages/", {"stages": [{"kind": "tables", "planned_rounds": 1, "tables": sizes}]}
    )
    assert answer.status_code in (400, 422)


def test_an_unproved_round_says_so_in_words_and_by_api():
    """Fifteen at seven and eight: in the third round the search knows no proof, and says how far its bound is."""
    tournament = started(15, TablePolicy(8, 7, 8))
    for _number in range(2):
        for match in matches_of(next_round(tournament)):
            report_result(account("olive"), match, table_result(range(1, match.seats.count() + 1)), NOW)
    round_ = next_round(tournament)
    assert not round_.proved
    verdict = explain_seating(TableCost(**round_.cost), TableCost(**round_.bound), proved=False)[0]
    (words,) = tell([verdict], str)
    assert words.startswith("A better pairing may exist.")
    assert words in text_of(page(browser(account("olive")), url(tournament, "manage/rounds/")))
    newest = max(good(caller("olive").get(path_of(tournament) + "rounds/"))["results"], key=lambda row: row["number"])
    assert newest["proved"] is False
    assert newest["bound"]["repeats"] <= newest["cost"]["repeats"]
    assert newest["bound"] != newest["cost"]


@pytest.mark.parametrize(
    ("typed", "seats", "placings", "scores"),
    [
        ("1 2 2 4 5 6 7", 7, (1, 2, 2, 4, 5, 6, 7), 0),
        ("12245678", 8, (1, 2, 2, 4, 5, 6, 7, 8), 0),
        (" ".join(map(str, range(20, 0, -1))), 20, tuple(range(20, 0, -1)), 0),
        ("=3 1 2 4 5 6 7 8", 8, (6, 8, 7, 5, 4, 3, 2, 1), 8),
    ],
)
def test_places_of_large_tables_are_typed_in_seat_order(typed, seats, placings, scores):
    result = read_table(typed, seats, MatchLength(1), counts_scores=False)
    assert (result.placings, len(result.scores)) == (placings, scores)


@pytest.mark.parametrize(
    ("typed", "seats", "said"),
    [
        ("1234567891", 10, "such as 1 2 2 4 5 6 7 8 9 10, or"),
        ("1 2 3", 8, "or their scores, such as 11 9 12 8 15 10 11 9."),
    ],
)
def test_what_is_no_result_of_a_large_table_is_told_with_an_example_of_its_size(typed, seats, said):
    with pytest.raises(Exception, match="is no result") as error:
        read_table(typed, seats, MatchLength(1), counts_scores=False)
    assert said in str(error.value)


def test_numbers_that_may_be_places_or_scores_of_a_large_table_are_asked_about():
    with pytest.raises(Exception, match="count scores") as error:
        read_table("3 1 2 4 5 6 7 8", 8, MatchLength(1), counts_scores=True)
    assert "If these are scores, type “=3 1 2 4 5 6 7 8”." in str(error.value)
