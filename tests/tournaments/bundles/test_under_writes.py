"""Files taken while others write are of one moment each; what is cut or changed on the way is refused, nothing else."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection

from accounts.actors import SYSTEM
from journal.clock import database_now
from rules_engine.errors import DomainError
from tests.tournaments.bundles.test_event_files import edited, taken, verify
from tests.tournaments.factories import account, next_round, running, score
from tournaments.bundles.keys import public_key
from tournaments.bundles.scopes import Scope
from tournaments.core.rounds import matches_of
from tournaments.events.services.bringing import bring_event
from tournaments.models import Entry, Match, Round, Tournament
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.room.services.announcements import post_announcement

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]
WRITERS = 2


def keep_writing(tournament: Tournament, round_: Round, stop: threading.Event, written: list[int]) -> None:
    """Results, corrections and announcements, one after the other, in a connection of its own."""
    olive, rng = account("olive"), random.Random(threading.get_ident())
    matches = [match for match in matches_of(round_) if match.table_number]
    try:
        while not stop.is_set():
            match, result = Match.objects.get(pk=rng.choice(matches).pk), score(*rng.choice([(2, 0), (1, 2), (2, 1)]))
            try:
                if match.accepted_report_id is None:
                    report_result(olive, match, result, database_now())
                else:
                    correct_result(olive, match, result, "seen again", database_now())
                post_announcement(olive, tournament, "Soup at noon.", database_now())
                written.append(1)
            except (DomainError, OperationalError):  # the other writer was first, or holds the lock
                continue
    finally:
        connection.close()


@contextmanager
def under_writes(tournament: Tournament, round_: Round) -> Iterator[list[int]]:
    """Writers at work while the block runs, and what they have written so far."""
    stop, written = threading.Event(), list[int]()
    writers = [threading.Thread(target=keep_writing, args=(tournament, round_, stop, written)) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    try:
        yield written
    finally:
        stop.set()
        for writer in writers:
            writer.join(timeout=60)
        assert not any(writer.is_alive() for writer in writers)


def is_right(data: bytes) -> bool:
    """Whether a stranger's program finds nothing wrong."""
    return all(line["result"] in ("right", "open") for line in verify(data, public_key()).lines)


def state() -> list[object]:
    """What a file that is refused must not have changed."""
    return [Tournament.objects.count(), list(Entry.objects.order_by("pk").values())]


def test_files_taken_under_writes_are_whole_and_damaged_ones_change_nothing(many, seed):
    tournament, rng = running(12), random.Random(seed)
    round_ = next_round(tournament)
    with under_writes(tournament, round_) as written:
        for number in range(many(500, 6)):
            data, before = taken(tournament, rng.choice(list(Scope))), state()
            assert is_right(data), number
            with pytest.raises(DomainError):
                bring_event(SYSTEM, edited(data, rng), database_now())
            assert state() == before
        assert written
