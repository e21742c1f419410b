"""The site's part of the benchmark of pages: an event in the middle of a round, each page asked for as its audience.

Reports go to the API, in turn with a bare view of Django REST framework that stores one row.
"""

import gzip
import json
import re
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.staticfiles import finders
from django.core.handlers.wsgi import WSGIHandler
from django.db import connection
from django.http.response import HttpResponseBase
from django.urls import reverse

from accounts.actors import Actor
from accounts.identity.keys import issue_api_token
from accounts.models import User
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from journal.live.redis_listener import start_listening
from tests.tournaments.factories import NOW, account, entry, event, name_of, next_round, report_all, score, staff
from tournaments.core.rounds import matches_of
from tournaments.decks.services.decks import register_deck
from tournaments.events.services.events import finish_tournament, start_tournament
from tournaments.management.demo import sample_decklist
from tournaments.models import EntryMember, Match, Tournament
from tournaments.results.services.reports import report_result
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import set_stages
from tournaments.web.live import page_cache

LINKED = re.compile(rb'(?:src|href)="/static/([^"?]+)')
WITHIN = re.compile(rb'url\("?(?:/static/)?([\w./-]+\.(?:svg|woff2))')
"""What style sheets load in turn."""

REPORTED = 21
"""Results of others during which one page is followed."""
SENT = b'{"games_won": [2, 1]}'
"""A result, as programs send it."""
Seconds = tuple[float, float]
"""By the clock, and of own work (what other processes do meanwhile, the database's too, left out)."""
Turn = tuple[Seconds, Seconds]
"""What an empty view and a page took, one right after the other."""


Args = Callable[[Tournament], tuple[object, ...]]


def of_event(tournament: Tournament) -> tuple[object, ...]:
    """A page of an event."""
    return (tournament.slug,)


def of_first(tournament: Tournament) -> tuple[object, ...]:
    """A page of an event's first entry."""
    return (tournament.slug, 1)


def of_match(tournament: Tournament) -> tuple[object, ...]:
    """A page of a table of the last round."""
    return (tournament.slug, Match.objects.filter(round__stage__tournament=tournament).order_by("-pk")[0].pk)


def of_game(tournament: Tournament) -> tuple[object, ...]:
    """A page of an event's game."""
    return (tournament.game,)


def of_site(_tournament: Tournament) -> tuple[object, ...]:
    """A page that belongs to no event."""
    return ()


@dataclass(frozen=True, slots=True)
class Page:
    """A page by its route, who looks at it, of which event (`set_up_all`), and whether it has to come from memory."""

    name: str
    who: str
    kept: bool = False
    args: Args = of_event
    of: str = "swiss"


PAPERS = ("print_pairings", "print_slips", "print_standings", "print_packet")
MOST_OF = {"cup": 128, "robin": 64}
"""Players with whom a kind of event is held at most: a bracket takes no more, nor would anybody play so many rounds."""
PAGES = (
    Page("event", "", kept=True),
    Page("pairings", "", kept=True),
    Page("standings", "", kept=True),
    Page("event_player", "", args=of_first),
    Page("why", "", args=of_match),
    Page("standings_why", ""),
    Page("bracket", "", of="cup"),
    Page("crosstable", "", of="robin"),
    Page("event_decks", "", of="decks"),
    Page("event_deck", "", args=of_first, of="decks"),
    Page("event_sheet", "", of="decks"),
    Page("statistics", ""),
    Page("fairness", ""),
    Page("check_event", ""),
    Page("wall", "", kept=True),
    Page("wall_pairings", "", kept=True),
    Page("wall_tables", "", kept=True),
    Page("wall_standings", "", kept=True),
    Page("wall_bracket", "", kept=True, of="cup"),
    Page("wall_clock", "", kept=True),
    Page("wall_announcements", "", kept=True),
    Page("stream", ""),
    Page("embed_standings", ""),
    Page("embed_pairings", ""),
    Page("embed_bracket", "", of="cup"),
    Page("embed_clock", ""),
    Page("clock", ""),
    Page("home", "", args=of_site),
    Page("leagues", "", args=of_site),
    Page("rules", "", args=of_game),
    Page("cards", "", args=of_game),
    Page("score_tools", "", args=of_site),
    Page("account_login", "", args=of_site),
    Page("my_match", "ada", kept=True),
    Page("pairings", "ada", kept=True),
    Page("standings", "ada", kept=True),
    Page("my_deck", "ada"),
    Page("my_events", "ada", args=of_site),
    Page("desk", "kit"),
    Page("manage", "kit"),
    Page("manage_entries", "kit"),
    Page("floor", "juno"),
    Page("floor_calls", "juno"),
    Page("manage_penalties", "juno"),
    Page("manage_decks", "juno", of="decks"),
    Page("manage", "olive"),
    Page("desk", "olive"),
    Page("manage_entries", "olive"),
    Page("manage_check_in", "olive"),
    Page("manage_rounds", "olive"),
    Page("manage_settings", "olive"),
    Page("manage_log", "olive"),
    Page("what_if", "olive"),
    Page("plan_event", "olive"),
    Page("outlook", "olive"),
    Page("prints", "olive"),
)


def measure(players: int, runs: int) -> None:
    """Ask for every page so often, print what it took as JSON lines: seconds are ratios to the empty view's."""
    events = set_up_all(players)
    visitors = {"": "", **{name: cookie_of(name) for name in ("olive", "juno", "kit", "ada")}}
    handler, listener = WSGIHandler(), start_listening()
    while not listener.is_connected:
        time.sleep(0.05)
    print(json.dumps([measured(handler, page, events[page.of], visitors[page.who], runs) for page in PAGES]))


def measure_reports(players: int) -> None:
    """Report every open table by a program, print what that took as a JSON line: ratios to a bare view that stores."""
    tournament, handler = set_up(players), WSGIHandler()
    matches = Match.objects.filter(round__stage__tournament=tournament, round__number=3)
    waiting = list(matches.exclude(state="done"))
    staff_token, half = token_of(account("olive")), len(waiting) // 2
    found = {}
    for who, matches in (("staff", waiting[:half]), ("player", waiting[half:])):
        tokens = [staff_token if who == "staff" else token_of(player_of(match)) for match in matches]
        addresses = [f"/api/v1/events/{tournament.slug}/matches/{match.pk}/report/" for match in matches]
        asked = list(zip(addresses, tokens, strict=True))
        queries: list[str] = []
        with connection.execute_wrapper(partial(noted, queries)):
            ask(handler, *asked.pop(), SENT)
        turns = [
            (seconds(handler, "/api/v1/bare/", token, SENT), seconds(handler, address, token, SENT))
            for address, token in asked
        ]
        found[who] = {"clock": _ratio(turns, 0), "work": _ratio(turns, 1), "queries": len(queries)}
    print(json.dumps(found))


def measure_rest(players: int) -> None:
    """Ask for Ada's pages after results of others, whole and as an open page does, print that as a JSON line.

    Another player asks first each time, and has built what both are shown. Ratios of own work to the empty view's,
    medians of ten each; bytes compressed. Nothing where fewer tables wait than that takes.
    """
    tournament, handler, olive = set_up(players), WSGIHandler(), account("olive")
    matches = Match.objects.filter(round__stage__tournament=tournament, round__number=3).exclude(state="done")
    first, *others = matches.exclude(seats__member__person__user__username="ada").order_by("pk")
    if len(others) < 2 * REPORTED:
        print("{}")
        return
    player_of(first)
    cookie, before = cookie_of("ada"), cookie_of(f"player{first.pk}")
    waiting = iter(others)
    found = {}
    for name in ("pairings", "my_match"):
        address, tag, seen = reverse(name, args=[tournament.slug]), "", {True: [], False: []}
        for number in range(REPORTED):
            report_result(olive, next(waiting), score(2, 1), NOW)
            ask(handler, address, before)
            empty = seconds(handler, "/empty/", cookie)
            begun, worked = time.perf_counter(), time.thread_time()
            body, headers = answer_of(handler, address, cookie, tag=tag if number % 2 else "")
            turn = empty, (time.perf_counter() - begun, time.thread_time() - worked)
            is_part, tag = "X-Part" in headers or not body, headers["ETag"]  # without a body the page has it already
            assert is_part == bool(number % 2), (address, number)
            seen[is_part].append((turn, len(gzip.compress(body))))
        found[name] = {
            how: {"work": _ratio([turn for turn, _bytes in seen[is_part][-10:]], 1), "bytes": seen[is_part][-1][1]}
            for how, is_part in (("whole", False), ("in part", True))
        }
    print(json.dumps(found))


def measure_papers(players: int) -> None:
    """Print every paper as it is sent, print that as a JSON line: by the clock, ratios to an empty view.

    `first` is until the answer begins, `longest` the longest that a piece of it takes, `whole` all of it; bytes.
    """
    tournament, handler, cookie = set_up(players), WSGIHandler(), cookie_of("olive")
    empty = statistics.median(seconds(handler, "/empty/", cookie)[0] for _time in range(30))
    found = {}
    for name in PAPERS:
        turns = []
        for _time in range(3):
            begun = time.perf_counter()
            answer = begin_answer(handler, reverse(name, args=[tournament.slug]), cookie, {}, {})
            first, sizes, times = time.perf_counter() - begun, [], []
            pieces, last = iter(answer), time.perf_counter()
            for piece in pieces:
                sizes.append(len(piece))
                times.append(time.perf_counter() - last)
                last = time.perf_counter()
            answer.close()
            turns.append((first, max(times), first + sum(times), len(sizes), sum(sizes)))
        names = ("first", "longest", "whole", "pieces", "bytes")
        found[name] = dict(zip(names, (statistics.median(each) for each in zip(*turns, strict=True)), strict=True))
        found[name] |= {of: found[name][of] / empty for of in ("first", "longest", "whole")}
    print(json.dumps(found))


def player_of(match: Match) -> Actor:
    """Somebody of a match, with an account."""
    player, person = account(f"player{match.pk}"), match.seats.select_related("member__person")[0].member.person
    player.person.delete()
    person.user = player.user
    person.save()
    return player


def token_of(actor: Actor) -> str:
    """The credentials of a program of this account."""
    return f"Token {issue_api_token(actor.user, actor, database_now())[1]}"


def set_up(players: int) -> Tournament:
    """Round 3 of an event, half of its tables done; Ada has an account and waits for her result."""
    tournament = event(players, name="The Page Cup")
    ada = account("ada")
    member = EntryMember.objects.get(entry=entry(tournament, name_of(0)))
    member.person.user = ada.user
    member.person.save()
    staff(tournament, "juno", "judge")
    staff(tournament, "kit", "scorekeeper")
    tournament = start_tournament(account("olive"), tournament, NOW)
    for _number in range(2):
        report_all(next_round(tournament))
    matches = [match for match in matches_of(next_round(tournament)) if not match.seats.filter(member=member).exists()]
    for match in matches[: len(matches) // 2]:
        report_result(account("olive"), match, score(2, 1), NOW)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return tournament


def set_up_all(players: int) -> dict[str, Tournament]:
    """The same, a cup and a round robin in their first round, and an event that is over and shows its decks."""
    olive, events = account("olive"), {"swiss": set_up(players)}
    for name, kind in (("cup", "single"), ("robin", "round_robin")):
        tournament = event(min(players, MOST_OF[name]), name=f"The {name}")
        set_stages(olive, tournament, (StageDraft(kind),), NOW)
        events[name] = start_tournament(olive, tournament, NOW)
        matches = matches_of(next_round(events[name]))
        for match in [each for each in matches if each.table_number][: len(matches) // 2]:
            report_result(olive, match, score(2, 1), NOW)
    load_catalogues(NOW)
    decks = event(players, name="Decks", deck_publish="after_end", swiss_rounds=1)
    staff(decks, "juno", "judge")
    for member in EntryMember.objects.filter(tournament=decks):
        register_deck(olive, member, "Pile", sample_decklist(copies=3), NOW)
    report_all(next_round(start_tournament(olive, decks, NOW)))
    events["decks"] = finish_tournament(olive, decks, NOW)
    return events


def cookie_of(name: str) -> str:
    """The session cookie of somebody signed in."""
    user = User.objects.get(username=name)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"sessionid={session.session_key}"


def measured(handler: WSGIHandler, page: Page, tournament: Tournament, cookie: str, runs: int) -> dict[str, Any]:
    """What a page costs."""
    address = reverse(page.name, args=page.args(tournament))
    page_cache.forget_pages()
    asked: list[str] = []
    with connection.execute_wrapper(partial(noted, asked)):
        body = ask(handler, address, cookie)
        first = len(asked)
        ask(handler, address, cookie)
    turns = [(seconds(handler, "/empty/", cookie), seconds(handler, address, cookie)) for _run in range(runs)]
    fresh = [_anew(handler, address, cookie, page_cache.forget_pages) for _run in range(max(3, runs // 20))]
    second = [_anew(handler, address, cookie, forget_all_but_blocks) for _run in range(max(5, runs // 5))]
    return {
        "page": page.name, "who": page.who or "visitor", "kept": page.kept,
        "anew": _ratio(fresh, 0), "second": _ratio(second, 0), "again": _ratio(turns, 0), "work": _ratio(turns, 1),
        "empty_ms": 1000 * statistics.median(empty[0] for empty, _page in turns),
        "queries": first, "queries_again": len(asked) - first,
        "html": len(gzip.compress(body)), "weight": weight(body),
    }  # fmt: skip


def noted(asked: list[str], run: Callable[..., object], sql: str, *rest: object) -> object:
    """Run a query and note it."""
    asked.append(sql)
    return run(sql, *rest)


def forget_all_but_blocks() -> None:
    """As a page is found by its second reader, or after an act that changed nothing in its lists."""
    page_cache._pages.clear()
    page_cache._visits.clear()


def _anew(handler: WSGIHandler, address: str, cookie: str, forget: Callable[[], None]) -> Turn:
    """An empty view and a page that is not kept."""
    empty = seconds(handler, "/empty/", cookie)
    forget()
    return empty, seconds(handler, address, cookie)


def _ratio(turns: list[Turn], clock: int) -> float:
    """The median page in median empty views of the same turns: what a busy machine does to single ones falls out."""
    empty, page = ([each[place][clock] for each in turns] for place in (0, 1))
    return statistics.median(page) / statistics.median(empty)


def ask(handler: WSGIHandler, address: str, known_by: str, sent: bytes = b"") -> bytes:
    """The body of an answer, by the whole stack of middleware, to a cookie or a program's token; `sent` is JSON."""
    return answer_of(handler, address, known_by, sent)[0]


def answer_of(
    handler: WSGIHandler, address: str, known_by: str, sent: bytes = b"", tag: str = ""
) -> tuple[bytes, Mapping[str, str]]:
    """The same with its headers; an open page that asks again names the `tag` of what it has."""
    headers: dict[str, str] = {}
    more = {"HTTP_X_LIVE": "1", "HTTP_IF_NONE_MATCH": tag} if tag else {}
    answer = begin_answer(handler, address, known_by, more, headers, sent)
    body = b"".join(answer)
    answer.close()
    return gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" else body, headers


def begin_answer(
    handler: WSGIHandler, address: str, known_by: str, more: Mapping[str, str], told: dict[str, str], sent: bytes = b""
) -> HttpResponseBase:
    """The answer to one request, whose body is not read yet; `told` gets its headers."""
    kind = "HTTP_AUTHORIZATION" if known_by.startswith("Token") else "HTTP_COOKIE"
    environ = {
        "REQUEST_METHOD": "POST" if sent else "GET", "PATH_INFO": address, "QUERY_STRING": "",
        "SERVER_NAME": "localhost", "SERVER_PORT": "80", "HTTP_HOST": "localhost", kind: known_by,
        "REMOTE_ADDR": "127.0.0.1", "HTTP_ACCEPT_LANGUAGE": "en", "HTTP_ACCEPT_ENCODING": "gzip",
        "CONTENT_TYPE": "application/json" if sent else "",
        "CONTENT_LENGTH": str(len(sent)), "wsgi.input": BytesIO(sent), "wsgi.url_scheme": "http",
        "wsgi.errors": BytesIO(), "wsgi.multiprocess": True, "wsgi.multithread": True, **more,
    }  # fmt: skip
    said: list[str] = []
    answer: HttpResponseBase = handler(environ, lambda status, headers: (said.append(status), told.update(headers)))
    assert said == ["200 OK"] or (more and said == ["304 Not Modified"]), (address, said)
    return answer


def seconds(handler: WSGIHandler, address: str, known_by: str, sent: bytes = b"") -> Seconds:
    """How long an answer takes: by the clock, and of this thread's own work."""
    begun, worked = time.perf_counter(), time.thread_time()
    ask(handler, address, known_by, sent)
    return time.perf_counter() - begun, time.thread_time() - worked


def weight(body: bytes) -> int:
    """Bytes of a first visit, compressed: the page and every file that it loads."""
    names = {each.decode() for each in LINKED.findall(body)}
    return len(gzip.compress(body)) + sum(_file_weights(names).values())


def _file_weights(names: set[str]) -> Mapping[str, int]:
    weights: dict[str, int] = {}
    waiting = sorted(names)
    while waiting:
        name = waiting.pop()
        found = finders.find(name)
        if name in weights or not isinstance(found, str):
            continue
        with open(found, "rb") as file:
            content = file.read()
        weights[name] = len(gzip.compress(content))
        if name.endswith(".css"):
            waiting += [each.decode() for each in WITHIN.findall(content)]
    return weights
