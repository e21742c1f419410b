"""Streams of a real server: many open pages in one process hear of a change, and only who may.

See docs/how-it-works/trust.md#a4 and #d5.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.coroutines import run_coroutine
from tests.invariants.processes import Processes, wait_until
from tests.races import close_connections
from tests.tournaments.factories import NOW, account, next_round, running, score, staff, table
from tests.tournaments.web.visitors import browser
from tournaments.core import ledger
from tournaments.events.services.staff import remove_role
from tournaments.models import Match, Role, Tournament
from tournaments.results.services.reports import report_result
from tournaments.room.services.announcements import post_announcement
from tournaments.rounds.services.rounds import pair_next_round, publish_round

pytestmark = [pytest.mark.django_db(transaction=True)]

BEAT = 2


@pytest.fixture
def site(settings) -> Iterator[Processes]:
    """A broker and one web process; what the test does itself is told there too."""
    close_connections()
    with tempfile.TemporaryDirectory(prefix="dd-live-", dir="/tmp") as folder:
        site = Processes(Path(folder), patience=60)
        settings.REDIS_URL = site.environment["REDIS_URL"]
        try:
            site.start("broker")
            site.start("web")
            assert wait_until(lambda: run_coroutine(answers(site)), 60), site.said("web")
            yield site
        finally:
            site.stop()


@dataclass
class Stream:
    """What one open page hears, by the name of the event, with the time it came."""

    heard: list[tuple[str, float]] = field(default_factory=list)
    is_over: bool = False
    status: int = 0

    def times(self, name: str) -> list[float]:
        """When an event came."""
        return [at for what, at in self.heard if what == name]

    async def follow(self, site: Processes, path: str, cookie: str = "") -> None:
        """Listen until the server ends it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
            while line := await reader.readline():
                text = line.decode().strip()
                if text.startswith("HTTP/1.1"):
                    self.status = int(text.split()[1])
                elif text.startswith(("event: ", "retry: ")):
                    self.heard.append((text.split(": ")[1] if text.startswith("event") else "open", time.monotonic()))
                elif text == "0":
                    break
        finally:
            self.is_over = True
            writer.close()


async def answers(site: Processes, path: str = "/health/") -> bool:
    """Whether a plain request is answered."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
    except OSError:
        return False
    return answer.startswith(b"HTTP/1.1 200")


async def until(true: Callable[[], bool], seconds: float) -> bool:
    """Whether something comes true within so many seconds."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        await asyncio.sleep(0.02)
    return true()


def play(
    site: Processes, script: Callable[..., Awaitable[None]], tournament: Tournament, cookies: list[str]
) -> list[Stream]:
    """Open a stream for each cookie, run the script once all of them are open."""
    streams = [Stream() for _cookie in cookies]

    async def run() -> None:
        tasks = [
            asyncio.create_task(each.follow(site, f"/e/{tournament.slug}/live/", cookie))
            for each, cookie in zip(streams, cookies, strict=True)
        ]
        try:
            assert await until(lambda: all(each.heard for each in streams), 90), site.said("web")
            await script(streams)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    run_coroutine(run())
    return streams


def cookie_of(name: str) -> str:
    """The session of somebody signed in."""
    return f"sessionid={browser(account(name)).cookies['sessionid'].value}"


def do(act: Callable[[], object]) -> Awaitable[object]:
    """Something that the test does to the event, in a thread with a connection of its own."""

    def run() -> object:
        try:
            return act()
        finally:
            close_connections()

    return asyncio.get_running_loop().run_in_executor(None, run)


def report(match: Match) -> Callable[[], object]:
    return lambda: report_result(account("olive"), match, score(2, 0), NOW)


def test_hundreds_of_streams_hear_of_a_result_while_a_plain_request_is_answered(site, many):
    tournament = running(4)
    match = table(next_round(tournament))

    async def script(streams: list[Stream]) -> None:
        begun = time.monotonic()
        assert await answers(site)
        plain = time.monotonic() - begun
        assert await until(lambda: all(each.times("beat") for each in streams), 2 * BEAT)
        begun = time.monotonic()
        await do(report(match))
        assert await until(lambda: all(each.times("changed") for each in streams), 5 + BEAT)
        lag = max(each.times("changed")[0] for each in streams) - begun
        print(f"{len(streams)} streams: a plain request took {plain:.2f} s, the last heard after {lag:.2f} s")

    streams = play(site, script, tournament, [""] * many(500, 100))
    assert {each.status for each in streams} == {200}
    begun = time.monotonic()
    site.running["web"].terminate()
    site.running["web"].wait(10)
    assert time.monotonic() - begun < 6


@pytest.mark.parametrize("guarded", [True, pytest.param(False, marks=pytest.mark.long)])
def test_what_staff_alone_may_know_is_told_to_staff_alone(site, monkeypatch, guarded):
    if not guarded:
        monkeypatch.setattr(ledger, "ear_of", lambda act, subjects: "room")
    tournament = running(4)
    staff(tournament, "kit", "scorekeeper")
    made = []

    async def script(streams: list[Stream]) -> None:
        kit, visitor = streams
        assert await until(lambda: bool(kit.times("beat") and visitor.times("beat")), 2 * BEAT)
        made.append(await do(lambda: pair_next_round(account("olive"), tournament, NOW, seed=1)))
        assert await until(lambda: len(kit.times("changed")) == 1, 5)
        beats = len(visitor.times("beat"))
        assert await until(lambda: len(visitor.times("beat")) > beats + 1, 3 * BEAT)
        assert bool(visitor.times("changed")) is not guarded, "the control: every act is told to the room"
        if not guarded:
            return
        await do(lambda: publish_round(account("olive"), made[0], NOW))
        assert await until(lambda: bool(visitor.times("changed")), 5)

    play(site, script, tournament, [cookie_of("kit"), ""])


def test_a_role_taken_away_ends_the_stream_within_a_beat(site):
    tournament = running(4)
    kit = staff(tournament, "kit", "scorekeeper")
    role = Role.objects.get(tournament=tournament, user=kit.user)

    async def script(streams: list[Stream]) -> None:
        await do(lambda: remove_role(account("olive"), role, NOW))
        assert await until(lambda: streams[0].is_over, BEAT * 1.5)
        assert not streams[1].is_over

    play(site, script, tournament, [cookie_of("kit"), ""])


def test_streams_go_on_without_redis_and_with_the_next_one(site):
    tournament = running(6)
    match = table(next_round(tournament))

    async def script(streams: list[Stream]) -> None:
        assert await until(lambda: bool(streams[0].times("beat")), 2 * BEAT)
        site.kill("broker")
        begun = time.monotonic()
        await do(report(match))
        assert time.monotonic() - begun < 5
        assert await until(lambda: bool(streams[0].times("changed")), 2 * BEAT)
        site.start("broker")
        await asyncio.sleep(6)
        heard = len(streams[0].times("changed"))
        begun = time.monotonic()
        await do(lambda: post_announcement(account("olive"), tournament, "Lunch", NOW))
        assert await until(lambda: len(streams[0].times("changed")) > heard, 2 * BEAT)
        assert not streams[0].is_over

    play(site, script, tournament, [""])
