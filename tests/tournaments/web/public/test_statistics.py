"""The page of statistics: what it counts, when decks come into it, and that it costs the same for large events."""

import csv
import io
from fractions import Fraction

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from rules_engine.systems import get_system
from scoring.standings.results import intentional_draw, no_show, table_result
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, score, table
from tests.tournaments.structure.test_structure import cut, held, play_stage, swiss, top
from tests.tournaments.web.organiser.test_organiser import browser, text_of
from tournaments.decks.services.decks import register_deck
from tournaments.events.services.events import start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import EntryMember, Tournament
from tournaments.results.services.reports import report_result
from tournaments.statistics.selectors.statistics import compute_statistics, statistics_of

pytestmark = pytest.mark.django_db


def answer(tournament: Tournament) -> HttpResponse:
    """The page as a stranger gets it."""
    return Client().get(f"/e/{tournament.slug}/statistics/")


def page_of(tournament: Tournament) -> str:
    """The same as it is read."""
    return text_of(answer(tournament))


def test_event_without_results_says_so() -> None:
    assert "begin with the first result" in page_of(event(2))


def test_matches_are_counted_with_their_uncertainty() -> None:
    tournament = running(4)
    round_ = next_round(tournament)
    report_result(account("olive"), table(round_, 1), score(2, 0), NOW)
    report_result(account("olive"), table(round_, 2), score(1, 1, drawn=1), NOW)
    found = compute_statistics(tournament, shows_decks=False)
    assert (found.matches, found.draws) == (2, 1)
    assert [(rate.label, rate.wins, rate.draws, rate.losses) for rate in found.seats] == [
        ("1", 1, 1, 0),
        ("2", 0, 1, 1),
    ]
    page = page_of(tournament)
    assert "from 2 matches 1 drawn" in page
    assert "50 % 9–91 %" in page
    assert "few" in page
    assert "Who reported" not in page, "only one did"


def test_a_draw_by_agreement_ends_a_winning_run_and_a_no_show_does_not_lengthen_it() -> None:
    tournament = running(2, swiss_rounds=6)
    length = tournament.match_length
    for kind in ("win", "draw", "win", "win", "no-show", "win"):
        match = table(next_round(tournament))
        place = match.seats.get(entry__name="Ada").order - 1
        ends = {"draw": intentional_draw(length), "no-show": no_show(2, (1 - place,), length)}
        report_result(account("olive"), match, ends.get(kind) or score(2 - 2 * place, 2 * place), NOW)
    assert compute_statistics(tournament, shows_decks=False).runs == ((("Ada", 1), 3),)


def test_rounds_of_a_bracket_are_called_by_their_names() -> None:
    tournament = held(4, swiss(1), top(4))
    play_stage(tournament)
    cut(tournament)
    play_stage(tournament)
    page = page_of(tournament)
    assert "Semi-finals 0 minutes 2 Final 0 minutes 1" in page
    assert "Round 2" not in page


def with_decks(**changes: object) -> Tournament:
    """A finished round between two players with decks of one plan."""
    load_catalogues(NOW, [get_system("doom_pile")])
    tournament = event(2, swiss_rounds=1, **changes)
    for number in (1, 2):
        member = EntryMember.objects.get(tournament=tournament, entry__number=number)
        register_deck(account("olive"), member, "Secret", sample_decklist(copies=3), NOW)
    start_tournament(account("olive"), tournament, NOW)
    tournament.refresh_from_db()
    report_all(next_round(tournament))
    return tournament


def test_decks_are_counted_once_they_are_public_and_not_before() -> None:
    tournament = with_decks(deck_publish="after_end")
    secret = EntryMember.objects.get(tournament=tournament, entry__number=1).deck_version
    assert secret is not None
    names = [each.name for each in secret.decklist.entries if each.section == "master_plan"]
    assert names
    before = page_of(tournament)
    assert names[0] not in before
    assert "once they are public" in before
    assert statistics_of(tournament, database_now()).decks is None
    Tournament.objects.filter(pk=tournament.pk).update(decks_published_at=database_now())
    tournament.refresh_from_db()
    shown = statistics_of(tournament, database_now()).decks
    assert shown is not None
    assert [(each.label, each.count) for each in shown.shares] == [(names[0], 2)]
    assert (shown.rates, shown.mirrors) == ((), 1)
    assert names[0] in page_of(tournament)


def test_no_decklist_is_read_before_its_time() -> None:
    tournament = with_decks()
    cache.clear()
    with CaptureQueriesContext(connection) as caught:
        Client().get(f"/e/{tournament.slug}/statistics/")
    assert not any("decks_deckversion" in each["sql"] for each in caught)


def test_round_is_timed_from_publishing_to_the_last_first_report() -> None:
    tournament = running(2)
    round_ = next_round(tournament)
    assert compute_statistics(tournament, shows_decks=False).rounds == ()
    report_all(round_)
    assert [(each.number, each.minutes) for each in compute_statistics(tournament, shows_decks=False).rounds] == [
        (1, 0)
    ]


def test_csv_tells_the_same() -> None:
    tournament = running(2)
    report_all(next_round(tournament))
    text = Client().get(f"/e/{tournament.slug}/statistics.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    seat = next(row for row in rows if (row["figure"], row["label"]) == ("seats", "1"))
    assert (seat["value"], seat["count"], seat["low"]) == ("1.0000", "1", "0.207")


def test_scores_of_tables_fall_into_bins_and_the_closest_are_named() -> None:
    tournament = running(5, game="doomlings", game_format=get_system("doomlings").formats[0].slug)
    match = table(next_round(tournament))
    names = [seat.entry.name for seat in match.seats.select_related("entry").order_by("order")]
    scores = [Fraction(each) for each in (41, 12, 55, 54, 3)]
    report_result(account("olive"), match, table_result(scores=scores), NOW)
    page = page_of(tournament)
    assert "Matches won by place" in page
    number = match.seats.get(order=3).entry.number
    assert f'href="/e/{tournament.slug}/player/{number}/"' in answer(tournament).content.decode()
    assert "0 to 4 1 5 to 9 0 10 to 14 1" in page
    assert f"Closest matches The best two Points {names[2]} – {names[3]} 55–54" in page


def test_queries_do_not_grow_with_the_field() -> None:
    counts = []
    for players in (6, 40):
        tournament = running(players)
        report_all(next_round(tournament))
        for warm in (False, True):
            cache.clear() if not warm else None
            with CaptureQueriesContext(connection) as caught:
                browser("olive").get(f"/e/{tournament.slug}/statistics/")
            counts.append(len(caught))
    assert counts[:2] == counts[2:]


def test_private_event_has_none_for_strangers() -> None:
    tournament = running(2, visibility="private")
    assert Client().get(f"/e/{tournament.slug}/statistics/").status_code == 404
    assert Client().get(f"/e/{tournament.slug}/statistics.csv").status_code == 404


def test_event_page_says_how_far_it_is_and_who_won() -> None:
    tournament = running(4, swiss_rounds=1)
    round_ = next_round(tournament)
    page = text_of(Client().get(f"/e/{tournament.slug}/"))
    assert "round 1 of 1" in page
    assert "wins" not in page
    report_all(round_)
    browser("olive").post(f"/e/{tournament.slug}/manage/finish/")
    assert "First place is shared" in text_of(Client().get(f"/e/{tournament.slug}/"))


def test_list_of_events_says_what_is_left_in_few_queries() -> None:
    counts = []
    for players in (1, 3, 2):
        event(players, capacity=4)
        running(3)
        with CaptureQueriesContext(connection) as caught:
            page = text_of(Client().get("/"))
        counts.append(len(caught))
    assert "3 places left" in page
    assert "1 place left" in page
    assert counts[0] == counts[1] == counts[2]
