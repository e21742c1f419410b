"""An event that an upgrade finds in a running round: what people and programs hold of it before, and find after."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from threading import Thread
from typing import Any

from tests.invariants.editions import Site
from tests.invariants.fault_databases import PATIENCE
from tests.invariants.fault_site import good, naive_points
from tests.invariants.page_client import Phone, form_with
from tests.invariants.processes import wait_until
from tests.invariants.result_clients import Api, Reporters, Told

PLAYERS = 16
ROUNDS = 3
EVENT = {
    "name": "Played on", "starts_at": "2099-05-10T10:00:00Z", "game": "doom_pile", "game_format": "standard",
    "swiss_rounds": ROUNDS, "deck_required": True, "deck_publish": "never", "also_judge": True,
}  # fmt: skip
PLAN = "The Moon on a Leash"
DECK = f"""\
3 Ash Ledger
3 Candlelit Alibi
3 Clockwork Bribe
3 Cold Handshake
3 Confetti of Knives
3 Dragnet of Roots
3 Echo in the Cellar
3 Eleventh Hour Treaty
3 Fog at the Gallows
3 Forged Prophecy

Master Plan:
{PLAN}"""

READ = ("", "pairings/", "standings/", "outlook/")
UNDONE = "from journal.models import OutboxMessage as each; print(each.objects.filter(done_at=None).count())"


@dataclass
class Remembering(Api):
    """An API of which every acknowledged act is remembered, to be asked for again."""

    acts: list[list[Any]] = field(default_factory=list)

    def ask(self, method: str, path: str, body: object = None, key: str = "", *, chance: random.Random) -> Any:
        """As `Api.ask`."""
        answer = super().ask(method, path, body, key, chance=chance)
        if key:
            self.acts.append([method, path, body, key, list(answer)])
        return answer

    def answered_otherwise(self, acts: Sequence[list[Any]], chance: random.Random) -> list[object]:
        """Those of the acts that are answered another way when they are sent once more."""
        asked = ((act, super(Remembering, self).ask(*act[:4], chance=chance)) for act in acts)
        return [(act, again) for act, again in asked if list(again) != act[4]]


@dataclass
class Held:
    """What is held of an event in its first round: tokens, links, codes, sessions, and pages that are open.

    `player` came by personal link, `table` by the code of a table; `own_form` and `table_form` are what their pages
    show for a result. `others` are the matches that programs report, `told` what was acknowledged of them. `quiet` is
    the page of another event, where nothing happens any more: the cache holds what was shown of it.
    """

    path: str
    token: str
    link: str
    code: str
    organiser: Phone
    player: Phone
    table: Phone
    own_match: int
    table_match: int
    own_form: dict[str, str]
    table_form: dict[str, str]
    others: list[int]
    quiet: str
    acts: list[list[Any]] = field(default_factory=list)
    told: dict[int, Told] = field(default_factory=dict)

    @property
    def page(self) -> str:
        """Where the pages of the event begin."""
        return page_of(self.path)

    @property
    def slug(self) -> str:
        return self.path.split("/")[2]

    def written(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, given: dict[str, Any], port: int) -> "Held":
        """From JSON, at a site on this port."""
        phones = {name: Phone(port, given[name]["cookies"]) for name in ("organiser", "player", "table")}
        told = {int(match): Told(**each) for match, each in given["told"].items()}
        return cls(**{**given, **phones, "told": told})


def begin(api: Remembering, password: str, chance: random.Random) -> Held:
    """Play an event into its first round, hand out a link and a code, register a deck, open pages to report on."""
    port = api.ports[0]
    login = {"username": "olive", "password": password}
    api.token = good(api.ask("POST", "/tokens/", login, chance=chance))["token"]
    player, organiser, table = Phone(port), sign_in(port, "olive", password), Phone(port)

    def register(path: str) -> str:
        """Register a deck by personal link; answers the link."""
        link: str = good(api.ask("POST", f"{path}entries/1/personal-link/", {}, chance=chance))["path"]
        player.open(link)
        player.open(f"{page_of(path)}my/deck/")
        player.put(f"/api/v1{path}my/deck/", {"name": "Pile", "text": DECK})
        return link

    links: list[str] = []
    path = begin_round(api, PLAYERS, chance, lambda path: links.append(register(path)))
    quiet = page_of(begin_round(api, 4, chance, lambda path: None))
    page = page_of(path)
    for each in READ:
        Phone(port).open(f"{quiet}{each}")
    matches = matches_of(api, path, 1, chance)
    own = next(each for each in matches if 1 in [seat["entry"] for seat in each["seats"]])
    at_table, *others = [each for each in matches if each is not own]
    code = issue_code(organiser, page, at_table["table"])
    claim = form_with(table.open(code), "act", "seat")
    return Held(
        path, api.token, links[0], code, organiser, player, table, own["id"], at_table["id"],
        form_with(player.open(f"{page}my/"), "match", "score"),
        form_with(table.submit(f"{page}table/", claim), "match", "score"), [each["id"] for each in others], quiet,
    )  # fmt: skip


def begin_round(api: Api, players: int, chance: random.Random, before_start: Callable[[str], object]) -> str:
    """The path of an event whose first round is published."""
    path = f"/events/{good(api.ask('POST', '/events/', EVENT, chance=chance))['slug']}/"

    def act(what: str, body: object) -> None:
        good(api.ask("POST", f"{path}{what}", body, f"begin-{what}-{path}", chance=chance))

    act("open/", {})
    act("entries/", {"entries": [{"name": f"Player {number:02}"} for number in range(1, players + 1)]})
    before_start(path)
    act("start/", {"without_decks": True})
    act("rounds/", {"after": 0})
    act("rounds/1/publish/", {})
    return path


def page_of(path: str) -> str:
    """Where the pages of an event begin, by its path in the API."""
    return f"/e/{path.split('/')[2]}/"


def sign_in(port: int, name: str, password: str) -> Phone:
    """A browser that is signed in."""
    phone = Phone(port)
    form = form_with(phone.open("/accounts/login/"), "login", "password")
    assert "/accounts/logout/" in phone.submit("/accounts/login/", {**form, "login": name, "password": password})
    return phone


def issue_code(organiser: Phone, page: str, number: int) -> str:
    """The address on the sign of one table."""
    form = form_with(organiser.open(f"{page}manage/tables/"), "first", "last")
    signs = organiser.submit(f"{page}manage/tables/", {**form, "first": str(number), "last": str(number)})
    found = re.search(r"/t/[\w-]+/", signs)
    assert found, signs
    return found[0]


def matches_of(api: Api, path: str, number: int, chance: random.Random) -> list[dict[str, Any]]:
    """The matches of a round as the API shows them."""
    found: list[dict[str, Any]] = good(api.ask("GET", f"{path}rounds/{number}/matches/", chance=chance))["results"]
    return found


@contextmanager
def reporting(reporters: Reporters, matches: Sequence[int], acts: int, first: int) -> Iterator[None]:
    """While the block runs programs report; it begins once `first` acts were acknowledged, and ends when all were."""
    failed: list[BaseException] = []

    def work() -> None:
        try:
            reporters.report(matches, acts)
        except BaseException as error:
            failed.append(error)

    def acknowledged() -> int:
        return sum(each.acts for each in list(reporters.told.values()))

    worker = Thread(target=work, daemon=True)
    worker.start()
    assert wait_until(lambda: acknowledged() >= first or failed, 120), dict(reporters.api.statuses)
    yield
    worker.join()
    if failed:
        raise failed[0]


def check(site: Site, api: Remembering, held: Held, reporters: Reporters, before: Sequence[list[Any]]) -> None:
    """All that was acknowledged is there once, what was held works, what was secret is, and the event goes on.

    `before` are the acts that the edition of before acknowledged.
    """
    chance = random.Random(reporters.seed)
    assert (reporters.refused, reporters.different) == ([], [])
    assert api.answered_otherwise(before, chance) == []
    assert reporters.missing(matches_of(api, held.path, 1, chance)) == []
    check_held(site.ports[-1], held)
    finish_round(api, held, chance)
    for number in range(2, ROUNDS + 1):
        for what, body in (("rounds/", {"after": number - 1}), (f"rounds/{number}/publish/", {})):
            good(api.ask("POST", f"{held.path}{what}", body, f"{what}{number}", chance=chance))
        reporters.report([match["id"] for match in matches_of(api, held.path, number, chance)], 1)
    shown = [each for number in range(1, ROUNDS + 1) for each in matches_of(api, held.path, number, chance)]
    assert (reporters.refused, reporters.different, reporters.missing(shown)) == ([], [], [])
    standings = good(api.ask("GET", f"{held.path}standings/", chance=chance))["results"]
    assert {row["entry"]: row["points"] for row in standings} == naive_points(shown)
    assert not [each for each in api.statuses if isinstance(each, int) and each >= 500 and each != 503], api.statuses
    assert not api.statuses["no Retry-After"]
    for machine in site.machines.values():
        assert "Internal Server Error" not in machine.said(), machine.said()[-3000:]
    asked = ("manage", "shell", "-v", "0", "-c", UNDONE)
    assert wait_until(lambda: site.any.command(*asked).strip() == "0", PATIENCE), site.any.said()
    site.any.command("manage", "verify_ledger")
    site.any.command("manage", "verify_pairings", held.slug)


def check_held(port: int, held: Held) -> None:
    """Sessions, links and codes still open what they opened; forms that were shown before are taken, once."""
    for phone in (held.organiser, held.player, held.table):
        phone.port = port
    stranger = Phone(port)
    held.organiser.open(f"{held.page}manage/")
    for _time in range(2):
        held.player.submit(f"{held.page}my/", {**held.own_form, "score": "2-0-0"})
        held.table.submit(f"{held.page}table/", {**held.table_form, "score": "2-0-0"})
    for each in READ:
        stranger.open(f"{held.quiet}{each}")
    stranger.open(held.link)
    Phone(port).open(held.code)
    status, deck = held.player.read(f"/api/v1{held.path}my/deck/")
    assert status == 200
    assert PLAN in str(deck)
    for path in (f"/api/v1{held.path}entries/1/deck/", f"/api/v1{held.path}decks/", held.page, f"{held.page}pairings/"):
        assert PLAN not in Phone(port).send("GET", path)[1]
    assert stranger.read(f"/api/v1{held.path}my/deck/")[0] == 200


def finish_round(api: Api, held: Held, chance: random.Random) -> None:
    """Staff agree to what the phones reported, which waits for them and is there once."""
    for match in matches_of(api, held.path, 1, chance):
        if match["id"] in (held.own_match, held.table_match):
            (report,) = match["reports"]
            path = f"{held.path}matches/{match['id']}/confirm/"
            answer = good(api.ask("POST", path, {"report": report["report"]}, f"agree-{match['id']}", chance=chance))
            assert sorted(answer["match"]["result"]["games_won"]) == [0, 2]
