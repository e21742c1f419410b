"""Searches of the rules; those that found nothing are kept for the site admin: words only, in bounded number."""

import re
from contextlib import suppress
from datetime import date

from django.core.cache import cache
from django.db import DatabaseError
from django.db.models import F
from django.utils.translation import gettext

from decks.models import MissedSearch
from decks.selectors.clauses import FoundClause, find_clauses
from decks.selectors.rules import clauses_of
from journal.transactions import in_transaction
from rules_engine.errors import Conflict
from rules_engine.game import GameSystem

MOST_AN_HOUR = 60
"""Over all visitors: a script that looks up nonsense costs the database no more."""
MOST_KEPT = 500
"""Of each game; those looked up longest ago go first."""
LONGEST = 60
MAX_WORDS = 100
_WORD = re.compile(r"[^\W\d_]+")


def search_clauses(system: GameSystem, asked: str, today: date) -> list[FoundClause]:
    """The clauses of a game that fit what was `asked`; where none does, that is counted for the site admin."""
    clauses = clauses_of(system) if asked else []
    found = find_clauses(clauses, asked, gettext)
    if clauses and not found:
        keep_missed_search(system.slug, asked, today)
    return found


def keep_missed_search(game: str, asked: str, today: date) -> None:
    """Count that nothing fits what was `asked`; letters only, so that neither numbers nor addresses are kept.

    Where the database cannot store it, it is left out: whoever searches gets their answer.
    """
    words = " ".join(_WORD.findall(asked.casefold()))[:LONGEST].strip()
    if words and _has_room():
        with suppress(Conflict, DatabaseError):
            _count(game, words, today)


def _has_room() -> bool:
    key = "missed-searches"
    if cache.add(key, 1, timeout=3600):
        return True
    with suppress(ValueError):  # the hour ended in between
        return int(cache.incr(key)) <= MOST_AN_HOUR
    return True


@in_transaction
def _count(game: str, words: str, today: date) -> None:
    search, is_new = MissedSearch.objects.get_or_create(game=game, words=words, defaults={"last_on": today})
    if not is_new:
        MissedSearch.objects.filter(pk=search.pk).update(count=F("count") + 1, last_on=today)
        return
    of_game = MissedSearch.objects.filter(game=game)
    old = of_game.order_by("-last_on", "-pk").values_list("pk", flat=True)[MOST_KEPT:]
    of_game.filter(pk__in=list(old)).delete()
