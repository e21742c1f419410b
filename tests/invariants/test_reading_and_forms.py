"""A5: reading changes nothing, and nothing is changed for a browser without its token against forged forms.

See docs/how-it-works/trust.md#a5.
"""

import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client

from decks.services.catalogues import load_catalogues
from rules_engine.systems import get_system
from tests.invariants.seen_queries import SeenWrites
from tests.invariants.test_foreign_ids import pages_of
from tests.invariants.test_misclicks import unsafe_methods
from tests.invariants.two_events import Held, hold
from tests.routes import walk_routes
from tests.tournaments.api.test_permissions import operations
from tests.tournaments.factories import NOW, account

pytestmark = pytest.mark.django_db
UNSAFE = ("post", "put", "patch", "delete")
OPEN_TO_FORGED = {"set_language": "only sets the cookie of a language"}
"""Pages that take a form without a token."""


@pytest.fixture(scope="module")
def own(shared_db) -> Held:
    load_catalogues(NOW, [get_system("doom_pile")])
    return hold("olive", "ada", "Own", 7)


def browser(name: str, *, guarded: bool = False) -> Client:
    """Somebody's browser; `guarded`: as real ones are, against forged forms."""
    client = Client(enforce_csrf_checks=guarded, raise_request_exception=False)
    client.force_login(account(name).user)
    return client


def answered(client: Client, method: str, address: str) -> int:
    """The status of what is answered; nothing that it did stays."""
    with transaction.atomic():
        status = getattr(client, method)(address).status_code
        transaction.set_rollback(True)
    return int(status)


def unsafe_pages() -> Iterator[tuple[str, str]]:
    """Name and address of every page that takes more than reading; what its ids name need not be there."""
    for route in walk_routes():
        if unsafe_methods(route.callback) and not route.path.startswith(("api/", "admin/")):
            plain = re.sub(r"<\w+:(\w+)>|<(\w+)>", lambda found: "1" if "int" in found[0] else "none", route.path)
            if not re.search(r"[(\\^$]", plain):
                yield route.name, f"/{plain}"


def test_no_page_takes_a_form_without_its_token():
    olive = browser("olive", guarded=True)
    pages = list(unsafe_pages())
    statuses = {name: answered(olive, "post", address) for name, address in pages}
    assert len(pages) > 100
    assert {name for name, status in statuses.items() if status != 403} == set(OPEN_TO_FORGED)


def test_no_operation_takes_a_request_of_a_browser_without_its_token(own):
    olive = browser("olive", guarded=True)
    statuses = {
        operation: answered(olive, method, path.format(**own.ids))
        for operation, method, path in operations()
        if method in UNSAFE
    }
    assert len(statuses) > 100
    assert {operation for operation, status in statuses.items() if status != 403} == set()


def changing(name: str, own: Held, addresses: Iterator[str]) -> list[str]:
    """The addresses that change something of the event when somebody reads them."""
    client, before, changed, read = browser(name), own.stored(), [], 0
    for address in addresses:
        cache.clear()
        with transaction.atomic():
            with connection.execute_wrapper(writes := SeenWrites()):
                read += client.get(address).status_code == 200
            if writes.any and own.stored() != before:
                changed.append(address)
            transaction.set_rollback(True)
    assert read > 20
    return changed


@pytest.mark.full
@pytest.mark.parametrize("name", ["olive", "ada"])
def test_reading_a_page_changes_nothing(own, name):
    assert changing(name, own, pages_of(own)) == []


@pytest.mark.full
@pytest.mark.parametrize("name", ["olive", "ada"])
def test_reading_by_program_changes_nothing(own, name):
    paths = (path.replace("rounds/{number}", "rounds/2") for _name, method, path in operations() if method == "get")
    assert changing(name, own, (path.format(**own.ids) for path in paths)) == []
