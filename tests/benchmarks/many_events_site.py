"""The site's part of the benchmark of many events: one in the middle of a round, more and more others beside it."""

import json
from collections.abc import Sequence
from itertools import pairwise

from django.core.handlers.wsgi import WSGIHandler
from django.db import connection

from tests.benchmarks.pages_site import Page, cookie_of, measured, of_site, set_up
from tests.tournaments.factories import next_round, report_all, running

PLAYERS, ROUNDS = 16, 3
PAGES = (
    Page("home", "", args=of_site),
    Page("home", "olive", args=of_site),
    Page("event", ""),
    Page("pairings", ""),
    Page("standings", ""),
    Page("my_match", "ada"),
    Page("manage", "olive"),
    Page("desk", "olive"),
    Page("manage_entries", "olive"),
    Page("floor", "juno"),
)


def measure(counts: Sequence[int], runs: int) -> None:
    """Ask for the pages of one event while there are so many others, all Olive's; print each count's as a JSON line."""
    tournament, handler = set_up(PLAYERS), WSGIHandler()
    cookies = {"": "", **{name: cookie_of(name) for name in ("olive", "juno", "ada")}}
    for before, count in pairwise((0, *counts)):
        for number in range(before, count):
            other = running(PLAYERS, name=f"Cup {number}")
            for _round in range(ROUNDS):
                report_all(next_round(other))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        print(json.dumps([measured(handler, page, tournament, cookies[page.who], runs) for page in PAGES]))
