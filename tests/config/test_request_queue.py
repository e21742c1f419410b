"""So many requests are at work at once; the others wait in order of worth, and slow callers hold nobody up."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import product

import pytest

from config import request_queue
from config.request_queue import MAX_OF, RequestQueue, Worth
from tests.coroutines import run_coroutine

BEGIN = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]}
STREAM = {**BEGIN, "headers": [(b"content-type", b"text/event-stream")]}
DONE = {"type": "http.response.body", "body": b"done"}
AT_ONCE = MAX_OF[Worth.ACT] + MAX_OF[Worth.PAGE]
LEFT = {"type": "http.disconnect"}


class Caller:
    """One request: what it sends bit by bit, and what it was answered."""

    def __init__(
        self, method: str = "GET", path: str = "/", *, live: bool = False, shows: bytes = b"", language: bytes = b"en"
    ) -> None:
        headers = [(b"accept-language", language), *([(b"x-live", b"1")] if live else [])]
        headers += [(b"if-none-match", shows)] if shows else []
        self.scope = {
            "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": headers, "client": ("192.0.2.1", 1), "server": ("localhost", 80), "scheme": "http",
        }  # fmt: skip
        self.body: asyncio.Queue[dict] = asyncio.Queue()
        self.reads, self.got = asyncio.Event(), []
        self.reads.set()

    def sends(self, *bodies: bytes) -> "Caller":
        for place, body in enumerate(bodies or (b"",), 1):
            self.body.put_nowait({"type": "http.request", "body": body, "more_body": place < len(bodies)})
        return self

    def leaves(self) -> None:
        self.body.put_nowait(LEFT)

    async def receive(self) -> dict:
        return await self.body.get()

    async def send(self, message: dict) -> None:
        await self.reads.wait()
        self.got.append(message)

    @property
    def status(self) -> int:
        return self.got[0]["status"] if self.got else 0


class Site:
    """Works on each request until it is let go; counts those at work."""

    def __init__(self) -> None:
        self.at_work: list[str] = []
        self.begun: list[str] = []
        self.most = 0
        self.go = asyncio.Event()

    async def __call__(self, scope, receive, send) -> None:
        name = f"{scope['method']} {scope['path']}"
        self.begun.append(name)
        self.at_work.append(name)
        self.most = max(self.most, len(self.at_work))
        assert (await receive())["type"] == "http.request"
        await self.go.wait()
        self.at_work.remove(name)
        await send(STREAM if scope["path"] == "/live/" else BEGIN)
        if scope["path"] == "/live/":
            await asyncio.sleep(3600)
        await send(DONE)


def play(script: Callable[[Site, Callable[[Caller], Awaitable[None]]], Awaitable[None]], acts: int = 2) -> Site:
    """Run a script against a queue before a site; what it asked is ended with it."""

    async def run() -> Site:
        site, tasks = Site(), []
        queue = RequestQueue(site, acts)

        async def ask(caller: Caller) -> None:
            tasks.append(asyncio.create_task(queue(caller.scope, caller.receive, caller.send)))
            await settle()

        try:
            await asyncio.wait_for(script(site, ask), 30)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return site

    return run_coroutine(run())


async def settle() -> None:
    for _turn in range(20):
        await asyncio.sleep(0)


def test_so_many_are_at_work_and_places_are_left_to_acts():
    async def script(site, ask):
        callers = [Caller(path=f"/{number}").sends() for number in range(20)]
        for caller in callers:
            await ask(caller)
        assert len(site.at_work) == MAX_OF[Worth.PAGE]
        acts = [Caller("POST", f"/act{number}").sends() for number in range(3)]
        for caller in acts:
            await ask(caller)
        assert len(site.at_work) == AT_ONCE, "acts find their places at once"
        site.go.set()
        await settle()
        await settle()
        assert {caller.status for caller in [*callers, *acts]} == {200}
        assert site.most <= AT_ONCE

    play(script)


def begun_beside_an_act() -> list[str]:
    """The pages that begin while an act is at work, of three; all are served once it is done."""
    begun = []

    async def script(site, ask):
        callers = [Caller("POST", "/act").sends(), *(Caller(path=f"/{number}").sends() for number in range(3))]
        for caller in callers:
            await ask(caller)
        begun.extend(each for each in site.at_work if each.startswith("GET"))
        site.go.set()
        await settle()
        assert {caller.status for caller in callers} == {200}

    play(script)
    return begun


def test_while_an_act_is_at_work_pages_begin_one_by_one(monkeypatch):
    """With its control."""
    assert begun_beside_an_act() == ["GET /0"]
    monkeypatch.setattr(request_queue, "PAGES_BESIDE_ACTS", 1000)
    assert len(begun_beside_an_act()) == 3


def test_pages_go_before_those_that_are_open_already():
    async def script(site, ask):
        for number in range(MAX_OF[Worth.PAGE]):
            await ask(Caller(path=f"/early{number}").sends())
        begun = len(site.begun)
        await ask(Caller(path="/open", live=True).sends())
        await ask(Caller(path="/first").sends())
        await ask(Caller(path="/second").sends())
        assert len(site.begun) == begun
        site.go.set()
        await settle()
        assert site.begun[begun:] == ["GET /first", "GET /second", "GET /open"]

    play(script)


def test_on_sqlite_acts_come_one_by_one():
    async def script(site, ask):
        for number in range(3):
            await ask(Caller("POST", f"/{number}").sends())
        assert site.at_work == ["POST /0"]

    play(script, acts=request_queue.ACTS_ON_SQLITE)


def test_who_sends_slowly_takes_no_place_and_who_reads_slowly_holds_none():
    async def script(site, ask):
        slow = Caller("POST", "/slow")
        slow.body.put_nowait({"type": "http.request", "body": b"half", "more_body": True})
        await ask(slow)
        assert not site.begun
        site.go.set()
        readers = [Caller(path=f"/{number}").sends() for number in range(10)]
        for reader in readers:
            reader.reads.clear()
            await ask(reader)
        assert len(site.begun) == len(readers)
        assert not any(reader.got for reader in readers)

    play(script)


def test_a_stream_gives_its_place_back_when_it_begins():
    async def script(site, ask):
        site.go.set()
        streams = [Caller(path="/live/").sends() for _number in range(10)]
        for stream in streams:
            await ask(stream)
        assert {stream.status for stream in streams} == {200}

    play(script)


def test_a_reader_who_left_is_not_served_but_an_act_is():
    async def script(site, ask):
        for number in range(MAX_OF[Worth.PAGE]):
            await ask(Caller(path=f"/{number}").sends())
        for number in range(2):
            await ask(Caller("POST", f"/{number}").sends())
        page, act = Caller(path="/page").sends(), Caller("POST", "/act").sends()
        for caller in (page, act):
            await ask(caller)
            caller.leaves()
        await settle()
        site.go.set()
        await settle()
        assert "POST /act" in site.begun
        assert "GET /page" not in site.begun

    play(script)


@pytest.mark.parametrize("path", ["/e/x/", "/api/v1/events/"])
def test_after_so_long_the_answer_is_503_with_a_time_to_come_again(path, monkeypatch):
    monkeypatch.setattr(request_queue, "PATIENCE", dict.fromkeys(Worth, 0.05))

    async def script(site, ask):
        for number in range(MAX_OF[Worth.PAGE]):
            await ask(Caller(path=f"/{number}").sends())
        late = Caller(path=path).sends()
        await ask(late)
        while not late.got:
            await asyncio.sleep(0.01)
        assert late.status == 503
        assert dict(late.got[0]["headers"])[b"retry-after"] == b"5"
        assert f"GET {path}" not in site.begun

    play(script)


def test_what_is_kept_of_refusals_is_in_the_callers_language_and_form(monkeypatch):
    monkeypatch.setattr(request_queue, "PATIENCE", dict.fromkeys(Worth, 0.05))
    found: dict[tuple[str, str], set[bytes]] = {}

    async def script(site, ask):
        for number in range(MAX_OF[Worth.PAGE]):
            await ask(Caller(path=f"/{number}").sends())
        for language, path in product(["de", "fr", "en", "de"], ["/e/x/", "/e/y/", "/api/v1/events/"]):
            late = Caller(path=path, language=language.encode()).sends()
            await ask(late)
            while len(late.got) < 2:
                await asyncio.sleep(0.01)
            told = dict(late.got[0]["headers"])
            assert told[b"content-length"] == str(len(late.got[1]["body"])).encode()
            assert (b"json" in told[b"content-type"]) is path.startswith("/api/")
            found.setdefault((language, path.split("/")[1]), set()).add(late.got[1]["body"])

    play(script)
    assert len(found) == 6
    assert all(len(bodies) == 1 for bodies in found.values())
    assert len(set.union(*found.values())) == 6
    assert b'lang="de"' in next(iter(found["de", "e"]))


@pytest.mark.parametrize(("live", "shows", "status"), [(True, b'W/"1"', 304), (True, b"", 503), (False, b'W/"1"', 503)])
def test_an_open_page_keeps_what_it_shows_and_comes_again(live, shows, status, monkeypatch):
    """With its controls: what shows nothing, or what a person opens, is told that it was not answered."""
    monkeypatch.setattr(request_queue, "PATIENCE", dict.fromkeys(Worth, 0.05))

    async def script(site, ask):
        for number in range(MAX_OF[Worth.PAGE]):
            await ask(Caller(path=f"/{number}").sends())
        late = Caller(path="/late", live=live, shows=shows).sends()
        await ask(late)
        while len(late.got) < 2:
            await asyncio.sleep(0.01)
        assert late.status == status
        assert (late.got[1]["body"] == b"") is (status == 304)
        assert dict(late.got[0]["headers"])[b"retry-after"] == b"5"
        assert "GET /late" not in site.begun

    play(script)


def test_static_files_and_health_wait_for_nobody():
    async def script(site, ask):
        for number in range(10):
            await ask(Caller(path=f"/{number}").sends())
        await ask(Caller(path="/static/base.css").sends())
        await ask(Caller(path="/health/").sends())
        assert "GET /static/base.css" in site.begun
        assert "GET /health/" in site.begun

    play(script)


def test_without_the_queue_all_are_at_work_at_once(monkeypatch):
    """The control."""
    monkeypatch.setattr(request_queue, "MAX_OF", dict.fromkeys(Worth, 1000))

    async def script(site, ask):
        for number in range(20):
            await ask(Caller(path=f"/{number}").sends())
        assert len(site.at_work) == 20

    play(script)
