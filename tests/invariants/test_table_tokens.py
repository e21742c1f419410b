"""Codes of tables: not guessable, exact in scope, dead at once, and nowhere but on paper.

See docs/how-it-works/trust.md#t1 to #t4.
"""

import io
import logging
import random
import secrets
import string
from itertools import product

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from rules import set_perm
from rules.permissions import permissions

from accounts.identity.services import hash_token
from accounts.models import PersonalLink
from config.logs import ScrubbingFormatter
from journal.clock import database_now
from rules_engine.errors import DomainError
from tests.invariants import attack_orders as orders
from tests.invariants.test_twin_worlds import Caller, Turn, World, addresses, without_guard, world  # noqa: F401
from tests.tournaments.factories import account, next_round, report_all, running, score, table
from tests.tournaments.table_phones import phone, say, seats_at, table_actor, tokens_of
from tournaments.models import Match, ResultReport, TableCode, Tournament
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round
from tournaments.table_access import services
from tournaments.table_access.services import report_from_table, revoke_codes

LETTERS = string.ascii_letters + string.digits + "-_"
EVERY = Turn()


def forgeries(tokens: list[str], chance: random.Random):
    """Tokens that nobody issued: random ones, and real ones cut, lengthened, and with one bit or letter changed."""
    while True:
        token = chance.choice(tokens)
        at = chance.randrange(len(token))
        flipped = LETTERS[LETTERS.index(token[at]) ^ (1 << chance.randrange(6))]
        yield "".join(chance.choices(LETTERS, k=22))
        yield token[:at]
        yield token + chance.choice(LETTERS)
        yield token[:at] + flipped + token[at + 1 :]
        yield token.swapcase()
        yield token[::-1]


@pytest.mark.django_db
def test_no_forged_token_is_a_code(many, seed):
    """T1, offline: the very comparison the look-up makes, over all hashes there are."""
    tokens = list(tokens_of(running(), 50).values())
    hashes = set(TableCode.objects.values_list("token_hash", flat=True))
    assert {hash_token(token) for token in tokens} == hashes
    tried = forgeries(tokens, random.Random(seed))
    wrong = [token for _number, token in zip(range(many(1_000_000, 20_000)), tried, strict=False)]
    assert [token for token in wrong if token not in tokens and hash_token(token) in hashes] == []


@pytest.mark.django_db
def test_forged_tokens_open_nothing_and_are_throttled(many, seed):
    """T1, over HTTP: after 30 misses a minute the address is slowed down, while a code that works still opens."""
    tokens = list(tokens_of(running()).values())
    client, answers = Client(), []
    for _number, token in zip(range(many(20_000, 60)), forgeries(tokens, random.Random(seed)), strict=False):
        if token and token not in tokens:
            answers.append(client.get(f"/t/{token}/").status_code)
    assert set(answers) == {404, 429}
    assert answers[:30] == [404] * 30
    assert "table_code_id" not in client.session
    assert client.get(f"/t/{tokens[0]}/").status_code == 302


class TestScope:
    """T2: a token is nobody on every route but its table's pages."""

    pytestmark = pytest.mark.django_db
    own = "/table/"

    @pytest.fixture
    def turn(self, many, seed) -> Turn:
        """One address of three, others by the run's seed; with `--long` all."""
        return many(EVERY, Turn(seed, 3, 3))

    def differences(self, world: World, token: str, methods=("get",), within="", turn=EVERY) -> list[str]:  # noqa: F811
        """Where somebody with a token is answered otherwise than a visitor, at addresses with `within`."""
        visitor, guest = Caller("nobody", Client(), ""), Caller("table", Client(), "")
        visitor.browser.get("/")
        guest.browser.get(f"/t/{token}/")
        found = []
        for number, path in enumerate(addresses(world)):
            if self.own in path or within not in path:
                continue
            for method in (each for each in methods if turn.has(number, each)):
                body = {} if method == "get" else world.body
                one, other = (told(caller, method, path, body) for caller in (visitor, guest))
                if one != other:
                    found.append(f"{method.upper()} {path}")
        return found

    def test_a_token_is_a_visitor_on_every_other_route(self, world, many, turn):  # noqa: F811
        """With `--long` by every method everywhere; else reading everywhere and pressing within the event."""
        event = world.secret.tournament
        token = tokens_of(event)[1]
        whole = many(("get", "post", "put", "patch", "delete"), ("get",))
        assert self.differences(world, token, whole, turn=turn) == []
        assert self.differences(world, token, ("post",), f"/e/{event.slug}", turn) == []

    @pytest.mark.parametrize("visibility", ["private", pytest.param("unlisted", marks=pytest.mark.long)])
    def test_hidden_events_stay_hidden_but_for_the_table(self, world, visibility, turn):  # noqa: F811
        event = world.secret.tournament
        Tournament.objects.filter(pk=event.pk).update(visibility=visibility)
        assert self.differences(world, tokens_of(event)[1], within=event.slug, turn=turn) == []

    def test_another_events_token_is_a_visitor_everywhere(self, world, turn):  # noqa: F811
        other, event = running(name="Another cup"), world.secret.tournament
        assert self.differences(world, tokens_of(other)[1], within=f"/e/{event.slug}", turn=turn) == []
        client = phone(tokens_of(other)[1])
        assert client.get(f"/e/{event.slug}/table/").status_code == Client().get(f"/e/{event.slug}/table/").status_code

    def test_the_crawl_turns_red_when_a_rule_lets_tables_in(self, world, without_guard):  # noqa: F811
        set_perm("desk", permissions["desk"] | permissions["table.see"])
        found = self.differences(world, tokens_of(world.secret.tournament)[1], within="/desk/")
        assert any("/desk/" in each for each in found)


def told(caller: Caller, method: str, path: str, body: dict) -> tuple[int, bytes]:
    """Status and body of an answer, chance and clock left out; what it did is taken back."""
    status, _headers, content = caller.ask(method, path, body)
    return status, content


@pytest.mark.django_db
@pytest.mark.parametrize("happens", ["closed", "re-paired", "moved", "next round", "other table"])
def test_a_phone_reports_nothing_but_what_is_played_at_its_table(happens):
    """T2: the page it has open is of another match by now, or was forged to be."""
    held = running()
    match = table(next_round(held))
    client = phone(tokens_of(held)[1])
    say(client, match, "claim", seat=seats_at(match)[0].pk)
    body = {"act": "report", "match": match.pk, "version": match.version, "score": "2-0-0"}
    disturb(held, match, happens, body)
    client.post(f"/e/{held.slug}/table/", body)
    assert not ResultReport.objects.filter(role="table").exists()


def disturb(held: Tournament, match: Match, what: str, body: dict) -> None:
    """Let something come in between, by the services where there is one."""
    olive, now = account("olive"), database_now()
    if what == "re-paired":
        withdraw_round(olive, match.round, "again", now)
        publish_round(olive, pair_next_round(olive, held, now, seed=2), now)
    elif what == "moved":
        Match.objects.filter(pk=match.pk).update(table_number=9)
    elif what == "other table":
        body["match"] = match.round.matches.get(table_number=2).pk
    else:
        report_all(match.round)
        round_ = pair_next_round(olive, held, now)
        if what == "next round":
            publish_round(olive, round_, now)


@pytest.mark.django_db
def test_without_the_look_at_the_table_another_ones_match_is_reported(monkeypatch):
    """The control of T2 at the service: the guard taken out lets a code report any table."""
    held = running()
    other = next_round(held).matches.get(table_number=2)
    tokens_of(held)
    first, now = seats_at(other)[0], database_now()
    with pytest.raises(DomainError):
        report_from_table(table_actor(held), first, score(2, 0), now)
    monkeypatch.setattr(services, "check_table", lambda actor, match, now: held)
    assert report_from_table(table_actor(held), first, score(2, 0), now).report.role == "table"


@pytest.mark.django_db
def test_no_use_after_revoking_is_accepted(many):
    """T3: every use after it fails, by a phone that opened the code before and by the code itself."""
    held = running()
    match = table(next_round(held))
    token = tokens_of(held)[1]
    clients = [phone(token) for _number in range(3)]
    seat = seats_at(match)[0].pk
    for client in clients:
        say(client, match, "claim", seat=seat)
    actor = table_actor(held)
    revoke_codes(account("olive"), held, database_now())
    uses = many(5_000, 90)
    for number in range(uses):
        client = clients[number % 3]
        if number % 3 == 0:
            assert say(client, match, "report", score="2-0-0").status_code == 404
        elif number % 3 == 1:
            cache.clear()
            assert client.get(f"/t/{token}/").status_code == 404
        else:
            with pytest.raises(DomainError):
                report_from_table(actor, seats_at(match)[0], score(2, 0), database_now())
    assert not match.reports.exists()


@pytest.mark.django_db
def test_expiry_ends_sessions_too(many):
    held = running()
    match = table(next_round(held))
    client = phone(tokens_of(held)[1])
    address = f"/e/{held.slug}/table/"
    assert client.get(address).status_code == 200
    code = TableCode.objects.filter(tournament=held)
    code.update(valid_from=code.get(table_number=1).created_at, expires_at=database_now())
    assert client.get(address).status_code == 404
    assert say(client, match, "claim", seat=seats_at(match)[0].pk).status_code == 404


@pytest.mark.django_db
def test_raw_tokens_stand_nowhere_but_in_the_answer(caplog):
    """T4: not in the database, the log, the cache, the outbox, the kept answers, or what a next page is told."""
    held = running()
    match = table(next_round(held))
    handler = logging.StreamHandler(stream := io.StringIO())
    handler.setFormatter(ScrubbingFormatter())
    logging.getLogger().addHandler(handler)
    olive = Client()
    olive.force_login(account("olive").user)
    body = {"first": 1, "last": 2, "idempotency_key": "k"}
    signs = olive.post(f"/e/{held.slug}/manage/tables/", body).getvalue().decode()
    renewed = olive.post(f"/e/{held.slug}/manage/tables/renew/", {"idempotency_key": "l"}).getvalue().decode()
    tokens = {each.split("/")[0] for page in (signs, renewed) for each in page.split("/t/")[1:]}
    assert len(tokens) == 4
    for token in tokens:
        client = phone(token)
        say(client, match, "claim", seat=seats_at(match)[0].pk)
        say(client, match, "report", score="2-0-0", idempotency_key=secrets.token_hex(4))
        client.get(f"/t/{token[:-1]}x/")
        logging.getLogger("django.request").warning("Not Found: /t/%s/", token)
    logging.getLogger().removeHandler(handler)
    places = {"database": dump(), "log": stream.getvalue(), "cache": str(getattr(cache, "_cache", ""))}
    assert [(place, token) for place, text in places.items() for token in tokens if token in text] == []
    assert all(hash_token(token) in places["database"] for token in tokens), "the dump holds the codes' rows"


def dump() -> str:
    """Every row of every table there is, sessions and kept answers included."""
    with connection.cursor() as cursor:
        found = []
        for name in connection.introspection.table_names():
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            found += [str([bytes(each) if isinstance(each, memoryview) else each for each in row]) for row in cursor]
    return "\n".join(found)


# Attacks of several steps, in every order (T2, T5, A8, D1, D6)

STEPS = {
    "enter": orders.enter,
    "pair": orders.pair,
    "publish": orders.publish,
    "words of Kit": orders.words_of_kit,
}
LINK_STEPS = {**STEPS, "link": orders.issue_link, "words by link": orders.by_link()}
DECK_STEPS = {"deck": orders.give_deck, **LINK_STEPS}
CODE_STEPS = {**STEPS, "code": orders.issue_code, "words by code": orders.by_code()}
WORDS = [("report", 0), ("report", 1), ("agree", 0), ("agree", 1), ("place", 0), ("place", 1)]
PHONE_STEPS = {
    **{f"{act} for {place}": orders.word_for("one", act, place) for act, place in WORDS},
    "renew": lambda scene: orders.issue_code(scene, "olive", "one"),
}
WINDOW_STEPS = {
    f"{act} for {place} by {window}": orders.word_for(window, act, place)
    for act, place, window in [("report", 0, "one"), *product(["place"], (0, 1), ("one", "two"))]
}
UNDO_LINKS = {
    "link": orders.issue_link,
    "Olive's link": lambda scene: orders.issue_link(scene, "olive"),
    "Kit revokes": lambda scene: orders.revoke_link(scene, "kit"),
    "Olive revokes": lambda scene: orders.revoke_link(scene, "olive"),
    "Kit undoes": orders.undo,
}
UNDO_CODES = {
    "code": orders.issue_code,
    "Olive's code": lambda scene: orders.issue_code(scene, "olive"),
    "Kit revokes": lambda scene: orders.revoke_code(scene, "kit"),
    "Olive revokes": lambda scene: orders.revoke_code(scene, "olive"),
    "Kit undoes": orders.undo,
}


def link_walk():
    check = orders.all_of(orders.not_kits, orders.no_link_for_opponent)
    return orders.walk(orders.with_kit("scorekeeper"), DECK_STEPS, check)


def judges_walk():
    scene = orders.with_kit("judge")
    orders.give_deck(scene)
    return orders.walk(scene, LINK_STEPS, orders.not_kits)


def code_walk():
    scene = orders.with_kit("scorekeeper")
    orders.give_deck(scene)
    return orders.walk(scene, CODE_STEPS, orders.not_kits)


def phone_walk():
    return orders.walk(orders.nameless(), PHONE_STEPS, orders.all_of(orders.one_seat_a_phone, orders.nothing_settled))


def window_walk(mode: str = "agreed"):
    return orders.walk(orders.nameless(mode, "one", "two"), WINDOW_STEPS, orders.nothing_shown)


def undo_walk(steps: dict = UNDO_LINKS):
    return orders.walk(orders.with_kit("scorekeeper"), steps, orders.none_back)


WALKS = [
    pytest.param(link_walk, (), id="link of a scorekeeper who plays"),
    pytest.param(judges_walk, (), id="link of a judge who plays"),
    pytest.param(code_walk, (), id="code of a scorekeeper who plays"),
    pytest.param(phone_walk, (), id="one phone for both seats"),
    *(pytest.param(window_walk, (mode,), id=f"two windows, {mode}") for mode in ("agreed", "staff", "off")),
    pytest.param(undo_walk, (UNDO_LINKS,), id="undone: links"),
    pytest.param(undo_walk, (UNDO_CODES,), id="undone: codes"),
]


@pytest.mark.sampled(3)
@pytest.mark.django_db
@pytest.mark.parametrize(("attack", "given"), WALKS)
def test_no_order_of_an_attack_succeeds(attack, given):
    assert list(attack(*given)) == []


GUARDS = [
    pytest.param(judges_walk, {"tournaments.permissions.issuer_plays": False}, "a result counts", id="issuer, link"),
    pytest.param(
        code_walk, {"tournaments.permissions.issuer_plays": False}, "by what a player made", id="issuer, code"
    ),
    pytest.param(link_walk, {"tournaments.permissions.is_rivals_link": False}, "reads Ada's deck", id="rival's link"),
    pytest.param(
        link_walk,
        {"tournaments.entries.services.desk_entries._have_met": False},
        "for the own opponent",
        id="own opponent",
    ),
    pytest.param(phone_walk, {"tournaments.table_access.services.seats_spoken_for": set()}, "2 seats", id="one seat"),
    pytest.param(window_walk, {"tournaments.decks.selectors.deck_ready.is_named": True}, "plans", id="named reveals"),
    pytest.param(undo_walk, {"tournaments.events.selectors.undoing.is_allowed": True}, "is back", id="undoing"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("attack", "open_", "expected"), GUARDS)
def test_without_its_guard_some_order_succeeds(attack, open_, expected, monkeypatch):
    for guard, answer in open_.items():
        monkeypatch.setattr(guard, lambda *given, answer=answer: answer)
    assert any(expected in found for found in attack())


def revoked_walk():
    scene, before = orders.with_kit("scorekeeper"), ("enter", "link", "pair", "publish")
    for step in before:
        LINK_STEPS[step](scene)
    steps = {name: LINK_STEPS[name] for name in ("words of Kit", "words by link")}
    return orders.walk(scene, {"Olive revokes": UNDO_LINKS["Olive revokes"], **steps}, orders.none_back, before)


@pytest.mark.django_db
def test_without_the_look_at_revocations_a_revoked_link_acts(monkeypatch):
    monkeypatch.setattr("tournaments.permissions.issuer_plays", lambda *given: False)
    assert list(revoked_walk()) == []
    links = PersonalLink.objects.select_related("person")
    monkeypatch.setattr("accounts.http.middleware.live_link", lambda link_id: links.filter(pk=link_id))
    assert any("acted" in found for found in revoked_walk())
