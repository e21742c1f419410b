"""Twin worlds: two databases equal but for one deck answer all but its owner and the judges alike.

See docs/how-it-works/trust.md#d1.

Every route is read as a fifth of the other roles (as a ninth with `--quick`), which ones by the run's seed, and with
`--long` asked as all of them with every method, by browser and by program, in both worlds; the answers must be equal
byte for byte but for chance and the clock. A judge must see a difference, and so must strangers once a guard is taken
out: otherwise the crawl would prove nothing.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from psycopg import sql
from rules import set_perm
from rules.permissions import permissions
from rules.predicates import always_true

from accounts.actors import ANONYMOUS, Actor
from accounts.identity.keys import issue_api_token
from accounts.identity.services import set_profile_shown
from accounts.models import User
from decks.models import Deck, DeckVersion, LegalityCheck
from decks.services.card_lists import ListDraft, draft_list
from decks.services.catalogues import load_catalogues
from decks.services.decks import read_decklist
from decks.services.house_formats import make_house_format
from journal.clock import database_now
from rules_engine.systems import get_system
from scoring.sheets.services import open_sheet
from tests.invariants.seen_queries import Rows, SeenQueries
from tests.routes import walk_routes
from tests.tournaments.factories import NOW, account, entry, event, next_round, staff
from tests.tournaments.table_phones import phone, tokens_of
from tournaments.decks.selectors import stack_orders
from tournaments.decks.services.decks import judge_for, register_deck
from tournaments.entries.selectors.door import claim_token, door_token
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.entries.services.door import claim_entry, open_door
from tournaments.entries.services.entries import sign_up
from tournaments.events.selectors import undoing
from tournaments.events.services.events import start_tournament
from tournaments.events.services.staff import invite_staff
from tournaments.leagues.services import LeagueDraft, add_league_event, create_league
from tournaments.management.demo import sample_decklist
from tournaments.models import EntryMember, Role, StackOrder, StaffInvite, Tournament
from tournaments.web.frame import undo_words
from tournaments.web.player import my_stack

pytestmark = pytest.mark.django_db

STRANGERS = ("nobody", "mallory", "ben", "guest", "table", "kit", "olive", "root")
"""Not signed in, an account without a role, the opponent, a player by a link made before the round was published, a
phone with the code of the secret's table, scorekeeper, organiser, site admin."""

SAFE = ("get", "head", "options")
A_DAY = timedelta(days=1)
METHODS = (*SAFE, "post", "put", "patch", "delete")
NOISE = (
    (re.compile(rb'name=\\?"csrfmiddlewaretoken\\?" value=\\?"\w*'), b"csrf"),
    (re.compile(rb"nonce[-=][^ ;>]*"), b"nonce"),
    (re.compile(rb"data-etag=\"[^\"]*\""), b"digest of the page, clock included"),
    (re.compile(rb'name="idempotency_key"\s+value="[^"]*"'), b"key"),
    (re.compile(rb"/p/[-\w]{32}/"), b"personal link"),
    (re.compile(rb"/t/[-\w]{22}/"), b"code of a table"),
    (re.compile(rb"/d/\d+-[a-z2-7]{10}/"), b"code of the door"),
    (re.compile(rb'"id":"[-\w]{16}"'), b"new deck"),
    (re.compile(rb'"code":"[-\w]{16}","secret":"[0-9a-f]{64}"'), b"code for a game client"),
    (re.compile(rb'<code class="copy">[-\w]{16,64}</code>'), b"the same on its page"),
    (re.compile(rb"/rechecks/[-\w]{16}/"), b"re-check"),
    (re.compile(rb'"id":"[0-9a-f]{8}-[-0-9a-f]{27}"'), b"run of a plan"),
    (re.compile(rb'<svg class="qr".*?</svg>', re.DOTALL), b"QR code"),
    (re.compile(rb'"ledger":\{[^{}]*\}'), b"length of the log, which counts every act of anybody"),
    (re.compile(rb'("now": |data-now=")\d+'), b"clock"),
    (re.compile(rb"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"), b"clock"),
)
UNREPEATABLE = ("date", "set-cookie", "content-length", "etag", "ratelimit-remaining", "ratelimit-reset")
OTHER_DECK = "".join([*sample_decklist(copies=2).splitlines(keepends=True)[:-1], "1 Silence Over the Harbour\n"])
"""Another legal deck, of other cards and another Master Plan."""


@dataclass(frozen=True, slots=True)
class Deckful:
    """What the database holds of the secret deck in one world: its name, its frozen version and the verdict on it."""

    name: str
    version: dict[str, Any]
    verdict: dict[str, Any]

    def write(self, member: EntryMember) -> None:
        """Make it the member's registered deck, verdict included, as if it had always been."""
        DeckVersion.objects.filter(pk=member.deck_version_id).update(**self.version)
        Deck.objects.filter(versions=member.deck_version_id).update(name=self.name)
        LegalityCheck.objects.filter(version=member.deck_version_id).update(**self.verdict)


def deckful(event: Tournament, name: str, text: str) -> Deckful:
    """What a deck of this name and text would have left in the database."""
    decklist = read_decklist(text, event.game, event.game_format).decklist
    entries = [{"name": each.name, "count": each.count, "section": each.section} for each in decklist.entries]
    found = judge_for(event, decklist)
    repair = None if found.repair is None else [asdict(change) for change in found.repair]
    verdict = {"legal": found.report.legal, "report": found.report.as_data(), "repair": repair}
    return Deckful(name, {"entries": entries, "source_text": text, "digest": name[-1].lower() * 64}, verdict)


@dataclass(frozen=True, slots=True)
class World:
    """The member with the secret, values that addresses may hold, what differs, fields to send, and Ada's link."""

    secret: EntryMember
    values: dict[str, list[str]]
    sides: tuple[Any, Any]
    body: dict[str, Any]
    link: str = ""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with a browser, and with a token where the account has one."""

    name: str
    browser: Client
    token: str

    def ask(self, method: str, path: str, body: dict[str, Any], **headers: str) -> tuple[int, Any, bytes]:
        """Status, headers and body, without noise; what the request did is taken back, cookies and counters too."""
        cache.clear()
        cookies = self.browser.cookies.output(header="")
        if path.startswith("/api/") and self.token:
            headers["HTTP_AUTHORIZATION"] = f"Token {self.token}"
        kind = {"content_type": "application/json"} if path.startswith("/api/") or method in ("put", "patch") else {}
        with always_undoable(), transaction.atomic():
            response = getattr(self.browser, method)(path, body, **kind, **headers)
            content = b"".join(response) if response.streaming else response.content
            transaction.set_rollback(True)
        self.browser.cookies.clear()
        self.browser.cookies.load(cookies)
        told = {key.lower(): value for key, value in response.items() if key.lower() not in UNREPEATABLE}
        return response.status_code, {key: quiet(value.encode()) for key, value in told.items()}, quiet(content)


@contextmanager
def always_undoable() -> Iterator[None]:
    """Offers to undo stay, so that an answer does not depend on how many seconds after an act it is asked for."""
    with patch.object(undo_words, "FRESH_FOR", A_DAY), patch.object(undoing, "OPEN_FOR", A_DAY):
        yield


def quiet(content: bytes) -> bytes:
    """The content with chance and the clock masked."""
    for noise, word in NOISE:
        content = noise.sub(word, content)
    return content


@pytest.fixture(scope="module")
def world(shared_db):
    now = database_now()
    load_catalogues(now, [get_system("doom_pile")])
    User.objects.create_superuser("root", password="asked for before the key of a second factor is shown")
    tournament = event(1, self_sign_up=True)
    for name in ("ada", "ben"):
        sign_up(account(name), tournament, account(name).person, now)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    staff(tournament, "juno", Role.Name.JUDGE)
    secret = entry(tournament, "ada").members.get()
    register_deck(account("ada"), secret, "Twin A", sample_decklist(copies=3), now)
    register_deck(account("ben"), entry(tournament, "ben").members.get(), "Ben's", sample_decklist(copies=2), now)
    link = issue_entry_link(account("olive"), entry(tournament, "Ada"), now)
    round_ = next_round(start_tournament(account("olive"), tournament, now))
    invite_staff(account("olive"), tournament, Role.Name.JUDGE, now)
    secret.refresh_from_db()
    own = entry(tournament, "ada").seats.get().match
    version = secret.deck_version
    house = make_house_format(account("olive"), "doom_pile", "standard", "Shop format", {"copies": 2}, now.date(), now)
    coming = now.date() + timedelta(days=9)
    card_list = draft_list(
        Actor(User.objects.get(username="root"), None, "session"),
        ListDraft("doom_pile", "standard", "Next list", coming, {"": {"borrowed apocalypse": 0}}),
        now,
    )
    league = create_league(account("olive"), LeagueDraft("Season", (3, 1)), now)
    add_league_event(account("olive"), league, tournament, now)
    set_profile_shown(account("ada").user, account("ada"), now, shown=True)
    ledger = open_sheet(account("olive"), "doomtrooper", [{"name": "Ada"}, {"name": "Ben"}], {}, now)
    code = open_door(account("olive"), tournament, now)
    claim = claim_entry(ANONYMOUS, code, entry(tournament, "Ada").members.get(), now)
    values = {
        "d/ token": [door_token(code)],
        "claim": [claim_token(claim)],
        "claim_id": [str(claim.pk)],
        "slug": [tournament.slug],
        "l/ slug": [league.slug],
        "league": [league.slug],
        "person_id": [str(secret.person_id)],
        "event_id": [str(tournament.pk)],
        "players/ public_id": [secret.person.public_id],
        "formats/ slug": [house.slug],
        "cards/ slug": ["doomdesk-sample"],
        "card_set": ["doomdesk-sample"],
        "game": ["doom_pile"],
        "format_slug": ["standard"],
        "game_format": ["standard"],
        "house_format": [house.slug],
        "base": ["standard"],
        "pk": [str(card_list.pk)],
        "number": [str(secret.entry.number), "1"],
        "match_id": [str(own.pk)],
        "round_id": [str(round_.pk)],
        "role_id": [str(tournament.roles.first().pk)],
        "invite_id": [str(StaffInvite.objects.filter(tournament=tournament, accepted_at=None).get().pk)],
        "token": ["not-a-token"],
        "token_id": ["0"],
        "key": ["text"],
        "scores/ game": [ledger.game],
        "scores/ key": [ledger.key],
        "digest": ["0"],
        "place": ["0"],
        "page": ["move", "unmove"],
        "cards/ key": ["ash-ledger"],
        "uidb36": ["1"],
        "public_id": [version.deck.public_id],
        "deck_id": [version.deck.public_id],
        "penalty_id": ["1"],
        "act": ["start"],
        "announcement_id": ["1"],
        "webhook_id": ["1"],
        "replay_id": ["1"],
        "list_id": [str(card_list.pk)],
        "recheck_id": ["none"],
        "call_id": ["1"],
        "run_id": ["00000000-0000-4000-8000-000000000000"],
        "job_id": ["00000000-0000-4000-8000-000000000000"],
        "player_id": ["none"],
    }
    sides = (deckful(tournament, "Twin A", version.source_text), deckful(tournament, "Twin B", OTHER_DECK))
    return World(secret, values, sides, filled_body(version), link)


@pytest.fixture(scope="module")
def callers(world):
    everybody = {name: Caller(name, Client(), "") for name in ("nobody", "guest")}
    assert everybody["guest"].browser.get(f"/p/{world.link}/").status_code == 302
    tournament, own = world.secret.tournament, world.secret.seats.get().match
    code = tokens_of(tournament, own.table_number)[own.table_number]
    everybody["table"] = Caller("table", phone(code), "")
    assert everybody["table"].browser.get(f"/e/{tournament.slug}/table/").status_code == 200
    for name in ("mallory", "ben", "kit", "olive", "juno", "root"):
        actor = account(name)
        client = Client()
        client.force_login(actor.user)
        everybody[name] = Caller(name, client, issue_api_token(actor.user, actor, database_now())[1])
    return everybody


def addresses(world: World) -> Iterator[str]:
    """Every address of the site with the world's own ids, the admin's inner pages aside."""
    for route in walk_routes():
        if route.path.startswith("admin/") and route.name != "index":
            continue
        path = re.sub(r"[$^]|\\", "", route.path)
        path = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", path)
        names = re.findall(r"<(?:\w+:)?(\w+)>", path)
        values = [world.values.get(f"{path.split('/')[0]}/ {name}", world.values.get(name)) for name in names]
        assert None not in values, f"give this test values for all of {names} in {route.path}"
        for chosen in product(*values):
            filled = path
            for name, value in zip(names, chosen, strict=True):
                filled = re.sub(rf"<(?:\w+:)?{name}>", value, filled)
            yield f"/{filled}"


@dataclass(frozen=True, slots=True)
class Turn:
    """Which addresses somebody asks: one in `reads` is read and one in `sends` is sent to, counted from `first`."""

    first: int = 0
    reads: int = 1
    sends: int = 1

    def has(self, number: int, method: str) -> bool:
        """Whether the address of this number is asked by this method."""
        return (number - self.first) % (self.reads if method in SAFE else self.sends) == 0


def turn_of(name: str, names: Sequence[str], seed: int) -> Turn:
    """What somebody asks but in the long run: reads a fifth of the addresses, sends to those that no other name sends
    to; in the quick run a ninth of the addresses, and to a third of those.

    Neighbours among the names read other fifths, so that five of them read all; another seed gives everybody others.
    """
    if os.environ["DOOMDESK_QUICK"]:
        return Turn(names.index(name) + seed, reads=9, sends=3 * len(names))
    return Turn(names.index(name) + seed, reads=5, sends=len(names))


def differences(
    world: World,
    caller: Caller,
    methods: tuple[str, ...] = METHODS,
    within: str = "",
    turn: Turn = Turn(),
    *,
    asks_twice: bool = False,
) -> list[str]:
    """Where the two worlds answer this caller differently.

    The second world is not asked what it must answer alike: where the first one only read, and the second one answers
    the same queries with the same rows. With `asks_twice` it is asked everything.
    """
    questions = [
        (method, path, body)
        for (number, path), method in product(enumerate(addresses(world)), methods)
        if within in path and turn.has(number, method)
        for body in ([{}] if method in SAFE else [world.body, {}][: 2 if methods == METHODS else 1])
    ]
    with in_world(world, 0):
        answers = [answer_and_queries(caller, *question) for question in questions]
    with in_world(world, 1):
        known: dict[str, Rows] = {}
        return [
            f"{caller.name} {method.upper()} {path} {sorted(body)}"
            for (method, path, body), (answer, queries) in zip(questions, answers, strict=True)
            if (asks_twice or not queries.are_answered_alike(known)) and answer != caller.ask(method, path, body)
        ]


def answer_and_queries(caller: Caller, method: str, path: str, body: dict[str, Any]) -> tuple[Any, SeenQueries]:
    """What a caller is answered, and which queries that took."""
    queries = SeenQueries()
    with connection.execute_wrapper(queries):
        return caller.ask(method, path, body), queries


@contextmanager
def in_world(world: World, number: int) -> Iterator[None]:
    """One of the two worlds, taken back afterwards; what it is made of and what is asked of it is numbered alike."""
    with transaction.atomic():
        number_from(1_000_000)
        world.sides[number].write(world.secret)
        number_from(2_000_000)
        yield
        transaction.set_rollback(True)


def number_from(first: int) -> None:
    """Number what is made from here on from a number; taken back with the transaction."""
    restart = sql.SQL("ALTER SEQUENCE {} RESTART WITH {}")
    with connection.cursor() as cursor:
        cursor.execute("SELECT schemaname, sequencename FROM pg_sequences")
        names = cursor.fetchall()
        cursor.execute(sql.SQL("; ").join(restart.format(sql.Identifier(*each), first) for each in names))


def filled_body(version: DeckVersion) -> dict[str, Any]:
    """Fields that forms and programs send, filled so that more of each view runs."""
    return {
        "name": "Twin",
        "text": "3 Ash Ledger\n",
        "reason": "to look",
        "act": "check",
        "deck": version.deck.public_id,
        "version": version.number,
        "outcome": "ok",
        "game": "doom_pile",
        "game_format": "standard",
        "q": "a",
    }


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", STRANGERS)
def test_a_deck_changes_no_answer_to_a_stranger(world, callers, name, many, seed):
    """A third of them read an address; a form or program's body goes to it as one of them; others by the run's seed.

    With `--long` everybody asks every address by every method, with empty bodies too.
    """
    if many(True, False):
        assert differences(world, callers[name], asks_twice=True) == []
    else:
        assert differences(world, callers[name], ("get", "post"), turn=turn_of(name, STRANGERS, seed)) == []


def test_a_judge_sees_the_difference(world, callers):
    assert any("/read/" in found for found in differences(world, callers["juno"], ("post",), "/read/"))


def test_asking_once_where_queries_are_answered_alike_finds_what_asking_twice_finds(world, callers, monkeypatch):
    judged, juno, within = replace(world, sides=(Judged(True), Judged(False))), callers["juno"], "/manage/decks/"
    found = differences(judged, juno, ("get",), within)
    assert found == differences(judged, juno, ("get",), within, asks_twice=True) != []
    monkeypatch.setattr(SeenQueries, "are_answered_alike", lambda *_given: True)
    assert differences(judged, juno, ("get",), within) == []


@dataclass(frozen=True, slots=True)
class Judged:
    """One world with a deck that is legal, or its twin where it is not; all else is equal."""

    legal: bool

    def write(self, member: EntryMember) -> None:
        """Make it the newest verdict on the member's registered deck."""
        LegalityCheck.objects.filter(version=member.deck_version_id).update(legal=self.legal)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", ["ben", "guest", "kit", "olive", "root"])
def test_a_verdict_is_told_to_nobody_else_and_staff_know_how_many_alone(world, callers, name, many, seed):
    """Staff read all pages; of the others a third read each, with `--long` all."""
    judged, is_staff = replace(world, sides=(Judged(True), Judged(False))), name in ("kit", "olive")
    turn = Turn() if is_staff or many(True, False) else turn_of(name, STRANGERS, seed)
    found = {each.split()[2] for each in differences(judged, callers[name], ("get",), "/e/", turn)}
    page = f"/e/{world.secret.tournament.slug}/manage/"
    assert found == ({page, f"{page}decks/"} if is_staff else set())


def test_a_judge_sees_whose_verdict_it_is_and_so_would_staff_without_the_guard(world, callers, without_guard):
    judged = replace(world, sides=(Judged(True), Judged(False)))
    entries = f"GET /e/{world.secret.tournament.slug}/manage/entries/ []"
    assert f"juno {entries}" in differences(judged, callers["juno"], ("get",), "/manage/entries/")
    without_guard("deck.read")
    assert f"kit {entries}" in differences(judged, callers["kit"], ("get",), "/manage/entries/")


@dataclass(frozen=True, slots=True)
class Stacked:
    """In which order a world's player stacks the own deck: a secret of that player alone."""

    order: int

    def write(self, member: EntryMember) -> None:
        """Keep the order for the match being played, as if the player had saved it."""
        cards = [each.name for each in member.deck_version.decklist.entries][:: self.order]
        match = member.seats.get().match
        StackOrder.objects.create(member=member, match=match, game=1, cards=cards, saved_at=NOW)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", [*STRANGERS, "juno"])
def test_the_order_of_a_deck_changes_no_answer_to_anybody_but_its_player(world, callers, name, many, seed):
    """Judges and organisers are strangers here; a third read each address of the event, with `--long` everybody all."""
    stacked = replace(world, sides=(Stacked(1), Stacked(-1)))
    whole = many(True, False)
    turn = Turn() if whole else turn_of(name, (*STRANGERS, "juno"), seed)
    assert differences(stacked, callers[name], ("get",), turn=turn, asks_twice=whole) == []


def test_the_player_sees_the_order_and_the_opponent_would_with_her_place(world, callers, monkeypatch):
    stacked, page = replace(world, sides=(Stacked(1), Stacked(-1))), "/my/stack/"
    ada = Client()
    ada.force_login(account("ada").user)
    assert differences(stacked, Caller("ada", ada, ""), ("get",), page) != []
    assert differences(stacked, callers["ben"], ("get",), page) == []
    monkeypatch.setattr(my_stack, "own_member", lambda *_given: world.secret)
    monkeypatch.setattr(my_stack, "own_list", lambda _actor, member: member.deck_version)
    monkeypatch.setattr(stack_orders, "may_see_own_list", lambda *_given: True)
    assert differences(stacked, callers["ben"], ("get",), page) != []


@pytest.fixture
def without_guard():
    kept = dict(permissions)
    yield lambda name: set_perm(name, always_true)
    for name, predicate in kept.items():
        set_perm(name, predicate)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["mallory", "kit", "olive"])
def test_the_crawl_turns_red_without_the_guard(world, callers, without_guard, name):
    without_guard("deck.read")
    assert differences(world, callers[name], ("post",), "/read/") != []


def test_the_crawl_turns_red_when_a_rule_lets_tables_read(world, callers, without_guard):
    assert differences(world, callers["table"], ("post",), "/read/") == []
    set_perm("deck.read", permissions["deck.read"] | permissions["table.see"])
    assert differences(world, callers["table"], ("post",), "/read/") != []
