"""The process's ear on Redis, and one look at the database now and then: both tell every open page."""

import asyncio
import logging
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from accounts.actors import Actor
from journal.live.notices import Audience
from journal.live.redis_listener import start_listening
from tournaments.notifications.selectors import Seen, look_at

logger = logging.getLogger(__name__)

BEAT = float(settings.LIVE_BEAT)
"""Seconds between two looks at the database: missed notices are delivered then, who may not listen is sent away."""
PAUSE = 2.0
"""Seconds before another try with a database that went away."""
OWN, ROOM, ELSEWHERE = 0, 1, 4
"""How many times as far apart as usual pages ask: at once where theirs is the match that something happened to, further
apart after a result of another match, which moves ranks alone."""
NO_MATCH = 0
SPREAD_EACH, SPREAD_MOST = 60, 45_000
"""Milliseconds over which listeners spread their next request: for each of them, and at most. What a page
costs that is not kept is half of the first: open pages leave most of a process to those who act or come."""


@dataclass(eq=False, slots=True)
class Listener:
    """One open page: what it has yet to learn. However much happens, a slow page gets one event."""

    actor: Actor
    event: int
    stream: str
    ear: Audience
    match: int | None = None
    """The match that the page is about; None for a page of the whole event."""
    changed: int | None = None
    """How many times as far apart as usual the pages that get this are to ask; None while there is nothing to tell."""
    looked_at: float | None = None
    sent_away: bool = False
    _waits: asyncio.Future[None] | None = None
    _sooner_than: int | None = None

    def tell_changed(self, about: int | None) -> None:
        """There is something new to see, `about` one match or all."""
        apart = ROOM if None in (about, self.match) else OWN if about == self.match else ELSEWHERE
        self.changed = apart if self.changed is None else min(self.changed, apart)
        self._wake()

    def tell_looked(self, at: float) -> None:
        """Everything that happened before `at` (seconds since 1970) was delivered."""
        self.looked_at = at
        self._wake()

    def send_away(self) -> None:
        """May not listen any more."""
        self.sent_away = True
        self._wake()

    def take(self) -> tuple[int | None, float | None]:
        """What there is to say, and nothing twice."""
        news, self.changed, self.looked_at = (self.changed, self.looked_at), None, None
        return news

    async def has_news(self, seconds: float, *, sooner_than: int | None = None) -> bool:
        """Whether there is something to say within so many seconds.

        `sooner_than` is how far apart pages were told to ask: then only what they are to ask for sooner counts, what
        happens to their own match, and that they must go.
        """
        if self._is_due(sooner_than):
            return True
        self._waits, self._sooner_than = asyncio.get_running_loop().create_future(), sooner_than
        try:
            async with asyncio.timeout(seconds):
                await self._waits
        except TimeoutError:
            return False
        finally:
            self._waits = None
        return True

    def _is_due(self, sooner_than: int | None) -> bool:
        if self.sent_away or self.changed == OWN:
            return True
        if sooner_than is None:
            return self.changed is not None or self.looked_at is not None
        return self.changed is not None and self.changed < sooner_than

    def _wake(self) -> None:
        if self._waits is not None and not self._waits.done() and self._is_due(self._sooner_than):
            self._waits.set_result(None)


class Hub:
    """The open pages of one event loop. It listens and looks while there are any."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[Listener]] = {}
        self.loop, self.listener = asyncio.get_running_loop(), start_listening()
        self.looking: asyncio.Task[None] | None = None
        self.positions: dict[str, int] = {}

    def count(self, stream: str | None = None) -> int:
        of = self.listeners.values() if stream is None else (self.listeners.get(stream, ()),)
        return sum(map(len, of))

    def join(self, listener: Listener) -> None:
        """Listen from now on."""
        self.listeners.setdefault(listener.stream, set()).add(listener)
        if self.looking is None:
            self.listener.follow(self._pass_on)
            self.looking = asyncio.create_task(self._look())

    def leave(self, listener: Listener) -> None:
        """Listen no longer; the last one to leave ends the looking too."""
        rest = self.listeners.get(listener.stream, set())
        rest.discard(listener)
        if not rest:
            self.listeners.pop(listener.stream, None)
            self.positions.pop(listener.stream, None)
        if not self.listeners and self.looking is not None:
            self.listener.leave(self._pass_on)
            self.looking.cancel()
            self.looking = None

    def spread(self, stream: str, apart: int = ROOM) -> int:
        """Milliseconds over which listeners spread their next request, `apart` times as far as usual."""
        return min(SPREAD_MOST, SPREAD_EACH * self.count(stream) * apart)

    def tell(self, stream: str, ear: Audience, about: int | None = None) -> None:
        """Have everybody concerned ask again."""
        for listener in self.listeners.get(stream, ()):
            if ear == "room" or listener.ear == "staff":
                listener.tell_changed(about)

    def _pass_on(self, stream: str, ear: Audience, about: int | None) -> None:
        """What the process's ear heard, in its thread."""
        if stream in self.listeners:
            self.loop.call_soon_threadsafe(self.tell, stream, ear, about)

    async def _look(self) -> None:
        """Look for oneself: at what was not delivered, and at who may listen. Silent while the database is away."""
        while True:
            await asyncio.sleep(BEAT if self.positions else 0.05)
            at, listening = time.time(), [each for of in self.listeners.values() for each in of]
            try:
                seen = await sync_to_async(_look_at, thread_sensitive=False)(
                    _questions(listening), dict(self.positions)
                )
            except (DatabaseError, InterfaceError) as error:
                logger.info("no look at the database: %s", error)
                await asyncio.sleep(PAUSE)
            except Exception:
                logger.exception("the look at the database failed")
                await asyncio.sleep(PAUSE)
            else:
                self._tell_seen(seen, listening, at)

    def _tell_seen(self, seen: Seen, listening: Iterable[Listener], at: float) -> None:
        about = NO_MATCH if self.listener.is_connected else None  # heard already, but for few
        for stream, ear in seen.changed:
            self.tell(stream, ear, about)
        for stream in seen.positions.keys() - self.positions.keys() if not self.listener.is_connected else ():
            self.tell(stream, "room")  # what happened between joining and this first look, nobody announced
        self.positions |= {stream: at for stream, at in seen.positions.items() if stream in self.listeners}
        for each in listening:
            if (each.actor, each.event, each.ear) in seen.unwelcome:
                each.send_away()
            else:
                each.tell_looked(at)


def _questions(listening: Iterable[Listener]) -> Mapping[int, Collection[tuple[Actor, Audience]]]:
    asked: dict[int, set[tuple[Actor, Audience]]] = {}
    for each in listening:
        asked.setdefault(each.event, set()).add((each.actor, each.ear))
    return asked


def _look_at(asked: Mapping[int, Collection[tuple[Actor, Audience]]], positions: Mapping[str, int]) -> Seen:
    close_old_connections()
    try:
        return look_at(asked, positions)
    finally:
        connection.close()


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub_here() -> Hub:
    """The hub of the running event loop; a server process has one."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]
