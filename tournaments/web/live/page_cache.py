"""Pages kept for as long as nothing happened in their event: never older than the truth, never somebody else's.

A kept page is found by everything that it depends on: its address, language, who looks (with roles and kind of session)
and the newest ledger entry, all read anew at each request after the page's rule was asked. What must be fresh in each
answer, CSRF tokens and idempotency keys, is cut out before a page is kept and made anew whenever it is handed out.
Who asks for a page that is just being built for the same key waits for it instead of building it once more.

Visitors, who do nothing here, are told a page again without a question to the database while this process heard of no
act in its event (journal/live/redis_listener.py) since a question was answered, for a second or two at most. What they
are promised is less: a page is some milliseconds behind the truth, and `VISITOR_CACHE_SECONDS` where Redis fails
without a sign. Whoever has a session, a link or a code, and scripts that were told of a change by another process, are
never answered so.
"""

import hashlib
import re
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from threading import Event
from time import monotonic
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.translation import get_language

from accounts.actors import ANONYMOUS, Actor
from accounts.http.requests import ActorRequest
from journal.live.redis_listener import ANY, Mark, version_of
from tournaments.core.events import find_event, find_event_head
from tournaments.models import Tournament
from tournaments.permissions import roles_of
from tournaments.web.frame.event_view import EventView

P = ParamSpec("P")

SECONDS = 5
"""For what changes by the clock alone, or in a stream of its own: names of accounts, lists of cards."""
VISITOR_CACHE_SECONDS = 2
"""For how long visitors are answered without asking anew whether a page still holds."""
BUILD_PATIENCE_SECONDS = 2
"""For how long a request waits for a page that another one is building, before it builds the page itself."""
KEPT_VIAS = {"session", "link", "anonymous"}
KEPT_HEADERS = {"Content-Type", "X-Keep"}
"""What a page that is kept may say beside its text; `X-Keep` names its viewer to the phone that keeps it too."""
FRESH = re.compile(rb'name="(csrfmiddlewaretoken|idempotency_key)" value="([^"]*)"')
TOKEN = re.compile(rb"csrfmiddlewaretoken|idempotency_key")
PASSING = re.compile(
    rb'<p class="age.*?</p>|data-clock-left>[^<]*|data-clock-says>.*?data-clock-tell|' + FRESH.pattern, re.DOTALL
)
"""What differs between two answers that say the same: the age, a clock that runs, tokens."""
ASKED_BY_SCRIPT = "X-Live"
"""Header of questions that go on with the answer they have (static/live.js): they alone are answered 304."""

_pages = LocMemCache("pages", {"TIMEOUT": SECONDS, "OPTIONS": {"MAX_ENTRIES": 600}})


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page without its tokens, and the headers that go with it: among them the digest of what it says."""

    parts: tuple[bytes, ...]
    headers: Mapping[str, str]
    until: float


@dataclass(frozen=True, slots=True)
class Visit:
    """A page that held when the database was asked, what was heard of its stream until then, and until when it does.

    Times are `time.monotonic`, seconds.
    """

    stream: str
    mark: Mark
    kept: KeptPage
    until: float


_visits: dict[tuple[str | None, ...], Visit] = {}
"""What visitors were shown last at each address; a plain dictionary, for it is looked into at every visit."""
MAX_VISITS = 600
_builds: dict[str, Event] = {}
"""The pages that are being built, by key; set once they are kept or could not be."""


def forget_pages() -> None:
    """Keep nothing any more."""
    _pages.clear()
    _visits.clear()


def cached_page(view: EventView[P]) -> Callable[Concatenate[ActorRequest, Tournament, P], HttpResponse]:
    """A page of an event, answered from memory while nothing happened; stands right below `event_view`.

    Such pages carry an ETag. Whatever is not a plain page without messages is answered by the view each time.
    """

    @wraps(view)
    def page(request: ActorRequest, tournament: Tournament, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        def look() -> HttpResponse:
            return view(request, find_event(request.actor, tournament.slug), *args, **kwargs)

        if request.method != "GET" or request.actor.via not in KEPT_VIAS or len(get_messages(request)):
            return look()
        key = _key_of(request, tournament)
        kept: KeptPage | None = _pages.get(key)
        if kept is None:
            with _one_build(key):
                kept = _pages.get(key)  # whoever we waited for has kept it
                if kept is None:
                    response = look()
                    kept = _page_of(request, response)
                    if kept is None:
                        return response
                    _pages.set(key, kept)
        mark: Mark | None = tournament.mark  # type: ignore[attr-defined]
        if mark is not None and _is_visit(request):
            _note_visit(
                request, Visit(tournament.stream, mark, kept, min(kept.until, monotonic() + VISITOR_CACHE_SECONDS))
            )
        return _answer(request, kept)

    page.find, page.again = _find, _kept_page  # type: ignore[attr-defined]
    return page


@contextmanager
def _one_build(key: str) -> Iterator[None]:
    """Be the one who builds this page, or come after whoever does; too slow or failed builds hold nobody up."""
    mine = Event()
    build = _builds.setdefault(key, mine)
    if build is not mine:
        build.wait(BUILD_PATIENCE_SECONDS)
        yield
        return
    try:
        yield
    finally:
        del _builds[key]
        mine.set()


def _find(actor: Actor, slug: str) -> Tournament:
    """The event with its `head`, and with the `mark` of its stream from before that was asked for; None if unknown."""
    before = version_of(ANY)
    tournament = find_event_head(actor, slug)
    mark = version_of(tournament.stream)
    tournament.mark = mark if version_of(ANY) == before else None  # type: ignore[attr-defined]
    return tournament


def _kept_page(request: ActorRequest) -> HttpResponse | None:
    """A page that holds as far as this process heard, for a visitor; None where the database has to be asked."""
    if not _is_visit(request) or len(get_messages(request)):
        return None
    visit = _visits.get(_place_of(request))
    if visit is None or monotonic() > visit.until or visit.mark != version_of(visit.stream):
        return None
    return _answer(request, visit.kept)


def _note_visit(request: ActorRequest, visit: Visit) -> None:
    if len(_visits) >= MAX_VISITS:
        _visits.clear()
    _visits[_place_of(request)] = visit


def _is_visit(request: ActorRequest) -> bool:
    """Whether somebody looks who can have done nothing here, and was not told by another process to look."""
    is_nobody = request.actor is ANONYMOUS and settings.SESSION_COOKIE_NAME not in request.COOKIES
    return is_nobody and request.method == "GET" and ASKED_BY_SCRIPT not in request.headers


def _place_of(request: HttpRequest) -> tuple[str | None, ...]:
    return (request.scheme, request.get_host(), request.get_full_path(), get_language())


def _key_of(request: ActorRequest, tournament: Tournament) -> str:
    actor = request.actor
    is_admin = actor.user is not None and actor.user.is_staff
    who = (actor.key, actor.label, is_admin, actor.via, actor.link_scope, actor.link_issued_at)
    head: str | None = tournament.head  # type: ignore[attr-defined]
    what = (tournament.stream, head, tournament.state, tournament.visibility, sorted(roles_of(actor, tournament)))
    return _digest(_place_of(request), who, what)


def _digest(*of: object) -> str:
    return hashlib.sha256(repr(of).encode()).hexdigest()


def _page_of(request: HttpRequest, response: HttpResponse) -> KeptPage | None:
    """The answer as it can be kept; None for any but a plain page whose every token is where we look for tokens."""
    if response.status_code != 200 or response.streaming or response.cookies or len(get_messages(request)):
        return None
    if set(response.headers) - KEPT_HEADERS or not response["Content-Type"].startswith("text/html"):
        return None
    body = response.content
    found = list(FRESH.finditer(body))
    secrets = {each[2] for each in found}
    if any(body.count(secret) != sum(each[2] == secret for each in found) for secret in secrets if secret):
        return None
    if len(found) != len(TOKEN.findall(body)) or not all(secrets):
        return None
    etag = hashlib.sha256(PASSING.sub(b"", body)).hexdigest()[:32]
    headers = {**response.headers, "ETag": f'W/"{etag}"', "Cache-Control": "private, no-cache"}
    told = body.replace(b'data-etag=""', b"data-etag='W/\"%s\"'" % etag.encode(), 1)
    return KeptPage(tuple(_without_tokens(told)), headers, monotonic() + SECONDS)


def _without_tokens(body: bytes) -> list[bytes]:
    """The text up to the first token, the token's name, the text up to the next …"""
    return [part for place, part in enumerate(FRESH.split(body)) if place % 3 != 2]


def _answer(request: HttpRequest, kept: KeptPage) -> HttpResponse:
    if ASKED_BY_SCRIPT in request.headers and request.headers.get("If-None-Match") == kept.headers["ETag"]:
        return HttpResponse(status=304, headers=kept.headers)
    return HttpResponse(b"".join(_filled(request, kept.parts)), headers=kept.headers)


def _filled(request: HttpRequest, parts: tuple[bytes, ...]) -> list[bytes]:
    """The page with new tokens."""
    texts, names = parts[::2], parts[1::2]
    made = [b'name="%s" value="%s"' % (name, _fresh(request, name)) for name in names]
    return [piece for pair in zip(texts, [*made, b""], strict=True) for piece in pair]


def _fresh(request: HttpRequest, name: bytes) -> bytes:
    return (get_token(request) if name == b"csrfmiddlewaretoken" else str(uuid.uuid4())).encode()
