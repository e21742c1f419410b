"""The site's part of the benchmark of the pairing step: plays an event, then times one round and its baseline."""

import gc
import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

from accounts.actors import SYSTEM
from tournaments.entries.selectors.entries import active_entries
from tournaments.entries.services.entries import MAX_AT_ONCE, EntryDraft, register_walk_ins
from tournaments.events.services.event_drafts import EventDraft
from tournaments.events.services.events import create_tournament, start_tournament
from tournaments.models import AwardedBye, Match, ResultReport, Round, Seat, SeatResult, StoredRoundInput, Tournament
from tournaments.pairing.swiss.contenders import Apart, PairingPolicy
from tournaments.rehearsals.simulation import DROP_SHARE, START
from tournaments.rounds.services import round_builders, rounds

RUNS, DRAW_SHARE = 5, 0.05
PARTS = {"reading": "round_input_of", "pairing": "pair_swiss", "reasons": "planned_matches"}
"""Names in `services.plans` that are timed; storing and publishing are what else the two services take."""
WRITTEN = (Round, StoredRoundInput, Match, Seat, ResultReport, SeatResult)


def measure(players: int, played: int, seed: int) -> None:
    """Play an event of so many rounds, time the next one, print what it took as JSON."""
    chance = random.Random(seed)
    tournament = set_up(players, seed)
    strength = {pk: chance.gauss(0, 1) for pk in active_entries(tournament).values_list("pk", flat=True)}
    for number in range(1, played + 1):
        round_ = rounds.publish_round(SYSTEM, rounds.pair_next_round(SYSTEM, tournament, START, seed=number), START)
        report_all(round_, strength, chance)
        drop_some(tournament, number, chance)
    awarded = list(active_entries(tournament)[: players // 100])
    AwardedBye.objects.bulk_create(AwardedBye(entry=entry, round_number=played + 1) for entry in awarded)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    gc.collect()
    gc.freeze()  # as config/asgi.py does
    runs, bare = [], []
    for _run in range(RUNS):
        runs.append(one_step(tournament, played + 1))
        bare.append(baseline(runs[-1]["reads"]))
    whole = min(sum(run["seconds"].values()) for run in runs)
    medians = {part: statistics.median(run["seconds"][part] for run in runs) for part in runs[0]["seconds"]}
    last = Round.objects.latest("pk")
    answer = {
        "shares": {part: seconds / sum(medians.values()) for part, seconds in medians.items()},
        "seconds": medians, "ratio": whole / min(bare), "queries": runs[-1]["queries"],
        "engine": last.engine, "proved": last.proved,
    }  # fmt: skip
    print(json.dumps(answer))


def set_up(players: int, seed: int) -> Tournament:
    """A running event, clubs included."""
    draft = EventDraft(
        f"Step, seed {seed}", START, "house_game", "open", swiss_rounds=99, pairing=PairingPolicy(clubs=Apart.SOFT)
    )
    tournament = create_tournament(SYSTEM, draft, START)
    people = [EntryDraft(f"Player {number:05d}", f"Club {number % (players // 8)}") for number in range(players)]
    for first in range(0, players, MAX_AT_ONCE):
        register_walk_ins(SYSTEM, tournament, people[first : first + MAX_AT_ONCE], START)
    return start_tournament(SYSTEM, tournament, START)


def report_all(round_: Round, strength: dict[int, float], chance: random.Random) -> None:
    """Give every open match its result, in bulk."""
    matches = list(round_.matches.filter(state=Match.State.OPEN).prefetch_related("seats"))
    reports = ResultReport.objects.bulk_create(
        [ResultReport(match=match, number=1, actor="system", role="system", reported_at=START) for match in matches]
    )
    told = [
        SeatResult(report=report, seat=seat, outcome=outcome, games_won=won)
        for match, report in zip(matches, reports, strict=True)
        for seat, (outcome, won) in zip(match.seats.all(), play(match, strength, chance), strict=True)
    ]
    SeatResult.objects.bulk_create(told)
    for match, report in zip(matches, reports, strict=True):
        match.accepted_report, match.state, match.version = report, Match.State.DONE, 1
    Match.objects.bulk_update(matches, ["accepted_report", "state", "version"], batch_size=1000)


def play(match: Match, strength: dict[int, float], chance: random.Random) -> list[tuple[str, int]]:
    """Outcome and games won of each seat."""
    one, other = (strength[seat.entry_id] for seat in match.seats.all())
    if chance.random() < DRAW_SHARE:
        return [("draw", 1), ("draw", 1)]
    games = chance.choice((0, 1))
    won = chance.random() < 1 / (1 + 10 ** ((other - one) / 2))
    return [("win", 2), ("loss", games)] if won else [("loss", games), ("win", 2)]


def drop_some(tournament: Tournament, number: int, chance: random.Random) -> None:
    """One in a hundred leaves."""
    left = [pk for pk in active_entries(tournament).values_list("pk", flat=True) if chance.random() < DROP_SHARE]
    tournament.entries.filter(pk__in=left).update(state="dropped", dropped_after=number)


def one_step(tournament: Tournament, number: int) -> dict[str, Any]:
    """Pair and publish a round: seconds by part, queries of both acts, and what was read; then it is taken back."""
    seconds: dict[str, float] = defaultdict(float)
    with asking() as paired, timing_parts(seconds), timing(seconds, "storing"):
        round_ = rounds.pair_next_round(SYSTEM, tournament, START, seed=number)
    seconds["storing"] -= sum(seconds[part] for part in PARTS)
    with asking() as published, timing(seconds, "publishing"):
        round_ = rounds.publish_round(SYSTEM, round_, START)
    reads = [asked for asked in (*paired, *published) if asked[0].startswith("SELECT")]
    rounds.withdraw_round(SYSTEM, round_, "measured", START)
    return {"seconds": dict(seconds), "queries": (len(paired), len(published)), "reads": reads}


@contextmanager
def asking() -> Iterator[list[tuple[str, Any]]]:
    """Collect every query with its parameters."""
    asked: list[tuple[str, Any]] = []

    def collect(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(collect):
        yield asked


@contextmanager
def timing(seconds: dict[str, float], part: str) -> Iterator[None]:
    """Add what the block takes to a part."""
    begun = time.perf_counter()
    yield
    seconds[part] += time.perf_counter() - begun


@contextmanager
def timing_parts(seconds: dict[str, float]) -> Iterator[None]:
    """Time the named calls of the service while it runs."""

    def timed(part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            with timing(seconds, part):
                return call(*args)

        return run

    originals = {part: getattr(round_builders, name) for part, name in PARTS.items()}
    for part, name in PARTS.items():
        setattr(round_builders, name, timed(part, originals[part]))
    try:
        yield
    finally:
        for part, name in PARTS.items():
            setattr(round_builders, name, originals[part])


def baseline(reads: list[tuple[str, Any]]) -> float:
    """Seconds of reading what the step reads and writing what it writes, in one durable transaction of plain SQL."""
    written = [rows_of(model) for model in WRITTEN]
    begun = time.perf_counter()
    with transaction.atomic(), connection.cursor() as cursor:
        for sql, params in reads:
            cursor.execute(sql, params)
            cursor.fetchall()
        for table, rows in written:
            places = ", ".join(["%s"] * len(rows[0]))
            values = ", ".join([f"({places})"] * len(rows))
            cursor.execute(f"INSERT INTO {table} VALUES {values}", [value for row in rows for value in row])
    took = time.perf_counter() - begun
    with connection.cursor() as cursor:
        for table, _rows in written:
            cursor.execute(f"DROP TABLE {table}")
    return took


def rows_of(model: type[Any]) -> tuple[str, list[tuple[Any, ...]]]:
    """An empty table like the model's, indexes included, and the rows of the newest round that belong into it."""
    own = {
        Round: "id = %s", StoredRoundInput: "round_id = %s", Match: "round_id = %s", Seat: "round_id = %s",
        ResultReport: "match_id IN (SELECT id FROM tournaments_match WHERE round_id = %s)",
        SeatResult: "seat_id IN (SELECT id FROM tournaments_seat WHERE round_id = %s)",
    }  # fmt: skip
    table = f"bare_{model._meta.db_table}"
    newest = Round.objects.latest("pk").pk
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {table} (LIKE {model._meta.db_table} INCLUDING ALL)")
        cursor.execute(f"SELECT * FROM {model._meta.db_table} WHERE {own[model]}", [newest])
        return table, cursor.fetchall()
