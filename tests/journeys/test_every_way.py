"""Every way to play, whole events of it over API and pages: entered, paired, played at the tables, to the end.

All is drawn by a seed. Matches are reported by program, or played move by move on the board or ledger of their game
(`played_tables`), which fills the sheet; the clock of a round may run out. Tables of Intelligent Design draft first,
pass by pass, and each player's phone registers the deck made; the sheet has cards of these decks alone. Points, wins,
losses and draws are counted once more here, and the file of the finished event is checked by the strangers' program,
which computes every tiebreaker again in fractions.
"""

import os
import runpy
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from rules_engine.systems import get_system, list_systems
from rules_engine.ways import Way
from scoring.sheets.tallies.registry import has_sheet
from tests.journeys.played_tables import GAMES, USUAL, Table, draft_decks, play_doomlings, play_trooper
from tests.tournaments.api.callers import JsonClient, caller, good
from tests.tournaments.factories import PEOPLE, account

pytestmark = pytest.mark.django_db
WAYS = [(system.slug, way) for system in list_systems() for way in system.ways]
SHORT, WHOLE = (2, 1.0, 1, 3), (3, 0.4, 99, 14)
"""Of an event: rounds; the share of its matches played at their tables, if it has sheets, and how many at most, the
others are reported; and the `Table.most_moves` of each."""
BY_POINTS = ("doomlings", "doomtrooper")
"""The games whose sheets count points for the event."""
FIRST = int(os.environ["DOOMDESK_SEED"]) % 100_000
SEEDS = [
    (FIRST + number, SHORT) if number < len(WAYS) else pytest.param(FIRST + number, WHOLE, marks=pytest.mark.long)
    for number in range(len(WAYS) + 500)
]
"""The short run has each way once, the long one 500 more."""
verify = runpy.run_path(str(Path(settings.BASE_DIR) / "docs/verify/verify_event.py"))["verify"]


@dataclass
class Count:
    """What the matches so far are worth by entry, counted without the product: points, and won, lost and drawn."""

    policy: dict[str, Any]
    points: Counter[int] = field(default_factory=Counter)
    wins: Counter[int] = field(default_factory=Counter)
    losses: Counter[int] = field(default_factory=Counter)
    draws: Counter[int] = field(default_factory=Counter)

    def bye(self, entry: int) -> None:
        self.points[entry] += self.policy["bye"]
        self.wins[entry] += 1

    def table(self, entries: list[int], places: list[int], *, is_scored: bool) -> None:
        """A match by places: those of two with equal ones drew, those of several won if they share the first.

        Several who are all level, and whose points nobody counted, drew too.
        """
        row = next((row for row in self.policy["placing_points"] if len(row) == len(entries)), None)
        if len(entries) >= 7:
            row = max(self.policy["placing_points"], key=len, default=None)
            row = row and (row + row[-1:] * len(entries))[: len(entries)]
        by_place = row is not None and self.policy["points_by"] == "placing"
        for entry, place in zip(entries, places, strict=True):
            shared = places.count(place)
            is_draw = shared == len(entries) and not (is_scored and len(entries) > 2)
            has_won = place == 1 and not is_draw
            self.wins[entry] += has_won
            self.draws[entry] += is_draw
            self.losses[entry] += not (has_won or is_draw)
            usual = self.policy["draw" if place == 1 and shared > 1 else "win" if place == 1 else "loss"]
            self.points[entry] += sum(row[place - 1 : place - 1 + shared]) // shared if by_place else usual

    def line(self, entry: int) -> tuple[int, int, int, int]:
        return self.points[entry], self.wins[entry], self.losses[entry], self.draws[entry]


def places_of(scores: list[int]) -> list[int]:
    """Each one's place by score."""
    return [1 + sum(other > score for other in scores) for score in scores]


@dataclass
class Event:
    """An event of a way to play, run by its organiser's program and, at the tables, in her browser."""

    game: str
    way: Way
    rng: Random
    olive: Any
    browser: Client
    path: str
    sheets: bool
    count: Count
    members: dict[str, list[str]]
    share: float
    most_played: int
    most_moves: int
    phones: dict[int, Client] = field(default_factory=dict)
    number: int = 0
    moves: int = 0
    drafted: Counter[int] = field(default_factory=Counter)

    def play_round(self, *, counts: bool = True) -> None:
        self.number += 1
        good(self.olive.post(f"{self.path}rounds/", {"after": self.number - 1, "seed": self.rng.randrange(999)}), 201)
        good(self.olive.post(f"{self.path}rounds/{self.number}/publish/"))
        is_time = counts and self.rng.random() < 0.4
        if is_time:
            self.run_out()
        for match in good(self.olive.get(f"{self.path}rounds/{self.number}/matches/"))["results"]:
            entries = [seat["entry"] for seat in match["seats"]]
            if match["kind"] == "bye":
                self.count.bye(entries[0])
            elif match["kind"] == "played":
                places, is_scored = self.play(match, is_time=is_time, decides=not counts)
                if counts:
                    self.count.table(entries, places, is_scored=is_scored)

    def run_out(self) -> None:
        """The clock of the round is started, and every phase of it ended before its time."""
        clock = good(self.olive.post(f"{self.path}clock/start/"))
        for phase in clock["phases"]:
            clock = good(self.olive.post(f"{self.path}clock/stop/", {"phase": phase["phase"]}))
        assert {phase["state"] for phase in clock["phases"]} == {"over"}

    def play(self, match: dict[str, Any], *, is_time: bool, decides: bool) -> tuple[list[int], bool]:
        """A lawful result, by the desk or at the table. One of a bracket `decides`.

        The places it gives, and whether they come of points.
        """
        decks = self.draft(match) if "intelligent_design" in self.way.sheet_options else {}
        if self.sheets and self.most_played and self.rng.random() < self.share:
            self.most_played -= 1
            return self.play_table(match, decks, is_time=is_time, decides=decides), self.game in BY_POINTS
        seats, address = len(match["seats"]), f"{self.path}matches/{match['id']}/"
        if seats > 2:
            scores = [self.rng.randint(0, 30) for _seat in range(seats)]
            given = {"scores": scores} if self.rng.random() < 0.5 else {"placings": places_of(scores)}
            good(self.olive.post(f"{address}report/", given))
            return places_of(scores), "scores" in given
        won = self.games(decides=decides)
        good(self.olive.post(f"{address}report/", {"games_won": won}))
        return places_of(won), False

    def draft(self, match: dict[str, Any]) -> dict[str, list[str]]:
        """The table drafts step by step on the page of its match; the decks that its players' phones register."""
        decks = draft_decks(self.rng, [seat["name"] for seat in match["seats"]])
        page, step = f"/e/{self.path.split('/')[-2]}/match/{match['id']}/draft/", 0
        while not (state := good(self.olive.get(f"{self.path}matches/{match['id']}/"))["draft"])["is_over"]:
            assert state["step"] == step
            if state["registers"]:
                for seat in match["seats"]:
                    self.register(seat["entry"], decks[seat["name"]])
            assert self.browser.post(page, {"act": "draft", "step": step}).status_code == 302
            step += 1
        return decks

    def register(self, entry: int, deck: list[str]) -> None:
        """The drafted deck of a player, by the player's personal link."""
        if entry not in self.phones:
            link = good(self.olive.post(f"{self.path}entries/{entry}/personal-link/"), 201)["path"]
            self.phones[entry] = JsonClient(HTTP_AUTHORIZATION=f"Link {link.strip('/').split('/')[-1]}")
        text = "\n".join(f"{count} {name}" for name, count in Counter(deck).items())
        answer = good(self.phones[entry].put(f"{self.path}my/deck/", {"name": "Drafted", "text": text}))
        assert answer["verdict"]["legal"], answer
        self.drafted[entry] += 1

    def play_table(
        self, match: dict[str, Any], decks: dict[str, list[str]], *, is_time: bool, decides: bool
    ) -> list[int]:
        """A match on its board or ledger."""
        address = f"{self.path}matches/{match['id']}/"
        root = f"/e/{self.path.split('/')[-2]}/match/{match['id']}/sheet/"
        self.browser.post(f"{root}open/")
        names, options = (good(self.olive.get(f"{address}sheet/"))[key] for key in ("players", "options"))
        table = Table(self.olive, self.browser, self.rng, address, root, names, USUAL | options, self.way.best_of,
                      self.way.exact_games, is_time, decides, decks=decks, most_moves=self.most_moves)  # fmt: skip
        if self.game == "doomlings":
            places = places_of(play_doomlings(table))
        elif self.game == "doomtrooper":
            places, _scores = play_trooper(table, self.members)
        else:
            places = places_of(table.play_match(GAMES[self.game]))
        assert good(self.olive.get(address))["state"] == "done", (self.game, self.way.slug)
        self.moves += table.moves
        return places

    def games(self, *, decides: bool) -> list[int]:
        """Games won by each of two, as the length of the match allows."""
        if self.way.exact_games:
            first = self.rng.choice([0, self.way.best_of]) if decides else self.rng.randint(0, self.way.best_of)
            return [first, self.way.best_of - first]
        need = self.way.best_of // 2 + 1
        won = [need, self.rng.randrange(need)]
        return won if self.rng.random() < 0.5 else won[::-1]


def begun(seed: int, rounds: int, share: float, most_played: int, most_moves: int) -> Event:
    """An event of a way, chosen by the seed, with players at their first table."""
    game, way = WAYS[seed % len(WAYS)]
    rng, olive, browser = Random(seed), caller("olive"), Client()
    browser.force_login(account("olive").user)
    is_teams = way.sheet_options.get("mode") == "teams"
    sheets = has_sheet(game) and rng.random() < max(share, 0.7)
    if "intelligent_design" in way.sheet_options:
        load_catalogues(database_now(), [get_system(game)])
    draft = {"name": f"Way {seed}", "starts_at": "2026-05-10T10:00:00Z", "game": game, "game_format": way.format,
             "variant": way.variant, "way": way.slug, "swiss_rounds": rounds, "score_sheets": sheets}  # fmt: skip
    created = good(olive.post("/api/v1/events/", draft), 201)
    assert (created["way"], created["best_of"]) == (way.slug, way.best_of)
    path = f"/api/v1/events/{created['slug']}/"
    least = way.tables.preferred if way.tables else 5
    names = [*PEOPLE, *(f"Player {number}" for number in range(20))][: rng.randint(least, least + 5)]
    members = {name: [f"{name} I", f"{name} II"] for name in names} if is_teams else {}
    entries = [{"name": name, **({"members": members[name]} if is_teams else {})} for name in names]
    good(olive.post(f"{path}open/"))
    good(olive.post(f"{path}entries/", {"entries": entries}), 201)
    good(olive.post(f"{path}start/"))
    policy = good(olive.get(path))["policy"]
    return Event(game, way, rng, olive, browser, path, sheets, Count(policy), members, share, most_played, most_moves)


@pytest.mark.parametrize(("seed", "size"), SEEDS)
def test_an_event_of_every_way_is_played_to_its_end_and_counts_as_it_should(seed, size):
    event = begun(seed, *size)
    for _round in range(size[0]):
        event.play_round()
    lines = good(event.olive.get(f"{event.path}standings/"))["results"]
    counted = [(line["points"], line["wins"], line["losses"], line["draws"]) for line in lines]
    assert counted == [event.count.line(line["entry"]) for line in lines], (event.game, event.way.slug)
    keys = [each["key"] for each in lines[0]["tiebreakers"]]
    assert keys[0] != "match_points" or counted == sorted(counted, key=lambda line: -line[0])
    for final in event.way.finals:
        cut = good(event.olive.get(f"{event.path}stages/next/"))
        good(event.olive.post(f"{event.path}stages/next/begin/", {"seen": cut["mark"]}))
        for _round in range(final.top.bit_length() - 1):
            event.play_round(counts=False)
    for entry, phone in event.phones.items():
        assert len(good(phone.get(f"{event.path}my/deck/history/"))["registrations"]) == event.drafted[entry]
    assert good(event.olive.post(f"{event.path}finish/"))["state"] == "finished"
    report = verify(event.olive.get(f"{event.path}file/whole/").content, None)
    assert {"digests", "standings", "contents"} <= {line["check"] for line in report.lines if line["result"] == "right"}
    assert not [line for line in report.lines if line["result"] not in ("right", "open")]
