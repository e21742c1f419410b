"""Erases again whom a restored backup brought back."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial

from accounts.actors import SYSTEM
from accounts.models import Person, User
from rules_engine.errors import Conflict
from tournaments.privacy.erasure_notes import noted_erasures
from tournaments.privacy.services import ERASED_NAME, erase_account, erase_guest


def erase_again(now: datetime) -> tuple[int, int]:
    """Erase who was erased here and came back; answers how many were, and how many must wait.

    They wait while the restored data has them play in or organise an event that is not over, or be a site admin.
    An id is another's where it was made at another time.
    """
    done = waiting = 0
    for erase in (*_accounts(now), *_guests(now)):
        try:
            erase()
        except Conflict:
            waiting += 1
        else:
            done += 1
    return done, waiting


def _accounts(now: datetime) -> Iterator[partial[None]]:
    for user_id, joined in noted_erasures():
        user = User.objects.filter(pk=user_id, date_joined=joined).exclude(username__startswith=ERASED_NAME).first()
        if user is not None:
            yield partial(erase_account, user, SYSTEM, now)


def _guests(now: datetime) -> Iterator[partial[None]]:
    for person_id, created in noted_erasures(of="person"):
        person = Person.objects.filter(pk=person_id, created_at=created, user=None, erased_at=None).first()
        if person is not None:
            yield partial(erase_guest, person, SYSTEM, now)
