"""The site's part of the re-check benchmark: run inside the site's own processes, prints JSON."""

import json
import time

from django.db import connection

from accounts.actors import Actor
from accounts.models import Person, User
from config.celery import app
from decks.models import CardList, Deck, DeckVersion, Recheck
from decks.services.card_lists import ListDraft, draft_list
from decks.services.catalogues import load_catalogues
from decks.services.rechecks import start_recheck
from journal.clock import database_now
from tests.benchmarks.decks import deck_of

GAME, FORMAT = "doomtrooper", "tournament-1997"
PERIOD = 0.02


def fill(decks: int) -> None:
    """Store so many generated 60-card decks of 100 kinds, and a draft list that bans a card some of them hold."""
    now = database_now()
    load_catalogues(now)
    owner = Person.objects.create(name="Owner", created_at=now)
    kinds = [_entries(deck_of(20, 3, seed)) for seed in range(100)]
    rows = [Deck(owner=owner, game=GAME, format=FORMAT, name=f"Deck {n}", created_at=now) for n in range(decks)]
    stored = Deck.objects.bulk_create(rows, batch_size=500)
    DeckVersion.objects.bulk_create(
        [
            DeckVersion(deck=deck, number=1, entries=kinds[n % 100], digest="", source_text="", created_at=now)
            for n, deck in enumerate(stored)
        ],
        batch_size=500,
    )
    root = User.objects.create_user("root", is_staff=True)
    banned = kinds[0][0]["name"].casefold()
    tomorrow = now.date().replace(year=now.year + 1)
    draft_list(Actor(root, None, "session"), ListDraft(GAME, FORMAT, "Next list", tomorrow, {"": {banned: 0}}), now)


def _entries(text: str) -> list[dict[str, str]]:
    counted = (line.split(" ", 1) for line in text.splitlines())
    return [{"name": name, "count": int(count), "section": "main"} for count, name in counted]


def measure(workers: int) -> None:
    """Once so many workers are up, start a re-check on a clean table, wait until it is finished, print wall
    seconds and the outcome.
    """
    Recheck.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    while len(app.control.ping(timeout=1)) < workers:
        time.sleep(PERIOD)
    card_list = CardList.objects.get(state=CardList.State.DRAFT)
    started = time.monotonic()
    recheck = start_recheck(Actor(User.objects.get(username="root"), None, "session"), card_list, database_now())
    while not Recheck.objects.filter(pk=recheck.pk, finished_at__isnull=False).exists():
        time.sleep(PERIOD)
    taken = time.monotonic() - started
    falling = recheck.results.filter(legal_before=True, legal_after=False).count()
    print(json.dumps({"seconds": taken, "results": recheck.results.count(), "falling": falling}))


def count_loop() -> None:
    """The baseline: read the same rows and count their cards in dictionaries, in one process; print wall seconds."""
    started = time.monotonic()
    legal = 0
    for entries in DeckVersion.objects.values_list("entries", flat=True).iterator(500):
        counts: dict[str, int] = {}
        for entry in entries:
            counts[entry["name"]] = counts.get(entry["name"], 0) + entry["count"]
        legal += sum(counts.values()) >= 60 and max(counts.values()) <= 5
    print(json.dumps({"seconds": time.monotonic() - started, "results": legal}))
