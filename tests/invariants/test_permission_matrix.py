"""A1: every page and operation, asked by everybody at an event of theirs and at one of others, in every state.

Whom each of them lets in is what accounts/http/permissions.toml says of the permission in whose row it stands; what the
words there mean is said here once more, by name. See docs/how-it-works/trust.md#a1.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import resolve
from rules.permissions import permissions

from accounts.actors import ANONYMOUS, Actor
from accounts.http.access import SPECIAL, is_allowed
from accounts.http.permissions import PERMISSIONS
from accounts.identity.selectors import actor_of_link
from accounts.identity.services import issue_personal_link
from accounts.models import PersonalLink, User
from config.access import rule_of
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from rules_engine.systems import get_system
from tests.accounts.factors import prove
from tests.invariants.test_foreign_ids import LISTED
from tests.invariants.test_misclicks import unsafe_methods
from tests.invariants.two_events import Held, hold
from tests.permission_rows import CAST, SIGNED_IN, lets_in, rows
from tests.routes import Route, walk_routes
from tests.tournaments.api.callers import caller
from tests.tournaments.api.test_permissions import operations
from tests.tournaments.factories import NOW, account, staff
from tests.tournaments.web.visitors import guest
from tournaments.models import Entry, Role, Tournament
from tournaments.permissions import OVER
from tournaments.table_access.services import issue_codes

pytestmark = pytest.mark.django_db
ON_STAFF = {
    "kit": Role.Name.SCOREKEEPER, "juno": Role.Name.JUDGE, "hana": Role.Name.HEAD_JUDGE, "cora": Role.Name.CHECK_IN,
    "sten": Role.Name.STREAM,
}  # fmt: skip
OWNERS = {"deck": "ada", "format": "olive"}
STATES: Mapping[str, Mapping[str, Any]] = {
    "running": {},
    "free": {"scorekeepers_issue": True, "shows_outlook": True},
    "strict": {"players_report": False, "table_reports": "off"},
    "draft": {"state": Tournament.State.DRAFT},
    "registration": {"state": Tournament.State.REGISTRATION},
    "finished": {"state": Tournament.State.FINISHED},
    "cancelled": {"state": Tournament.State.CANCELLED},
    "private": {"visibility": "private"},
}
"""What is changed of both events."""
GATE = {"not_allowed", "sign_in", "second_factor"}
"""The codes of a refusal by a permission; a service has others for what it refuses."""
REPORTING = (
    "my_match open_match_sheet mark_absent dispute_sheet match_sheet match_sheet_part match_sheet_file "
    "match_sheet_tally match_sheet_sign match_sheet_draw match_sheet_play match_client"
)
ALSO = {f"post {page}": ["result.report"] for page in REPORTING.split()}
ALSO |= {f"{method} change_tables": ["round.arrange"] for method in ("get", "post")}
"""What some pages ask for as well, once they know what is wanted."""
CODE = re.compile(r'(?:<code>|"code": ?")(\w+)')
"""Where an error's page, or the answer to a program, says its code."""


@pytest.fixture(scope="module")
def both(shared_db: None) -> tuple[Held, Held]:
    """The event of them all and one of others; Wes left the first before it began, and Olive judges at neither."""
    load_catalogues(NOW, [get_system("doom_pile")])
    own, foreign = hold("olive", "ada", "Own", 7), hold("rhea", "finn", "Foreign", 11)
    Role.objects.filter(name=Role.Name.JUDGE).delete()
    for name, role in ON_STAFF.items():
        staff(own.tournament, name, role)
    left = {"name": "Own Wes", "state": Entry.State.WITHDRAWN, "registered_at": NOW}
    gone = own.tournament.entries.create(number=99, **left)
    gone.members.create(tournament=own.tournament, person=account("wes").person)
    User.objects.filter(pk=account("root").user.pk).update(is_staff=True)
    return own, foreign


def browser_of(name: str, own: Held) -> Client:
    """Somebody's browser."""
    client = Client(raise_request_exception=False)
    if name == "a guest by link":
        return guest(own.tournament, "Own 6", client)
    if name == "a phone by table code":
        (code,) = issue_codes(account("olive"), own.tournament, 1, 1, database_now())
        client.get(f"/t/{code.token}/")
    elif name != "nobody":
        client.force_login(account(name).user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return prove(client, account(name).user) if name == "root" else client


def held_by(name: str, about: str, changes: Mapping[str, Any], *, is_own: bool) -> set[str]:
    """The words of the table that are true of somebody, at an event so changed."""
    held = set(CAST[name]) if is_own else CAST[name] & {*SIGNED_IN, "site_admin", "proved_site_admin"}
    is_hidden = about == "event" and (changes.get("state") == Tournament.State.DRAFT or "visibility" in changes)
    if not is_hidden or held & {"player", "staff", "check_in", "stream"}:
        held.add("visible")
    if changes.get("state") in OVER:
        held.discard("table")
    if is_own and name == OWNERS.get(about):
        held.add("owner")
    if changes.get("players_report", True):
        held |= {"players_report", "tables_report"}
    if "shows_outlook" in changes:
        held |= {"scorekeepers_issue", "shows_outlook"}
    return held


def expected(rule: str, name: str, changes: Mapping[str, Any], *, is_own: bool) -> str:
    """What the table says somebody finds: "in", "out", or "nothing" where it is hidden from them."""
    row = PERMISSIONS[rule]
    held = held_by(name, row.about, changes, is_own=is_own)
    if lets_in(row, held):
        return "in"
    if row.about == "deck" and "known" in held:
        return "nothing"  # of others, as if there were none
    if row.who == ("table",) and "table" in CAST[name] and changes.get("state") in OVER:
        return "nothing"  # a code opens nothing once the event is over
    return "out" if row.about != "event" or "visible" in held else "nothing"


def pages() -> Iterator[Route]:
    """Every page of the site; the site administration is one row."""
    for route in walk_routes():
        if not route.path.startswith(("api/v1/", "admin/")) or route.name in ("schema", "docs"):
            yield route


def address_of(path: str, held: Held) -> str:
    """The address of a page with the ids of an event and of what is its."""
    slug = held.ids.get(LISTED.get(path.partition("/")[0], "slug"), "none")
    ids = {**held.ids, "slug": slug, "public_id": held.ids["deck_id"]}

    def filled(found: re.Match[str]) -> str:
        kind, name = found[1] or "", found[2] or found[3]
        return str(ids.get(name, 1 if kind == "int:" else "none"))

    path = path.replace("rounds/<int:number>", "rounds/2").replace("^", "").replace("$", "")
    return "/" + re.sub(r"<(\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)", filled, path)


Ask = Callable[[Held], Any]


def asked_of_pages(client: Client) -> Iterator[tuple[str, str, str, Ask]]:
    """Every page with each method it answers: what to call it, its permission, its path, and how to ask for it."""
    cookies, rules = client.cookies.copy(), rows("pages")

    def ask(method: str, path: str, held: Held) -> Any:
        client.cookies = cookies.copy()  # the page before may have signed out
        return getattr(client, method)(address_of(path, held))

    for route in pages():
        methods = ["get", *({"post"} if "POST" in unsafe_methods(route.callback) else ())]
        for method in methods if route.name != "live" else []:
            yield f"{method} {route.name}", rules[route.name], route.path, partial(ask, method, route.path)


def asked_of_operations(client: Any) -> Iterator[tuple[str, str, str, Ask]]:
    """Every operation of the API likewise."""
    rules = rows("operations")

    def ask(method: str, path: str, held: Held) -> Any:
        address = path.replace("rounds/{number}", "rounds/2").format(**held.ids)
        return client.generic(method.upper(), address, "" if method == "get" else "{}", "application/json")

    for operation, method, path in operations():
        yield operation, rules[operation], path, partial(ask, method, path)


def outcome(ask: Callable[[], Any], rule: str) -> str:
    """What became of a request, of which nothing stays: "out", "nothing" or "in".

    Refused by a permission; told that there is nothing; let in, whatever was made of it there. An event that was set
    back to a draft, with its rounds, is none that a service knows how to look at.
    """
    cache.clear()
    with transaction.atomic():
        answer = ask()
        content = "" if getattr(answer, "streaming", False) else answer.content.decode(errors="replace")
        transaction.set_rollback(True)
    if answer.status_code == 302 and rule != "public" and answer.headers["Location"].startswith("/accounts/login/"):
        return "out"
    if answer.status_code == 403:
        return "out" if GATE & {*CODE.findall(content)} else "in"
    return {401: "out", 404: "nothing"}.get(answer.status_code, "in")


def walk(
    name: str, browser: Client, at: Held, changes: Mapping[str, Any], *, is_own: bool, turn: int = 0, share: int = 1
) -> Iterator[tuple[str, str, str]]:
    """What somebody finds at one in `share` of all pages and operations: its name, what it is and what it should be."""
    program = caller(name) if "account" in CAST[name] else browser
    program.raise_request_exception = False
    asked = [*asked_of_pages(browser), *asked_of_operations(program)]
    for what, rule, path, ask in asked[turn % share :: share]:
        if rule == "public" and name != "nobody":
            continue  # what asks nobody anything is asked once
        if (is_own and not changes) or "slug" in path:
            rules = (rule, *([] if name == "wes" else ALSO.get(what, [])))  # who left has no match to report
            should = [expected(each, name, changes, is_own=is_own) for each in rules]
            is_ = outcome(partial(ask, at), rule)
            yield what, is_, next((each for each in should if each != "in" and is_ != "nothing"), should[0])


def faults_of(found: list[tuple[str, str, str]]) -> dict[str, tuple[str, str]]:
    """What is not as it should be; who is let in may find that what the address names is not there."""
    return {what: (is_, should) for what, is_, should in found if is_ != should and (is_, should) != ("nothing", "in")}


def test_every_page_has_its_row_and_asks_for_what_it_says() -> None:
    asked = {route.name: route.rule for route in pages()}
    assert asked == {page: rule for page, rule in rows("pages").items() if page != "admin:"}


def test_every_operation_has_its_row_and_asks_for_what_it_says(both: tuple[Held, Held]) -> None:
    asked = {}
    for operation, method, path in operations():
        route = resolve(path.format(**both[0].ids))
        asked[operation] = rule_of(route.func, route.url_name or "", route.namespaces, method)
    assert asked == rows("operations")


def test_every_rule_is_a_row_and_every_row_a_rule() -> None:
    known = {name for name in permissions if not name.startswith("toy.")}
    assert {row.name for row in PERMISSIONS.values() if row.about != "site"} == known
    assert {row.name for row in PERMISSIONS.values() if row.about == "site"} == SPECIAL.keys()


def actor_of(name: str, own: Held) -> Actor:
    """Somebody, as services see them."""
    if name == "a guest by link":
        person = own.tournament.entries.get(name="Own 6").members.get().person
        issue_personal_link(person, account("olive"), NOW, scope=own.tournament.stream)
        return actor_of_link(PersonalLink.objects.filter(person=person).latest("pk"))
    if name == "a phone by table code":
        return Actor(None, None, "table", link_scope=own.tournament.stream, table_number=1)
    return ANONYMOUS if name == "nobody" else account(name)


def changed(changes: Mapping[str, Any], *held: Held) -> None:
    Tournament.objects.filter(pk__in=[each.tournament.pk for each in held]).update(**changes)


@pytest.mark.parametrize("state", STATES)
def test_every_permission_lets_in_whom_its_row_names(both: tuple[Held, Held], state: str) -> None:
    own, changes = both[0], STATES[state]
    changed(changes, *both)
    for at in both:
        event = Tournament.objects.get(pk=at.tournament.pk)
        objects = {"event": event, "league": at.league, "format": at.house, "deck": at.deck, "site": None}
        for name in CAST:
            actor = actor_of(name, own)
            let_in = {row.name: is_allowed(row.name, actor, objects[row.about]) for row in PERMISSIONS.values()}
            proved = {"proved_site_admin": let_in["site_admin"]}  # what a session says, an account alone does not
            wanted = {rule: expected(rule, name, changes, is_own=at is own) == "in" for rule in PERMISSIONS}
            assert let_in | proved == wanted, name


@pytest.mark.full
@pytest.mark.parametrize("name", CAST)
def test_everybody_is_let_in_where_the_table_says(both: tuple[Held, Held], name: str) -> None:
    found = list(walk(name, browser_of(name, both[0]), both[0], {}, is_own=True))
    assert faults_of(found) == {}
    assert len([what for what, is_, _should in found if is_ == "in"]) > 50


ELSEWHERE = [(whose, state) for whose in ("own", "foreign") for state in STATES if (whose, state) != ("own", "running")]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("whose", "state"), ELSEWHERE)
def test_state_and_event_decide_with_the_role(
    both: tuple[Held, Held], whose: str, state: str, many: Callable[..., Any], seed: int
) -> None:
    """Everybody asks for an eighth of all, by the run's seed; with `--long` for all."""
    own, foreign = both
    browsers = {name: browser_of(name, own) for name in CAST}
    changed(STATES[state], *both)
    turn, share = seed + ELSEWHERE.index((whose, state)), many(1, 8)
    at, is_own = (own, True) if whose == "own" else (foreign, False)
    for number, (name, browser) in enumerate(browsers.items()):
        found = list(walk(name, browser, at, STATES[state], is_own=is_own, turn=turn + number, share=share))
        assert faults_of(found) == {}, name
        assert found
