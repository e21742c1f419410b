"""D2: words that only one secret deck holds are found nowhere but in the tables of decks.

See docs/how-it-works/trust.md#d2. Real processes: a player registers the deck, plans its stack, and then everything
that tells things is done. Searched are Redis and all that was said to it, logs, mails, webhooks, every table, and what
every address answers to others. The control is a site that passes the deck's name on.
"""

import base64
import gzip
import io
import json
import random
import re
import socket
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from http.cookiejar import CookieJar
from threading import Thread
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import psycopg
import pytest
import redis

from journal.clock import database_now
from tests.invariants.fault_databases import PATIENCE
from tests.invariants.fault_site import UNDONE, Stage, good, run, site_with_event
from tests.invariants.planted_words import PLANTED, words_in
from tests.invariants.processes import wait_until
from tests.invariants.result_clients import Api
from tests.routes import walk_routes
from tests.tournaments.webhooks.receiver import Receiver, listening
from tournaments.management.demo import sample_decklist

pytestmark = [pytest.mark.full, pytest.mark.timeout(1800), pytest.mark.django_db]
CARDS = 'name,type,subtype,countdown\n"Quorvexian Ash",Plot,Ruin,3\n"Vashtinull Dawn",Master Plan,,\n'
"""A set of the site's own, which is removed once the deck is registered: then no page may name them."""
DECK = {
    "name": "Ombrelune",
    "text": re.sub("^3 .*", "4 Quorvexian Ash", sample_decklist(copies=3).rpartition("\n")[0]) + "\nVashtinull Dawn",
}
OF_DECKS = {
    "decks_deck": "what the deck is called",
    "decks_deckversion": "its cards, and the text as entered",
    "decks_legalitycheck": "the verdict names the cards that are at fault",
    "tournaments_stackorder": "the order in which its player stacks it",
}
"""The tables that may hold the words, and for what."""
ENDLESS = ("live",)
"""Routes whose answer never ends; it holds numbers of versions."""


@dataclass
class Reader:
    """Somebody with a browser and a program; a visitor has no account for either."""

    stage: Stage
    name: str = ""
    cookies: CookieJar = field(default_factory=CookieJar)
    token: str = ""
    statuses: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        if self.name:
            password = run(self.stage.site, "create_organiser", self.name).strip()
            self.read("/accounts/login/")
            secret = next(each.value for each in self.cookies if each.name == "csrftoken")
            self.read("/accounts/login/", {"login": self.name, "password": password, "csrfmiddlewaretoken": secret})
            assert any(each.name == "sessionid" for each in self.cookies)
            login = {"username": self.name, "password": password, "scope": "organise"}
            self.token = self.ask("POST", "/tokens/", login)["token"]

    def read(self, path: str, fields: Mapping[str, str | None] | None = None) -> bytes:
        """The body of an answer, whatever its status: by program below /api/, else by browser."""
        data = urllib.parse.urlencode(fields).encode() if fields else None
        request = urllib.request.Request(f"http://localhost:{self.stage.site.port}{path}", data)
        if path.startswith("/api/") and self.token:
            request.add_header("Authorization", f"Token {self.token}")
        try:
            answer = self.browser.open(request, timeout=60)
        except urllib.error.HTTPError as refused:
            answer = refused
        with answer:
            self.statuses[answer.status] += 1
            return bytes(answer.read())

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """What the API answers to an act, which must be no error."""
        api = Api([self.stage.site.port], self.token)
        return good(api.ask(method, path, body, chance=self.stage.chance))


@contextmanager
def overheard(stage: Stage) -> Iterator[bytearray]:
    """All that is said to Redis while the block runs."""
    said = bytearray()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.connect(str(stage.site.socket))
        listener.sendall(b"MONITOR\r\n")

        def listen() -> None:
            with suppress(OSError):
                while part := listener.recv(1 << 16):
                    said.extend(part)

        thread = Thread(target=listen, daemon=True)
        thread.start()
        try:
            yield said
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def register_and_tell(stage: Stage, receiver: Receiver, people: Mapping[str, Reader]) -> str:
    """The path of an event at which ada registers the deck, and at which then everything is done that tells things."""
    oscar, ada = people["oscar"], people["ada"]
    settings = {
        "name": "Sealed decks", "starts_at": "2026-05-10T10:00:00Z", "game": "doom_pile", "game_format": "standard",
        "deck_publish": "after_end", "self_sign_up": True, "swiss_rounds": 3,
    }  # fmt: skip
    path = f"/events/{oscar.ask('POST', '/events/', settings)['slug']}/"
    oscar.ask("POST", f"{path}open/", {})
    receiver.secret = oscar.ask("POST", f"{path}webhooks/", {"url": receiver.url, "kind": "signed"})["secret"]
    for name in ("ada", "ben"):
        people[name].ask("POST", f"{path}entries/sign-up/", {})
    guests = [{"name": f"Guest {number}", "email": f"guest{number}@shop.test"} for number in range(4)]
    oscar.ask("POST", f"{path}entries/", {"entries": guests})
    oscar.ask("POST", f"{path}entries/link-mails/", {})
    change(stage, "UPDATE accounts_person SET mails_pairings = true, email = name || '@shop.test' WHERE name <> ''")
    with own_cards(stage):
        ada.ask("PUT", f"{path}my/deck/", DECK)
    people["ben"].ask("PUT", f"{path}my/deck/", {"name": "Ben's", "text": sample_decklist(copies=3)})
    oscar.ask("POST", f"{path}start/", {})
    for number in (1, 2):
        oscar.ask("POST", f"{path}rounds/", {"after": number - 1})
        oscar.ask("POST", f"{path}rounds/{number}/publish/", {})
        ada.ask("PUT", f"{path}my/stack/", {"cards": ada.ask("GET", f"{path}my/stack/")["cards"][::-1]})
        for match in oscar.ask("GET", f"{path}rounds/{number}/matches/")["results"]:
            oscar.ask("POST", f"{path}matches/{match['id']}/report/", {"games_won": [2, 0]})
    oscar.ask("POST", f"{path}rounds/", {"after": 2})
    check_decks_again(stage)
    done = stage.database
    assert wait_until(lambda: not done.rows(UNDONE), PATIENCE), done.rows(UNDONE)
    return path


@contextmanager
def own_cards(stage: Stage) -> Iterator[None]:
    """The site knows the planted cards while the block runs."""
    run(stage.site, "load_catalogues")
    given = {"set_name": "Own", "text": CARDS}
    seen = olive(stage, "POST", "/cards/doom_pile/import/preview/", given)
    assert not seen["problems"], seen
    olive(stage, "POST", "/cards/doom_pile/import/", {**given, "seen": seen["fingerprint"]})
    yield
    olive(stage, "DELETE", f"/cards/doom_pile/sets/{seen['card_set']}/")


def olive(stage: Stage, method: str, path: str, body: object = None) -> Any:
    """What the API answers to the site admin."""
    return good(stage.api.ask(method, path, body, chance=stage.chance))


def check_decks_again(stage: Stage) -> None:
    """Have every stored deck judged in the background under a card list to come."""
    day = str((database_now() + timedelta(days=9)).date())
    coming = {"game": "doom_pile", "game_format": "standard", "name": "Next", "valid_from": day}
    told = olive(stage, "POST", "/card-lists/", {**coming, "text": "Ash Ledger: 0"})
    olive(stage, "POST", f"/card-lists/{told['id']}/recheck/", {})


def change(stage: Stage, statement: str) -> None:
    """One statement on the site's database."""
    with psycopg.connect(stage.database.url) as connection:
        connection.execute(statement.encode())


def stored_in_redis(stage: Stage) -> Iterator[tuple[str, bytes]]:
    """Every key of every database with what it holds."""
    reading = {
        "string": redis.Redis.get, "list": lambda at, key: at.lrange(key, 0, -1), "hash": redis.Redis.hgetall,
        "set": redis.Redis.smembers, "zset": lambda at, key: at.zrange(key, 0, -1), "stream": redis.Redis.xrange,
    }  # fmt: skip
    for number in (0, 1):
        with redis.Redis(unix_socket_path=str(stage.site.socket), db=number) as server:
            for key in server.scan_iter():
                read = reading.get(server.type(key).decode(), lambda *_gone: b"")
                held: Any = read(server, key)
                yield f"Redis {number}", key + b" " + (held if isinstance(held, bytes) else repr(held).encode())


def stored_in_tables(stage: Stage) -> Iterator[tuple[str, bytes]]:
    for (table,) in stage.database.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"):
        for (row,) in stage.database.rows(f'SELECT held::text FROM "{table}" held'):
            yield str(table), str(row).encode()


def answers_to(reader: Reader, path: str, match: int) -> Iterator[tuple[str, bytes]]:
    """What a reader is answered at every address that names no more than an event, its entry 1 and a match of it."""
    values = {
        "slug": path.split("/")[2], "game": "doom_pile", "game_format": "standard", "format_slug": "standard",
        "number": "1", "match_id": str(match), "key": "text",
    }  # fmt: skip
    for route in walk_routes():
        address = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values.get(found[1], found[0]), route.path)
        if not re.search(r"[<(^]", address) and route.name not in ENDLESS and not address.startswith("admin/"):
            yield f"{reader.name or 'a visitor'} at /{address}", reader.read(f"/{address}")


def everything(stage: Stage, receiver: Receiver, readers: Sequence[Reader], path: str) -> Iterator[tuple[str, bytes]]:
    """All that is searched, each with the place where it lies."""
    match = readers[0].ask("GET", f"{path}rounds/1/matches/")["results"][0]["id"]
    for reader in readers:
        yield from answers_to(reader, path, match)
        assert not [status for status in reader.statuses if status == 429 or status >= 500], reader.statuses
        print(reader.name or "a visitor", dict(reader.statuses))
    yield from stored_in_redis(stage)
    yield from stored_in_tables(stage)
    yield from (("webhook", json.dumps(body).encode()) for body in receiver.bodies)
    yield from (("mail", file.read_bytes()) for file in (stage.site.folder / "mails").iterdir())
    yield from ((f"log of {name}", stage.site.said(name).encode()) for name in stage.site.running)


def search(seed: int, *controls: str, readers_too: Sequence[str] = ()) -> dict[str, set[str]]:
    """In which places the planted words are found, on a site where everything is done.

    Every page is read by ben and a visitor, and by the `readers_too`.
    """
    found: dict[str, set[str]] = defaultdict(set)
    with site_with_event(random.Random(seed), *controls, mails=True) as stage, listening(Receiver()) as receiver:
        people = {name: Reader(stage, name) for name in ("oscar", "ada", "ben", "mallory")}
        with overheard(stage) as said:
            path = register_and_tell(stage, receiver, people)
            readers = [*(people[name] for name in (*readers_too, "ben")), Reader(stage)]
            held = list(everything(stage, receiver, readers, path))
        for place, raw in [*held, ("said to Redis", bytes(said))]:
            found[place] |= words_in(raw)
        assert words_in(people["ada"].read(f"/api/v1{path}my/deck/")) == {*PLANTED}
    places = {place.partition(" at ")[0] for place in found}
    assert places >= {"Redis 0", "Redis 1", "webhook", "mail", "log of relay", "said to Redis", "ben", "a visitor"}
    return {place: words for place, words in found.items() if words}


def zipped(text: bytes) -> bytes:
    """A file in an archive."""
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        archive.writestr("held", text)
    return file.getvalue()


def test_what_a_deck_holds_is_in_the_tables_of_decks_only(seed):
    found = search(seed, readers_too=("oscar", "mallory"))
    assert {place: words for place, words in found.items() if place not in OF_DECKS} == {}
    assert set(found) == set(OF_DECKS), "a table is listed that holds none"


def test_control_a_site_that_passes_a_name_on_is_found(seed):
    told = search(seed, "tells_decks")
    there = {"log of web", "Redis 0", "said to Redis", "mail", "journal_outboxmessage"}
    assert told.keys() - OF_DECKS.keys() == there


@pytest.mark.parametrize(
    "pack",
    [
        base64.b64encode,
        base64.urlsafe_b64encode,
        gzip.compress,
        lambda text: base64.b64encode(zlib.compress(text)),
        lambda text: b"\\x" + text.hex().encode(),
        zipped,
    ],
)
def test_control_packed_words_are_found(pack):
    assert words_in(b'{"held": "' + pack(b"the deck is called Ombrelune, as you know") + b'"}') == {"ombrelune"}
