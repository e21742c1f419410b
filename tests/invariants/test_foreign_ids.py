"""A2: an id of somebody else's event in a path, a query or a body reads nothing there and changes nothing.

See docs/how-it-works/trust.md#a2. Two events alike, the other one private: each request of somebody at the own event
holds ids of the other one. What it answers must hold no name from there, and every row there must be as it was.
"""

import random
import re
from collections.abc import Iterator, Mapping
from functools import partial
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
import schemathesis
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given
from hypothesis import seed as seeded
from hypothesis import settings as examples

from decks.services.catalogues import load_catalogues
from rules_engine.systems import get_system
from tests.invariants.seen_queries import SeenWrites
from tests.invariants.two_events import Held, hold
from tests.routes import walk_routes
from tests.tournaments.api.callers import caller
from tests.tournaments.api.test_permissions import in_turn, operations
from tests.tournaments.factories import NOW, account

pytestmark = pytest.mark.django_db
PLANTED = "Quibblewick"
"""Begins every name at the private event; its addresses have it in small letters."""
SAFE = ("get", "head")
BODIES: Mapping[str, Mapping[str, Any]] = {
    "matches_correct": {"games_won": [0, 2], "reason": "slip", "seen": 1},
    "penalties_create": {"entry": "number", "kind": "warning", "infraction": "late", "match": "match_id"},
    "penalties_take_back": {"reason": "slip"},
    "entry_needs_keep_apart": {"other": "other", "reason": "asked"},
    "leagues_add_event": {"event": "slug", "weight": 2},
    "leagues_remove_event": {"event": "slug"},
    "league_players_join": {"person": "person", "other": "person"},
    "league_players_part": {"person": "person"},
    "entry_deck_check": {"outcome": "ok", "notes": "", "version": 1},
    "my_deck_update": {"deck": "deck_id"},
    "decks_check": {"game": "game", "game_format": "house_format", "text": "3 Ash Ledger"},
    "own_decks_create": {"game": "game", "game_format": "house_format", "name": "New"},
    "entries_check_in_several": {"numbers": ["number"]},
    "entries_personal_links": {"numbers": ["other"]},
}
"""By operation a body in which the names of ids stand for them."""
REFUSED = {"entries_check_in_several": 422, "league_players_join": 409}
"""The event has started; nobody is joined with themselves."""
QUERIES = {"penalties_list": "entry={number}", "rounds_matches": "entry={number}", "events_list": "mine=true"}


@pytest.fixture(scope="module")
def both(shared_db):
    load_catalogues(NOW, [get_system("doom_pile")])
    own = hold("olive", "ada", "Own", 7)
    return own, hold("rhea", "finn", PLANTED, 11, visibility="private")


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch):
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.allow_request", lambda *args: True)


class Guarded:
    """Sends requests, takes back what they did, and says which of them told or changed something of the other event.

    The other event is looked at after each that wrote: nothing else can have changed a row.
    """

    def __init__(self, foreign: Held) -> None:
        self.foreign, self.before = foreign, foreign.stored()
        self.sent, self.faults = 0, dict[str, object]()

    def send(self, method: str, address: str, ask: Any) -> int:
        """The status of what `ask` is answered."""
        self.sent += 1
        cache.clear()
        with transaction.atomic():
            with connection.execute_wrapper(writes := SeenWrites()):
                response = ask()
                content = b"".join(response) if getattr(response, "streaming", False) else response.content
            changed = method not in SAFE and writes.any and self.foreign.stored() != self.before
            transaction.set_rollback(True)
        if changed or PLANTED.encode() in content or response.status_code >= 500:
            self.faults[f"{method} {address}"] = "changed" if changed else (response.status_code, told_in(content))
        return int(response.status_code)


def told_in(content: bytes) -> str:
    """Where an answer names what it must not."""
    at = content.find(PLANTED.encode())
    return content[max(0, at - 80) : at + 80].decode(errors="replace")


def filled(body: Any, ids: Mapping[str, Any]) -> Any:
    """A body with the ids in place of their names."""
    if isinstance(body, dict):
        return {name: filled(value, ids) for name, value in body.items()}
    if isinstance(body, list):
        return [filled(value, ids) for value in body]
    return ids.get(body, body) if isinstance(body, str) else body


def names_in(operation: str, path: str, ids: Mapping[str, Any]) -> set[str]:
    """Which ids a request of this operation names."""
    body = re.findall(r"'(\w+)'", repr(BODIES.get(operation)))
    return {*re.findall(r"{(\w+)}", path + QUERIES.get(operation, "")), *body} & ids.keys()


def programs() -> dict[str, Any]:
    """A program of the organiser and one of the player, their tokens used before: to note a use is a write, too."""
    found = {who: caller(who) for who in ("olive", "ada")}
    assert [program.get("/api/v1/me/").status_code for program in found.values()] == [200, 200]
    return found


def ask_api(program: Any, operation: str, method: str, path: str, ids: Mapping[str, Any]) -> Any:
    """A request of a program with these ids."""
    query = QUERIES.get(operation, "").format(**ids)
    address = path.replace("rounds/{number}", "rounds/2").format(**ids) + (f"?{query}" if query else "")
    body = () if method in SAFE else (filled(BODIES.get(operation, {}), ids),)
    return partial(getattr(program, method), address, *body)


@pytest.mark.sqlite
def test_no_operation_takes_a_single_id_of_another_event(both, many, seed):
    """What takes ids in its body always, of the others a part by the run's seed."""
    own, foreign = both
    guarded, callers = Guarded(foreign), programs()
    tried = dict.fromkeys([*in_turn(seed, many(1, 6)), *(each for each in operations() if each[0] in BODIES)])
    for operation, method, path in tried:
        for name in sorted(names_in(operation, path, own.ids)):
            if own.ids[name] != foreign.ids[name]:
                ids = {**own.ids, name: foreign.ids[name]}
                for who, program in callers.items():
                    guarded.send(method, f"{path} {name} by {who}", ask_api(program, operation, method, path, ids))
    assert guarded.sent > len(tried)
    assert guarded.faults == {}


def test_the_same_requests_are_taken_with_ids_of_the_own_event(both):
    own, foreign = both
    guarded, callers = Guarded(foreign), programs()
    statuses = {
        operation: guarded.send(method, path, ask_api(callers[who], operation, method, path, own.ids))
        for operation, method, path in operations()
        for who in ["ada" if operation.startswith(("my_", "own_")) else "olive"]
        if operation in {*BODIES, *QUERIES}
    }
    assert {name: status for name, status in statuses.items() if status >= 300} == REFUSED


def test_what_changes_the_other_event_is_found_and_taken_back(both):
    _own, foreign = both
    guarded = Guarded(foreign)
    operation, method, path = next(each for each in operations() if each[0] == "penalties_take_back")
    guarded.send(method, path, ask_api(caller("rhea"), operation, method, path, foreign.ids))
    assert [*guarded.faults.values()] == ["changed"]
    assert foreign.stored() == guarded.before


def swapped(value: Any, rng: random.Random, foreign: Held) -> Any:
    """A value with ids of the other event in place of some numbers and texts in it."""
    if isinstance(value, dict):
        return {name: swapped(held, rng, foreign) for name, held in value.items()}
    if isinstance(value, list):
        return [swapped(held, rng, foreign) for held in value]
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.6:
        return rng.choice(foreign.numbers)
    if isinstance(value, str) and rng.random() < 0.3:
        return rng.choice(foreign.names)
    return value


def test_no_operation_takes_many_ids_of_another_event(both, many, seed):
    """One generated request to each operation, a part of them by the run's seed; `--long`: twenty to all, 5,000."""
    own, foreign = both
    guarded, rng, callers = Guarded(foreign), random.Random(seed), programs()
    api = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(public=True))
    described = [each.ok() for each in api.get_all_operations()]
    for operation in described[seed % (share := many(1, 8)) :: share]:

        @seeded(seed)
        @examples(max_examples=many(20, 1), deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            places = {name: (foreign if rng.random() < 0.5 else own).ids.get(name, 1) for name in case.path_parameters}
            places["slug"] = own.ids["slug"]
            query = urlencode(swapped(dict(case.query or {}), rng, foreign), doseq=True)
            address, body = f"{case.path.format(**places)}?{query}", case.body
            who, method = rng.choice(("olive", "ada")), case.method.lower()
            given_body = () if method in SAFE or not isinstance(body, dict) else (swapped(body, rng, foreign),)
            asked = partial(getattr(callers[who], method), address, *given_body)
            guarded.send(method, f"{address} {given_body}", asked)

        ask()
    assert guarded.sent >= len(described) // share
    assert guarded.faults == {}


class Page(HTMLParser):
    """What can be pressed on a page: forms with their fields as sent untouched, and links with a query."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.presses: list[tuple[str, str, dict[str, str]]] = []
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a form, note a field of it (of choices the first one), or note a link."""
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.presses.append((said.get("method", "get").lower(), said.get("action", ""), {}))
        elif tag == "a" and "?" in (href := said.get("href", "")) and href.startswith(("/", "?")):
            self.presses.append(("get", href.partition("?")[0], dict(parse_qsl(urlsplit(href).query))))
        elif tag in ("input", "button", "option", "textarea") and self.presses and said.get("name"):
            self.presses[-1][2].setdefault(said["name"], said.get("value", "") or "because")


def pressed_with(own: Held, foreign: Held, address: str, fields: dict[str, str], rng: random.Random) -> Iterator[Any]:
    """The same press with each id in its address or its fields swapped, one at a time."""
    for name, held in own.ids.items():
        if f"/{held}/" in address and str(foreign.ids[name]) != str(held):
            yield address.replace(f"/{held}/", f"/{foreign.ids[name]}/"), fields
    for field, value in fields.items():
        known = [str(foreign.ids[name]) for name, held in own.ids.items() if str(held) == value]
        if value.isdecimal() or known:
            yield address, {**fields, field: rng.choice([*known, str(rng.choice(foreign.numbers))])}


LISTED = {"e": "slug", "l": "league", "decks": "deck_id", "formats": "house_format"}
"""What the first part of an address is followed by."""


def pages_of(own: Held) -> Iterator[str]:
    """The addresses of all pages of the event, its league, its player's deck and its organiser's format."""
    for route in walk_routes():
        path = route.path.replace("rounds/<int:number>", "rounds/2")
        ids = {**own.ids, "slug": own.ids[LISTED.get(path.partition("/")[0], "slug")], "public_id": own.ids["deck_id"]}
        address = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path)
        names = {*re.findall(r"{(\w+)}", address)}
        if path.partition("/")[0] in LISTED and names and names <= ids.keys() and route.name != "live":
            yield "/" + address.format(**ids)


@pytest.mark.parametrize("who", ["olive", "ada"])
def test_no_page_takes_an_id_of_another_event(both, who, many, seed):
    """Every form and link with a query of every page, in `./test` a part of them by the run's seed."""
    own, foreign = both
    guarded, rng = Guarded(foreign), random.Random(seed)
    browser = Client(raise_request_exception=False)
    browser.force_login(account(who).user)
    seen = set()
    for page in pages_of(own):
        with transaction.atomic():
            answer = browser.get(page)
            transaction.set_rollback(True)
        if answer.status_code != 200 or "text/html" not in answer.headers["Content-Type"]:
            continue
        for method, action, fields in Page(answer.getvalue().decode()).presses:
            address = action or page
            for swap, data in pressed_with(own, foreign, address, fields, rng):
                what = (method, swap, tuple(sorted(data)), data.get("act"))
                if what not in seen:
                    seen.add(what)
                    if rng.randrange(many(1, 10)) == 0:
                        guarded.send(
                            method, f"{swap} {data}", partial(getattr(browser, method), swap, data, follow=True)
                        )
    assert guarded.sent
    assert guarded.faults == {}
