"""Pages kept for as long as what they show stays the same: never older than they say, never another's.

A page names the parts of the event that it shows (`tournaments.core.parts`). It is found by its address, its language
and who looks (with roles and kind of session), and holds while those parts have the versions that it was built of; both
are read anew at each request, after the page's rule was asked. What many read alike, the long lists, is a block: built
without a request, so that nothing in it can be anybody's own, and kept once for all readers of one language.

Visitors, who do nothing here, are sent a page again without a question to the database while this process heard of no
act in its event (journal/live/redis_listener.py) since a question was answered, for a second or two at most.

See docs/how-it-works/caching.md.

One long module, since who may be given what was built for whom is to be read in one place.
"""

import hashlib
import uuid
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, wraps
from time import monotonic, time
from typing import Any, Concatenate, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.middleware.gzip import re_accepts_gzip
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts.actors import ANONYMOUS, Actor
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from journal.live.redis_listener import ANY, Mark, version_of
from journal.models import LedgerEntry
from tournaments.core.events import find_event, find_event_head
from tournaments.core.parts import Part
from tournaments.core.rounds import is_played
from tournaments.core.versions import Versions, versions_of
from tournaments.kept_answers import ask_once, for_reader, keep_answers
from tournaments.models import EntryMember, Round, Tournament
from tournaments.permissions import JUDGE, ORGANISER, OVER, PLAYER, STAFF, entry_id_of, roles_of
from tournaments.room.selectors.clocks import timed_round
from tournaments.web.live.marks import BLOCK, CSRF, ETAG, KEY, MARK, MARKS, Block, Page, cut_block, cut_page, mark
from tournaments.web.live.shelf import Kept, Shelf
from tournaments.web.live.tags import Tag, is_same, read_tag
from tournaments.web.shared.kept_lines import matches_by_entry
from tournaments.web.shared.match_rows import published_rounds

P = ParamSpec("P")
T = TypeVar("T")
PageView = Callable[Concatenate[ActorRequest, Tournament, P], HttpResponse]
Rest = Callable[[ActorRequest, Tournament], str | None]
"""What results of others change of a page: its pieces, with an id and `{% live %}`; None where they may change more."""

FRAME = frozenset({Part.FACTS, Part.ROUNDS, Part.ANNOUNCEMENTS, Part.CLOCK})
"""The parts that the frame of every page of an event shows."""
PAGE_SECONDS = 5
"""For what changes by the clock alone, or in a stream that no page follows: lists of cards."""
BLOCK_SECONDS = 300
EVENT_SECONDS = 60
"""For what is asked of an event once for all its readers."""
VISITOR_CACHE_SECONDS = 2
"""For how long visitors are answered without asking anew whether a page still holds."""
KEPT_VIAS = {"session", "link", "anonymous"}
KEPT_HEADERS = {"Content-Type", "X-Keep"}
"""What a page that is kept may say beside its text; `X-Keep` names its viewer to the phone that keeps it too."""
ASKED_BY_SCRIPT = "X-Live"
"""Header of questions that go on with the answer they have (static/live.js): they alone are answered 304."""
TOKENS = tuple(
    (name.encode(), f'{name}" value="{mark(of)}'.encode())
    for name, of in (("csrfmiddlewaretoken", CSRF), ("idempotency_key", KEY))
)
"""The names of what is secret in a form, and those with what stands for it in a page that is kept."""
PARTLY = "X-Part"
"""Header of an answer that holds some pieces of a page, the others stay as they are (static/live.js)."""
BEHIND = ()
"""The versions of a page that was behind when it was built: no page's."""
ASK_AGAIN = {"Retry-After": "1"}
"""What tells a script that there is something newer than what it got."""


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page cut at its marks, and the headers that go with it."""

    page: Page
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class KeptBlock:
    """A block, or a value that many pages show, and what the database's clock said before it was built."""

    block: Any
    as_of: datetime


@dataclass(slots=True)
class Reading:
    """What one request reads: where the event stood when it came, the blocks shown, and the oldest of those held."""

    versions: Versions
    blocks: list[tuple[Block, int | None]] = field(default_factory=list)
    oldest: Kept[KeptBlock] | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """A page that held when the database was asked, what was heard of its stream until then, and until when it does.

    Times are `time.monotonic`, seconds.
    """

    stream: str
    mark: Mark
    kept: KeptPage
    until: float


_pages: Shelf[KeptPage] = Shelf(most=300, seconds=PAGE_SECONDS)
_blocks: Shelf[KeptBlock] = Shelf(most=60, seconds=BLOCK_SECONDS)
_events: Shelf[Tournament] = Shelf(most=60, seconds=EVENT_SECONDS)
_visits: dict[tuple[str | None, ...], Visit] = {}
"""What visitors were shown last at each address; a plain dictionary, for it is looked into at every visit."""
MAX_VISITS = 600
_clocks: dict[int, tuple[tuple[tuple[str, ...], tuple[str, ...]], Round | None]] = {}
"""The round whose clock an event shows, by the event's id, and of which versions that was."""


def forget_pages() -> None:
    """Keep nothing any more."""
    _pages.clear()
    _blocks.clear()
    _events.clear()
    _visits.clear()
    _clocks.clear()


def cached_page(
    *shown: Part, own: Collection[Part] = (), every: bool = False, rest: Rest | None = None
) -> Callable[[PageView[P]], Callable[Concatenate[ActorRequest, Tournament, P], HttpResponse]]:
    """A page of an event that shows some parts beside its frame, answered from memory while none of them changed.

    Stands right below `event_view`. To players it shows their `own` parts too; with `every` it shows everything, as all
    pages do to staff, and to all once the event is over. Such pages carry an ETag. Whatever is not a plain page without
    messages is built each time.

    An open page of a player or visitor is sent only its `rest` while nothing but results of others came in.
    """

    def decorate(view: PageView[P]) -> Callable[Concatenate[ActorRequest, Tournament, P], HttpResponse]:
        @wraps(view)
        def page(request: ActorRequest, tournament: Tournament, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            request.held_since = tournament.asked_at  # type: ignore[attr-defined]
            request.reading = Reading(versions_of(tournament))  # type: ignore[attr-defined]

            def look(event: Tournament) -> HttpResponse:
                return view(request, event, *args, **kwargs)

            if request.method != "GET" or request.actor.via not in KEPT_VIAS or len(get_messages(request)):
                return _filled(request, look(find_event(request.actor, tournament.slug)))
            roles = roles_of(request.actor, tournament)
            shows_all = every or roles - {PLAYER} or tournament.state in OVER  # then it shows the head of the log
            parts = None if shows_all else {*FRAME, *shown, *(own if roles else ())}
            sends_whole_page = roles - {PLAYER} or tournament.state in OVER
            return _find_page(request, tournament, parts, look, None if sends_whole_page else rest)

        page.find, page.again = _find, _kept_page  # type: ignore[attr-defined]
        return page

    return decorate


def _find_page(
    request: ActorRequest,
    tournament: Tournament,
    parts: Collection[Part] | None,
    look: Callable[[Tournament], HttpResponse],
    rest: Rest | None,
) -> HttpResponse:
    """The answer from memory, or built; `parts` that the page shows, None for all."""
    reading: Reading = request.reading  # type: ignore[attr-defined]
    event = _kept_event(reading.versions, tournament)
    timed = _timed_round(event, reading.versions)
    versions = (*reading.versions.of(parts), *(["clock"] if timed else []))
    own = _own_of(request, tournament, event, timed) if rest else ""
    built: list[HttpResponse] = []

    def seen() -> Tournament:
        return for_reader(event, tournament, reading.versions.of_match, timed_round=timed)

    had = read_tag(request.headers.get("If-None-Match", "")) if own and ASKED_BY_SCRIPT in request.headers else None
    if had is not None and had.shows(own) and (answer := _rest_of(request, rest, seen())) is not None:
        return _answer_rest(request, had, answer)

    def build() -> Kept[KeptPage] | None:
        request.marks = MARKS  # type: ignore[attr-defined]
        is_staff = bool(roles_of(request.actor, tournament) - {PLAYER})
        shown = ask_once(find_event(request.actor, tournament.slug)) if is_staff else seen()
        built.append(look(shown))
        page = _page_of(request, built[0], own, _rest_of(request, rest, shown))
        if page is None:
            return None
        if (held := reading.oldest) is not None:  # no newer than the oldest of its blocks, and held no longer
            return Kept(page, BEHIND, held.sequence, held.built)
        return Kept(page, versions, reading.versions.event.sequence, monotonic())

    def may_wait(old: Kept[KeptPage]) -> bool:
        return parts is not None and _may_wait(request, tournament, old.sequence)

    kept = _pages.find(_key_of(request, tournament), versions, may_wait, build)
    if kept is None:
        return _filled(request, built[0])
    is_newest = kept.versions == versions
    if is_newest:
        _note_visit(request, tournament, kept)
    return _answer(request, kept.what, {} if is_newest else ASK_AGAIN)


def shared_event(request: ActorRequest, tournament: Tournament) -> Tournament:
    """The event as all who read it share it, for a page that is built anew but lists much: never behind; a query."""
    found = find_event_head(request.actor, tournament.slug)
    versions = versions_of(found)
    return for_reader(_kept_event(versions, found), found, versions.of_match)


def shared_block(
    request: ActorRequest,
    tournament: Tournament,
    template: str,
    parts: Collection[Part],
    asked: tuple[object, ...],
    context: Callable[[], dict[str, Any]],
    member: EntryMember | None,
) -> SafeString:
    """A piece of a `cached_page` that all read alike who have the same roles among the staff, as text for its template.

    It shows `parts`, and what was `asked` of it: whatever else its `context` depends on, but never who looks. What one
    player alone is shown stands in it between `own` and `endown`; `member` is whoever looks, if a player.
    """
    reading: Reading = request.reading  # type: ignore[attr-defined]
    staff = roles_of(request.actor, tournament) & STAFF

    def build() -> Block:
        eyes = {"is_staff": bool(staff), "is_organiser": ORGANISER in staff, "is_judge": JUDGE in staff}
        with timezone.override(ZoneInfo(tournament.time_zone)):
            return cut_block(render_to_string(template, {"event": tournament, **eyes, **context()}))

    def may_wait(old: Kept[KeptBlock]) -> bool:
        return not staff and _may_wait(request, tournament, old.sequence)

    block = _shared(request, (tournament.pk, template, asked, get_language(), staff), parts, may_wait, build)
    reading.blocks.append((block, member.entry_id if member else None))
    return mark(BLOCK, str(len(reading.blocks) - 1))


def shared_value(
    request: ActorRequest, tournament: Tournament, name: str, parts: Collection[Part], make: Callable[[], T]
) -> T:
    """Something dear that many pages of players show a bit of, kept like a block: never what depends on who looks.

    It may be behind what its reader just did, up to a second, and the page says so.
    """
    is_staff = bool(roles_of(request.actor, tournament) - {PLAYER})
    value: T = _shared(request, (tournament.pk, name), parts, lambda old: not is_staff, make)
    return value


def _shared(
    request: ActorRequest,
    key: tuple[object, ...],
    parts: Collection[Part],
    may_wait: Callable[[Kept[KeptBlock]], bool],
    make: Callable[[], Any],
) -> Any:
    """What is kept under a key, or made; a page that shows something older says so."""
    reading: Reading = request.reading  # type: ignore[attr-defined]
    versions = reading.versions.of(parts)

    def build() -> Kept[KeptBlock]:
        as_of = database_now()
        return Kept(KeptBlock(make(), as_of), versions, reading.versions.event.sequence, monotonic())

    kept = _blocks.find(key, versions, may_wait, build)
    assert kept is not None, "a block can always be kept"
    if kept.versions != versions and (reading.oldest is None or kept.what.as_of < reading.oldest.what.as_of):
        reading.oldest = kept
        request.held_since = kept.what.as_of  # type: ignore[attr-defined]
    return kept.what.block


def _kept_event(read: Versions, tournament: Tournament) -> Tournament:
    """The event with what pages ask of it once for all who read them; never behind."""
    versions = read.of((Part.OTHERS,))

    def build() -> Kept[Tournament]:
        event = keep_answers(Tournament.objects.get(pk=tournament.pk))
        return Kept(event, versions, read.event.sequence, monotonic())

    kept = _events.find(tournament.pk, versions, lambda old: False, build)
    assert kept is not None, "an event can always be kept"
    return kept.what


def _timed_round(event: Tournament, versions: Versions) -> Round | None:
    """The round whose clock the frame shows: it goes with the last result, whatever else a page shows."""
    known, now = _clocks.get(event.pk), (versions.of((Part.OTHERS,)), versions.of((Part.RESULTS,)))
    if known is None or known[0][0] != now[0] or (known[1] is None and known[0] != now):
        known = _clocks[event.pk] = (now, timed_round(event))
    elif known[0] != now:
        known = _clocks[event.pk] = (now, known[1] if known[1] and is_played(known[1]) else None)
    return known[1]


def _may_wait(request: ActorRequest, tournament: Tournament, sequence: int) -> bool:
    """Whether a person may be shown the event as it was up to an entry: not whoever did something since."""
    if request.actor is ANONYMOUS:
        return True
    acts = LedgerEntry.objects.filter(stream=tournament.stream, sequence__gt=sequence, actor=request.actor.key)
    return not acts.exists()


def _find(actor: Actor, slug: str) -> Tournament:
    """The event with its `head`, and with the `mark` of its stream from before that was asked for; None if unknown."""
    before = version_of(ANY)
    tournament = find_event_head(actor, slug)
    heard = version_of(tournament.stream)
    tournament.mark = heard if version_of(ANY) == before else None  # type: ignore[attr-defined]
    return tournament


def _kept_page(request: ActorRequest) -> HttpResponse | None:
    """A page that holds as far as this process heard, for a visitor; None where the database has to be asked."""
    if not _is_visit(request) or len(get_messages(request)):
        return None
    visit = _visits.get(_place_of(request))
    if visit is None or monotonic() > visit.until or visit.mark != version_of(visit.stream):
        return None
    return _answer(request, visit.kept, {})


def _note_visit(request: ActorRequest, tournament: Tournament, kept: Kept[KeptPage]) -> None:
    heard: Mark | None = tournament.mark  # type: ignore[attr-defined]
    if heard is None or not _is_visit(request):
        return
    if len(_visits) >= MAX_VISITS:
        _visits.clear()
    until = min(kept.built + PAGE_SECONDS, monotonic() + VISITOR_CACHE_SECONDS)
    _visits[_place_of(request)] = Visit(tournament.stream, heard, kept.what, until)


def _is_visit(request: ActorRequest) -> bool:
    """Whether a person looks who can have done nothing here, and was not asked by another process to look."""
    is_nobody = request.actor is ANONYMOUS and settings.SESSION_COOKIE_NAME not in request.COOKIES
    return is_nobody and request.method == "GET" and ASKED_BY_SCRIPT not in request.headers


def _place_of(request: HttpRequest) -> tuple[str | None, ...]:
    return (request.scheme, request.get_host(), request.get_full_path(), get_language())


def _key_of(request: ActorRequest, tournament: Tournament) -> tuple[object, ...]:
    actor = request.actor
    is_admin = actor.user is not None and actor.user.is_staff
    who = (actor.key, actor.label, is_admin, actor.via, actor.link_scope, actor.link_issued_at)
    event = (tournament.stream, tournament.state, tournament.visibility, roles_of(actor, tournament))
    return (_place_of(request), who, event)


def _own_of(request: ActorRequest, tournament: Tournament, event: Tournament, timed: Round | None) -> str:
    """Names a page's viewer and all that it shows but the results of others: a digest."""
    reading: Reading = request.reading  # type: ignore[attr-defined]
    entry = entry_id_of(request.actor, tournament)
    rounds = published_rounds(event) if entry is not None else ()
    matches = [by_entry[entry] for each in rounds if entry in (by_entry := matches_by_entry(event, each))]
    others = reading.versions.of((Part.OTHERS,))
    says = repr((_key_of(request, tournament), others, timed is None, *map(reading.versions.of_match, matches)))
    return hashlib.sha256(says.encode()).hexdigest()[:16]


def _rest_of(request: ActorRequest, rest: Rest | None, event: Tournament) -> Page | None:
    """What results of others change of a page, with its blocks; None where only the whole page says that."""
    text = rest(request, event) if rest else None
    return None if text is None else cut_page(text.encode(), request.reading.blocks)  # type: ignore[attr-defined]


def _answer_rest(request: ActorRequest, had: Tag, rest: Page) -> HttpResponse:
    """The rest alone, or nothing where it is what the open page had."""
    reading: Reading = request.reading  # type: ignore[attr-defined]
    tag = replace(had, rest=rest.digest)
    headers = {"ETag": str(tag), "Cache-Control": "private, no-cache", PARTLY: "1"}
    headers |= ASK_AGAIN if reading.oldest is not None else {}
    if tag == had:
        return HttpResponse(status=304, headers=headers)
    return _sent(request, KeptPage(rest, headers), headers)


def _page_of(request: ActorRequest, response: HttpResponse, own: str, rest: Page | None) -> KeptPage | None:
    """The answer as it can be kept; None for any but a plain page whose every token is a mark."""
    if response.status_code != 200 or response.streaming or response.cookies or len(get_messages(request)):
        return None
    if set(response.headers) - KEPT_HEADERS or not response["Content-Type"].startswith("text/html"):
        return None
    if any(response.content.count(name) != response.content.count(marked) for name, marked in TOKENS):
        return None
    reading: Reading = request.reading  # type: ignore[attr-defined]
    page = cut_page(response.content, reading.blocks)
    etag = f'W/"{page.digest}"' if rest is None else str(Tag(page.digest, rest.digest, own, int(time())))
    headers = {**response.headers, "ETag": etag, "Cache-Control": "private, no-cache"}
    return KeptPage(page.with_text(ETAG, escape(etag)), headers)


def _answer(request: HttpRequest, kept: KeptPage, more: Mapping[str, str]) -> HttpResponse:
    headers = {**kept.headers, **more}
    if ASKED_BY_SCRIPT in request.headers and is_same(request.headers.get("If-None-Match", ""), headers["ETag"]):
        return HttpResponse(status=304, headers=headers)
    return _sent(request, kept, headers)


def _filled(request: ActorRequest, response: HttpResponse) -> HttpResponse:
    """An answer that is not kept, with its blocks in their places."""
    if not response.streaming and MARK.encode() in response.content:
        reading: Reading = request.reading  # type: ignore[attr-defined]
        page = cut_page(response.content, reading.blocks)
        response.content = page.with_text(ETAG, escape(f'W/"{page.digest}"')).filled(_fresh(request))
    return response


def _sent(request: HttpRequest, kept: KeptPage, headers: Mapping[str, str]) -> HttpResponse:
    """A page as the browser takes it; compressed here, where what others read too is compressed already."""
    fresh = _fresh(request)
    if not re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
        return HttpResponse(kept.page.filled(fresh), headers=headers)
    answer = HttpResponse(kept.page.filled_as_gzip(fresh), headers={**headers, "Content-Encoding": "gzip"})
    patch_vary_headers(answer, ("Accept-Encoding",))
    return answer


def _fresh(request: HttpRequest) -> Mapping[str, Callable[[], str]]:
    """What stands at the marks of one answer."""
    return {CSRF: cache(lambda: get_token(request)), KEY: lambda: str(uuid.uuid4())}
