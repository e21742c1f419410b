"""What players need, as they see it: all of them or none, certain or likely, and staff's presses."""

import re

import pytest
from django.test import Client

from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, event, next_round, report_all, score, staff
from tests.tournaments.forecast.test_forecast import ask, with_cut, work
from tests.tournaments.web.organiser.test_organiser import browser
from tests.tournaments.web.organiser.test_organiser_access import queries
from tournaments.core.rounds import matches_of
from tournaments.entries.services.entries import EntryDraft, register_walk_ins, sign_up
from tournaments.events.services.events import start_tournament
from tournaments.forecast import services as services
from tournaments.forecast.selectors import outlook_of
from tournaments.forecast.services import show_outlook
from tournaments.models import OutlookRun, Role, Tournament
from tournaments.results.services.reports import report_result
from tournaments.web.public.forecast import own_results

pytestmark = pytest.mark.django_db

ACTS = ("ask", "stop", "show", "hide")


def page(tournament: Tournament, rest: str = "") -> str:
    return f"/e/{tournament.slug}/outlook/{rest}"


def field(players: int = 8, rounds: int = 3, *, shown: bool = True, played: int = 1) -> Tournament:
    """A cup with Ada in it, a cut to two behind it, and some rounds played."""
    tournament = event(0, swiss_rounds=rounds)
    ada = account("ada")
    sign_up(ada, tournament, ada.person, NOW)
    register_walk_ins(
        account("olive"), tournament, [EntryDraft(f"Player {number}") for number in range(1, players)], NOW
    )
    tournament = with_cut(start_tournament(account("olive"), tournament, NOW))
    for number in range(played):
        report_all(next_round(tournament, seed=number + 1))
    return show_outlook(account("olive"), tournament, NOW, shows=shown)


def text(answer) -> str:
    """What a page says, on one line."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def test_all_players_see_it_or_none():
    tournament = field(shown=False)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    staff(tournament, "juno", Role.Name.JUDGE)
    account("mallory")
    clients = {name: browser(name) for name in ("ada", "kit", "mallory", "juno", "olive")} | {"": Client()}
    api = f"/api/v1/events/{tournament.slug}/outlook/"

    def seen() -> set[str]:
        by_page = {name for name, client in clients.items() if client.get(page(tournament)).status_code == 200}
        by_api = {name for name in clients if caller(name).get(api).status_code == 200}
        assert by_page == by_api
        return by_page

    assert seen() == {"juno", "olive"}
    for name in ("ada", "kit", ""):
        assert "outlook" not in clients[name].get(f"/e/{tournament.slug}/standings/").content.decode()
    show_outlook(account("olive"), tournament, NOW, shows=True)
    assert seen() == set(clients)
    assert page(tournament) in clients[""].get(f"/e/{tournament.slug}/standings/").content.decode()
    assert page(tournament) in clients["ada"].get(f"/e/{tournament.slug}/my/").content.decode()


@pytest.mark.parametrize("act", ACTS)
def test_presses_are_for_staff(act):
    tournament = field()
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    staff(tournament, "juno", Role.Name.JUDGE)
    let_in = {"olive"} | ({"juno"} if act in ("ask", "stop") else set())
    for name in ("ada", "kit", "juno", "olive"):
        answer = browser(name).post(page(tournament, f"{act}/"))
        assert answer.status_code == (302 if name in let_in else 403), name
    assert Client().post(page(tournament, f"{act}/")).headers["Location"].startswith("/accounts/login/")
    assert browser("olive").get(page(tournament, f"{act}/")).status_code == 405


def test_player_reads_what_is_needed():
    tournament = field(6, rounds=2)
    round_ = next_round(tournament, seed=9)
    own = tournament.entries.get(name="ada").pk
    for match in matches_of(round_):
        if own not in {seat.entry_id for seat in match.seats.all()}:
            report_result(account("olive"), match, score(2, 0), NOW)
    found = outlook_of(tournament)
    said = text(browser("ada").get(page(tournament)))
    assert "Who can still make the top 2?" in said
    assert "1 open match" in said
    told = {
        "in": "You are in",
        "out": "You can’t make it any more.",
        "open": "If you win" if own_results(found, None, own) else "It depends on the others too.",
    }
    if not found.is_by_points(own):
        told["out"] = "You are out, with tiebreakers"
    assert told[found.verdict(own).value] in said


def test_simulation_is_asked_for_followed_and_told(monkeypatch):
    monkeypatch.setattr(services, "CHUNKS", 2)
    tournament = field(8, rounds=4)
    olive = browser("olive")
    assert "How likely" not in text(browser("ada").get(page(tournament)))
    assert "Asked for. Workers simulate it now." in text(olive.post(page(tournament, "ask/"), follow=True))
    waiting = olive.get(page(tournament))
    assert waiting.headers["Refresh"] == "3"
    assert "Refresh" not in olive.get(page(tournament, "?still")).headers
    assert "Refresh" not in browser("ada").get(page(tournament)).headers
    assert re.search(r"Simulation of \d+:\d+: 0 %, ", text(waiting))
    assert "A simulation is running" in text(olive.post(page(tournament, "ask/"), follow=True))
    work()
    said = text(olive.get(page(tournament)))
    assert "up to date" in said
    assert re.search(r"\d+ % ± \d", said)
    next_round(tournament, seed=5)
    said = text(browser("ada").get(page(tournament)))
    assert "is hidden: new results came in" in said
    assert "No simulation is under way." in text(olive.post(page(tournament, "stop/"), follow=True))


def test_stopping_keeps_what_was_found(monkeypatch):
    monkeypatch.setattr(services, "CHUNKS", 2)
    tournament = field(8, rounds=4)
    ask(tournament)
    assert "Stopped" in text(browser("olive").post(page(tournament, "stop/"), follow=True))
    assert "Stopped" in text(browser("olive").get(page(tournament)))
    assert OutlookRun.objects.get().cancelled_at is not None


def test_page_without_anything_to_say():
    tournament = field(4, played=0)
    assert "This page fills once a round is published" in text(browser("ada").get(page(tournament)))


def test_api_tells_the_same(monkeypatch):
    monkeypatch.setattr(services, "CHUNKS", 1)
    tournament = field(8, rounds=4)
    api = f"/api/v1/events/{tournament.slug}/outlook/"
    assert caller("olive").post(f"{api}ask/").json()["samples"] == 0
    assert caller("olive").post(f"{api}ask/").status_code == 409
    work()
    told = caller("ada").get(api).json()
    assert (told["places"], told["points"], told["open_matches"], told["unpaired_rounds"]) == (2, None, 0, 3)
    assert (told["simulation"]["samples"], told["simulation"]["is_current"]) == (100, True)
    assert told["results"][0]["rank"] == 1
    assert {line["chance"]["of"] for line in told["results"]} == {"100"}
    assert caller("olive").post(f"{api}stop/").status_code == 409
    assert caller("olive").post(f"{api}show/", {"shown": False}, format="json").json() == {"shown": False}
    assert caller("ada").get(api).status_code == 403


def test_queries_do_not_grow_with_the_field(monkeypatch):
    monkeypatch.setattr(services, "CHUNKS", 1)
    monkeypatch.setattr(services, "SAMPLES", 2)
    counts = []
    for players in (10, 60):
        tournament = field(players, rounds=4)
        ask(tournament)
        work()
        counts.append((queries(browser("olive"), page(tournament)), queries(browser("ada"), page(tournament))))
    assert counts[0] == counts[1]


def test_page_carries_no_inline_script_or_style():
    html = browser("olive").get(page(field())).content.decode()
    assert not re.search(r"<script(?! type=\"module\" src=)", html)
    assert " style=" not in html
