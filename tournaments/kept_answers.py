"""What is asked of an event once for all who read its pages, until an act other than a result changes it.

An event that keeps answers is only ever read (`tournaments.web.live.page_cache`). Services find one of their own, which
keeps none: there each question is asked again. What staff or programs read is asked once for
each request, and kept for none.
"""

from collections.abc import Callable
from copy import copy
from datetime import datetime
from functools import wraps
from typing import Any, TypeVar
from uuid import uuid4

from journal.clock import database_now
from tournaments.models import Tournament

T = TypeVar("T")

QUESTIONS: list[Callable[[Tournament], Any]] = []
"""All questions of which an event keeps the answer."""
KEPT, ASKED, ROLES, MATCHES = "_kept_answers", "_asked_answers", "_roles_of", "_versions_of_matches"


class _Forgotten(dict[Any, Any]):
    """Roles are asked again each time: nobody's may be kept with what all readers share."""

    def setdefault(self, _key: Any, default: Any = None, /) -> Any:
        """What would be remembered, which it is not."""
        return default


def keeps_answers(tournament: Tournament) -> bool:
    return KEPT in tournament.__dict__


def keep_answers(tournament: Tournament) -> Tournament:
    """An event just loaded, which keeps from now on what it is asked, for `for_reader`."""
    tournament.__dict__ |= {KEPT: {}, ROLES: _Forgotten()}
    return tournament


def time_of_reading(tournament: Tournament) -> datetime:
    """What the database's clock said when an event that keeps answers was found, else what it says now."""
    asked_at: datetime | None = getattr(tournament, "asked_at", None) if keeps_answers(tournament) else None
    return asked_at or database_now()


def for_reader(
    kept: Tournament, found: Tournament, version_of: Callable[[int], str] | None = None, **known: Any
) -> Tournament:
    """An event that keeps answers as one request sees it: with the roles `found` for it, and answers known to it alone.

    `version_of` a match, by id, tells how it stood when the request came; without it, each counts as changed.
    Nothing that the request sets on it reaches another.
    """
    mine = copy(kept)
    mine.__dict__ |= {ROLES: dict(found.__dict__.get(ROLES, {})), ASKED: known, MATCHES: version_of}
    mine.__dict__["asked_at"] = found.asked_at  # type: ignore[attr-defined]
    return mine


def ask_once(tournament: Tournament) -> Tournament:
    """An event just loaded for a page that only reads it: it is asked each question once, and holds the answers."""
    tournament.__dict__.setdefault(ASKED, {})
    return tournament


def version_of_match(tournament: Tournament, match: int) -> str:
    """How a match stood when the request of `for_reader` came: the same until a result of it is reported."""
    version_of: Callable[[int], str] | None = tournament.__dict__.get(MATCHES)
    return str(uuid4()) if version_of is None else version_of(match)


def kept_answer(question: Callable[[Tournament], T]) -> Callable[[Tournament], T]:
    """A question whose answer no result changes and nobody who asks does: kept with an event that keeps answers.

    The answer is shared by requests that run at once, so it is never changed.
    """

    QUESTIONS.append(question)

    @wraps(question)
    def ask(tournament: Tournament) -> T:
        if not keeps_answers(tournament):
            return _once(question, tournament)
        return keep(tournament, question, lambda: question(_shared(tournament)))

    return ask


def keep(tournament: Tournament, key: object, make: Callable[[], T]) -> T:
    """What an event that keeps answers holds under a key, made where it has nothing there yet; of others made anew."""
    kept: dict[object, Any] | None = tournament.__dict__.get(KEPT)
    if kept is None:
        return make()
    if key not in kept:
        kept[key] = make()
    answer: T = kept[key]
    return answer


def asked_once(question: Callable[[Tournament], T]) -> Callable[[Tournament], T]:
    """A question that results change: one request asks it once, unless it knows the answer already."""

    @wraps(question)
    def ask(tournament: Tournament) -> T:
        return _once(question, tournament)

    return ask


def _once(question: Callable[[Tournament], T], tournament: Tournament) -> T:
    asked: dict[str, Any] | None = tournament.__dict__.get(ASKED)
    if asked is None:
        return question(tournament)
    if question.__name__ not in asked:
        asked[question.__name__] = question(tournament)
    answer: T = asked[question.__name__]
    return answer


def _shared(tournament: Tournament) -> Tournament:
    """The event without anything that is one request's: answers point at it."""
    shared = copy(tournament)
    shared.__dict__[ROLES] = _Forgotten()
    for name in (ASKED, MATCHES):
        shared.__dict__.pop(name, None)
    return shared
