"""Players check themselves in: from the event's opening time to its start, by account or link, each only themselves."""

from datetime import timedelta

import pytest

from journal.clock import database_now
from rules_engine.errors import DomainError
from tests.tournaments.factories import NOW, account, entry, event
from tests.tournaments.web.visitors import browser, guest
from tournaments.entries.services.attendance import check_in_oneself
from tournaments.events.services.events import start_tournament
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db
START = NOW + timedelta(days=1)


def test_players_check_in_from_the_opening_time_to_the_start() -> None:
    held = event(3, check_in=True, check_in_minutes=30, capacity=2)
    ada = entry(held, "Ada")
    actor = account("ada")
    for now in (START - timedelta(minutes=31), START - timedelta(minutes=30)):
        if now < START - timedelta(minutes=30):
            with pytest.raises(DomainError, match="can't check in now"):
                check_in_oneself(actor, ada, now)
        else:
            assert check_in_oneself(actor, ada, now).checked_in_at == now
    with pytest.raises(DomainError):
        check_in_oneself(actor, entry(held, "Cem"), START)  # waits for a place
    check_in_oneself(actor, entry(held, "Ben"), START)
    start_tournament(account("olive"), held, START)
    Entry.objects.update(checked_in_at=None)
    with pytest.raises(DomainError):
        check_in_oneself(actor, ada, START)


@pytest.mark.parametrize("changes", [{"check_in": False, "check_in_minutes": 30}, {"check_in": True}])
def test_without_an_opening_time_only_staff_check_in(changes: dict[str, object]) -> None:
    with pytest.raises(DomainError):
        check_in_oneself(account("ada"), entry(event(1, **changes), "Ada"), START)


def test_the_pages_offer_it_in_time_and_staff_see_it() -> None:
    held = event(2, check_in=True, check_in_minutes=30)
    phone, address = guest(held, "Ada"), f"/e/{held.slug}/"
    Tournament.objects.update(starts_at=database_now() + timedelta(hours=1))
    assert b"Check in here from" in phone.get(f"{address}register/").content
    phone.post(f"{address}my/check-in/")
    assert entry(held, "Ada").checked_in_at is None
    Tournament.objects.update(starts_at=database_now() + timedelta(minutes=5))
    for page in ("", "register/"):
        assert f'action="{address}my/check-in/"'.encode() in phone.get(address + page).content
    phone.post(f"{address}my/check-in/")
    assert entry(held, "Ada").checked_in_at is not None
    assert entry(held, "Ben").checked_in_at is None
    assert b"1 checked in" in browser(account("olive")).get(f"{address}manage/entries/").content
    assert browser(account("mallory")).post(f"{address}my/check-in/").status_code == 403
