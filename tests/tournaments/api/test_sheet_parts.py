"""Parts of sheets as programs write them: what no page could read is refused, the rest is shown."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, event, next_round, table
from tests.tournaments.sheet_acts import work
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament

pytestmark = pytest.mark.django_db
FORMATS = {"doomlings": "standard", "doomtrooper": "second-edition", "dead_or_destroyed": "standard"}
TURN = {"act": "turn", "player": "ada"}
WON = {"winner": "ada"}


def seated(game: str):
    """Ada and Ben at a table of a game; the match, Ada's program, the sheet's address of the API and of the pages."""
    tournament = event(game=game, game_format=FORMATS[game], best_of=1, score_sheets=True)
    for name in ("ada", "ben"):
        sign_up(account(name), tournament, account(name).person, NOW)
    match = table(next_round(start_tournament(account("olive"), tournament, NOW)))
    api = f"{path_of(tournament)}matches/{match.pk}/sheet/"
    return match, caller("ada"), api, reverse("match_sheet", args=[tournament.slug, match.pk])


def own(match) -> int:
    return match.seats.get(entry__name="ada").order


@pytest.mark.parametrize(
    ("game", "at_table", "content"),
    [
        ("doomlings", False, {"traits": 7}),
        ("doomlings", False, {"traits": [{}]}),
        ("doomlings", False, {"traits": ["No such card"]}),
        ("doomlings", False, {"sums": {"face_value": "x"}}),
        ("doomlings", False, {"traits": ["Faith"], "choices": {"Faith": "x"}}),
        ("doomlings", False, {"hand": {"x": 1}}),
        ("doomlings", True, {"catastrophe": ["x"]}),
        ("doomlings", True, {"tie_draws": "x"}),
        ("doomtrooper", True, {"acts": "x"}),
        ("doomtrooper", True, {"acts": [7]}),
        ("doomtrooper", True, {"acts": [{"id": 1}]}),
        ("dead_or_destroyed", True, {"games": [[]]}),
        ("dead_or_destroyed", True, {"games": [{**WON, "roles": ["x", "y"]}]}),
        ("dead_or_destroyed", True, {"games": [{"winner": []}]}),
    ],
)
def test_part_that_no_page_could_read_is_refused(game, at_table, content):
    match, program, api, _root = seated(game)
    answer = program.put(f"{api}parts/{0 if at_table else own(match)}/", {"content": content, "version": 0})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_sheet")


@pytest.mark.parametrize(
    ("game", "at_table", "content"),
    [
        ("doomlings", False, {"traits": None, "choices": None, "sums": None, "hand": None}),
        ("doomlings", False, {"traits": ["Faith"], "choices": {"Faith": {"from": "red"}}}),
        ("doomlings", False, {"traits": ["Faith"], "choices": {"Faith": {}}, "lab": [], "unknown": {"x": [1]}}),
        ("doomlings", True, {"clock": "x", "struck": 7, "discard_pile": ["Kidney"]}),
        ("doomlings", True, {"board": {"game": 1, "acts": [{"act": "age", "id": 1}, {"act": [], "id": "x"}, 7]}}),
        ("dead_or_destroyed", True, {"board": {"game": "x", "acts": [{"act": "raise", "player": 10**40}]}}),
        ("doomtrooper", True, {"acts": [TURN, {**TURN, "id": "x", "by": [1]}, {**TURN, "id": True}]}),
        ("doomtrooper", True, {"acts": [{**TURN, "id": 10**40}, {**TURN, "id": -1}], "clock": {}, "struck": [{}]}),
        ("dead_or_destroyed", True, {"games": [WON, {"winner": None}, {**WON, "id": 1}], "struck": ["x"]}),
        ("dead_or_destroyed", True, {"games": [{**WON, "won_by": "necromancer"}], "clock": 7}),
    ],
)  # fmt: skip
def test_pages_show_what_programs_wrote(game, at_table, content):
    match, program, api, root = seated(game)
    place = 0 if at_table else own(match)
    good(program.put(f"{api}parts/{place}/", {"content": content, "version": 0}))
    client = Client()
    client.force_login(account("ada").user)
    for route in ("", f"parts/{place}/", *(["play/board/"] if "board" in content else [])):
        assert client.get(f"{root}{route}").status_code in (200, 302)
    if game == "doomtrooper":
        assert client.post(f"{root}play/move/", TURN).status_code in (200, 302)
    client.post(f"{root}file/", {"anyway": "1"})
    work()
    assert client.get(f"{root}tally/").status_code == 200


def test_what_pages_keep_beside_the_ledger_stays():
    match, program, api, _root = seated("doomtrooper")
    good(program.put(f"{api}parts/0/", {"content": {"acts": [TURN]}, "version": 0}))
    match.refresh_from_db()
    part = match.score_sheet.sheet.parts.filter(place=0)
    struck, clock = [{**TURN, "id": 2, "by": "", "when": ""}], {"until": NOW.isoformat(), "minutes": 5}
    part.update(content={**part.get().content, "struck": struck, "clock": clock})
    good(program.put(f"{api}parts/0/", {"content": {"acts": [TURN, TURN, TURN]}, "version": 1}))
    content = part.get().content
    assert (content["struck"], content["clock"]) == (struck, clock)
