"""The people of the benchmark of a round's end, as a process of their own: those who report, or those who read.

`python -m tests.benchmarks.round_end_room ROLE FOLDER`, called by `round_end`. It reads `room.json` and `run.json` in
the folder and leaves `ROLE.json` there.
"""

import asyncio
import json
import random
import re
import resource
import sys
import time
import uuid
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from tests.benchmarks.http_client import Answer, Browser

CSRF = "c" * 32
AS_OF = re.compile(rb'data-age>.*?<time datetime="([^"]+)"', re.DOTALL)
DONE = re.compile(rb"<span>(\d+) of \d+ have a result</span>|all results are in")
PHASE = re.compile(rb'id="my-card"[^>]*data-phase="(\w*)"')
WORD = re.compile(rb"-zw\d+q-")
"""What no token of a page can look like."""
ME = re.compile(rb'class="me"[^>]*>(.*?)</tr>', re.DOTALL)
PAUSES = {"my": (10, 15), "pairings": (75, 112)}
"""Seconds from one question of an open page to the next, where nothing happened."""
TRIES = 30
"""How often something is asked until it is answered otherwise than 503."""


@dataclass(slots=True)
class Room:
    """What one process does in its run, and what it saw."""

    facts: dict[str, Any]
    run: dict[str, Any]
    chance: random.Random
    statuses: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    acts: list[dict[str, Any]] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)

    def browser(self, number: int, **headers: str) -> Browser:
        """A browser at one of the web processes, behind an address of its own."""
        ports = self.run["ports"]
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        told = {"X-Forwarded-For": address, "X-Forwarded-Proto": self.run["scheme"], "Accept-Language": "en"}
        return Browser(ports[number % len(ports)], told | headers)

    def phone(self, number: int) -> Browser:
        cookie = f"sessionid={self.facts['phones'][number]['session']}; csrftoken={CSRF}"
        return self.browser(number, Cookie=cookie, Referer=f"{self.run['scheme']}://localhost/")

    def path(self, rest: str) -> str:
        return f"/e/{self.facts['slug']}/{rest}"

    def note(self, what: str, answer: Answer) -> None:
        """Remember how something was answered."""
        keeps = " (keeps its page)" if answer.status == 304 and "etag" not in answer.headers else ""
        self.statuses[f"{what} {answer.status}{keeps}"] += 1
        self.sent[what] += answer.sent
        if answer.status == 503 and "retry-after" not in answer.headers:
            self.faults["503 without Retry-After"] += 1

    def took(self, what: str, seconds: float) -> None:
        """Remember how long something took."""
        self.seconds.setdefault(what, []).append(seconds)

    async def ask(self, what: str, browser: Browser, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Ask until it is answered, later where the site is too busy; what it took counts all of that.

        Where the connection broke the other process is asked, as a proxy does.
        """
        begun = time.perf_counter()
        for _try in range(TRIES):
            answer = await browser.ask(path, body, **headers)
            self.note(what, answer)
            if answer.status not in (0, 503):
                break
            browser.port = self.other(browser.port)
            await asyncio.sleep(float(answer.headers.get("retry-after", 0.2)))
        self.took(what, time.perf_counter() - begun)
        return answer

    def other(self, port: int) -> int:
        """The port of the other web process, of the same where there is one."""
        ports = self.run["ports"]
        return int(ports[(ports.index(port) + 1) % len(ports)])

    async def until(self, at: float) -> None:
        """Wait until some seconds after the begin of the run."""
        await asyncio.sleep(max(0.0, self.run["begin"] + at - time.time()))


async def report(
    room: Room, browser: Browser, match: int, body: dict[str, Any], what: str, key: str | None = None
) -> Answer:
    """Report or confirm, with one key however often it takes."""
    act, begun = "confirm" if what == "confirm" else "report", time.perf_counter()
    path, sent = f"/api/v1/events/{room.facts['slug']}/matches/{match}/{act}/", json.dumps(body).encode()
    headers = {"Content_Type": "application/json", "Idempotency_Key": key or str(uuid.uuid4()), "X_CSRFToken": CSRF}
    answer = await room.ask(what, browser, path, sent, **headers)
    room.took("result, until stored", time.perf_counter() - begun)
    return answer


async def play_out(room: Room, seats: list[int], at: float, number: int) -> None:
    """One table ends: by the desk or by both phones; some reports come twice, some tables tell two results."""
    await room.until(at)
    chance, first = random.Random(f"{room.run['seed']} {number}"), room.facts["phones"][seats[0]]
    match, won = first["match"], chance.choice([[2, 0], [2, 1], [0, 2], [1, 2]])
    by_desk, is_double, is_conflict = chance.random() < 0.6, chance.random() < 0.1, chance.random() < 0.05
    desk = room.browser(number % 8, Authorization=f"Token {room.facts['token']}")
    phones = [room.phone(each) for each in seats]
    sender, what = (desk, "desk report") if by_desk else (phones[0], "phone report")
    doubled = [report_doubled(room, sender, match, won, what)] if is_double else []
    single = [] if is_double else [report(room, sender, match, {"games_won": won}, what)]
    answer = (await asyncio.gather(*doubled, *single))[0]
    told, counts, at = int(answer.status == 200), by_desk and answer.status == 200, time.time()
    if is_conflict:
        other = await report(room, phones[1], match, {"games_won": won[::-1]}, "conflicting report")
        told += int(other.status == 409 and b"result_conflict" in other.body)
    elif not by_desk:
        await asyncio.sleep(chance.uniform(0.5, 2))
        confirmed = await report(room, phones[1], match, {"report": 1}, "confirm")
        counts, at = confirmed.status == 200, time.time()
    room.acts.append({
        "match": match, "won": won, "told": told, "sent": 1 + is_conflict, "counts": counts, "conflict": is_conflict,
        "at": at,
    })  # fmt: skip
    for browser in (desk, *phones):
        browser.close()


async def report_doubled(room: Room, sender: Browser, match: int, won: list[int], what: str) -> Answer:
    """The same report by the same key twice at once, as an impatient thumb sends it: one answer, one report."""
    path, key = f"/api/v1/events/{room.facts['slug']}/matches/{match}/report/", str(uuid.uuid4())
    browsers = (sender, Browser(sender.port, sender.headers))
    body, headers = json.dumps({"games_won": won}).encode(), {"Idempotency_Key": key, "X_CSRFToken": CSRF}
    asked = (each.ask(path, body, Content_Type="application/json", **headers) for each in browsers)
    answers = await asyncio.gather(*asked)
    browsers[1].close()
    for answer in answers:
        room.note(what, answer)
        room.took(what, answer.seconds)
    stored = [answer for answer in answers if answer.status == 200]
    if len({answer.body for answer in stored}) > 1:
        room.faults["a double answered otherwise"] += 1
    if not stored and answers[0].status in (0, 503):
        return await report(room, sender, match, {"games_won": won}, what, key)
    room.took("result, until stored", max(answer.seconds for answer in answers))
    return (*stored, answers[0])[0]


async def read(room: Room, number: int, at: float) -> None:
    """A phone opens the pairings and its own match, within a minute of all others."""
    await room.until(at)
    browser = room.phone(number)
    for name in ("pairings", "my"):
        look(room, number, name, await room.ask(name, browser, room.path(f"{name}/")))
    browser.close()


def look(room: Room, number: int, name: str, answer: Answer) -> None:
    """Whether a page shows its viewer and nobody else's words; what it says of the round is compared later."""
    if answer.status != 200:
        return
    phone = room.facts["phones"][number]
    words = {word.decode() for word in WORD.findall(answer.body)}
    if words - {phone["word"]}:
        room.faults["another's private word"] += 1
    is_part = "x-part" in answer.headers
    if name == "my" and phone["word"] and phone["word"] not in words and not is_part:
        room.faults["the own word is missing"] += 1
    own = ME.findall(answer.body)
    if name == "pairings" and (not own or not all(phone["name"].encode() in each for each in own)):
        room.faults["the own line is missing or another's"] += 1
    done, phase = DONE.search(answer.body), PHASE.search(answer.body)
    if (as_of := told_age(answer, is_part=is_part)) is None:
        if not is_part:
            room.faults[f"{name} does not say how old it is"] += 1
        return
    room.views.append({
        "as_of": as_of, "match": phone["match"],
        "done": int(done[1] or 10**6) if done else None, "phase": phase[1].decode() if phase else None,
    })  # fmt: skip


def told_age(answer: Answer, *, is_part: bool) -> float | None:
    """As of when an answer is, as static/live.js tells its reader; a part that is to be asked again says nothing."""
    if is_part:
        return None if "retry-after" in answer.headers else parsedate_to_datetime(answer.headers["date"]).timestamp()
    found = AS_OF.search(answer.body)
    return datetime.fromisoformat(found[1].decode()).timestamp() if found else None


async def follow(room: Room, number: int) -> None:
    """An open page: it listens, and asks again when told to and by itself, as static/live.js does.

    Where processes are killed it listens again, as browsers do; else a stream that ends is a fault.
    """
    name, listening, browser = ("my", "pairings")[number // 2 % 2], room.phone(number), room.phone(number)
    etag, told, word = "", asyncio.Event(), ""
    crowd, spread, last, due = 0.0, 0.0, 0.0, 0.0
    about = f"?match={room.facts['phones'][number]['match']}" if name == "my" else ""

    async def ask() -> None:
        nonlocal etag, last, due
        while True:
            try:
                await asyncio.wait_for(told.wait(), max(0.0, due - time.time()))
            except TimeoutError:
                pass
            else:
                told.clear()
                due = min(due, max(time.time() + room.chance.uniform(0, spread), last + spread))
                continue
            least, most = PAUSES[name]
            last, due = time.time(), time.time() + room.chance.uniform(least + crowd, most + crowd * 1.5)
            headers = {"X_Live": "1", **({"If_None_Match": etag} if etag else {})}
            answer = await browser.ask(room.path(f"{name}/"), **headers)
            asked = f"open {name}{' in part' if 'x-part' in answer.headers else ''}"
            room.note(asked, answer)
            room.took(asked, answer.seconds)
            look(room, number, name, answer)
            etag = answer.headers.get("etag", etag)
            if later := float(answer.headers.get("retry-after", 0)):
                due = time.time() + later + room.chance.uniform(spread / 2, max(later, spread * 1.5))

    async def hear() -> None:
        nonlocal word, spread, crowd
        async for line in listening.follow(room.path(f"live/{about}")):
            if line.startswith("status: "):
                room.statuses[f"stream {line[8:]}"] += 1
            elif line.startswith("event: "):
                word = line[7:]
            elif line.startswith("data: ") and word == "changed":
                room.sent["changes heard"] += 1
                spread = json.loads(line[6:])["spread"] / 1000
                told.set()
            elif line.startswith("data: ") and name == "my":
                crowd = json.loads(line[6:])["spread"] / 1000

    await room.until(-room.run["opening"] * (1 - number / room.run["streams"]) * 0.8 - 1)
    due = time.time() + room.chance.uniform(*PAUSES["my"])
    task = asyncio.create_task(ask())
    try:
        etag = (await room.ask(f"opening {name}", browser, room.path(f"{name}/"))).headers.get("etag", "")
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await hear()
            if not room.run["is_harmed"]:
                room.faults["a stream ended"] += 1
                break
            listening.close()
            listening.port = room.other(listening.port)
            await asyncio.sleep(room.chance.uniform(2, 4))
            told.set()
    finally:
        task.cancel()


async def take_part(room: Room, role: str) -> None:
    """Everything that this process's people do."""
    phones, seconds = room.facts["phones"], room.run["seconds"]
    if role == "reports":
        by_match: dict[int, list[int]] = {}
        for number, phone in enumerate(phones):
            by_match.setdefault(phone["match"], []).append(number)
        tables = [seats for seats in by_match.values() if len(seats) == 2]
        room.chance.shuffle(tables)
        steps = [play_out(room, seats, seconds * n / len(tables), n) for n, seats in enumerate(tables)]
    else:
        steps = [read(room, number, room.chance.uniform(0, seconds)) for number in range(len(phones))]
    streams = range(min(room.run["streams"], len(phones)) if role == "readers" else 0)
    listening = [asyncio.create_task(follow(room, number)) for number in streams]
    await asyncio.gather(*steps)
    room.sent["took"] = round(time.time() - room.run["begin"])
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)


def main() -> None:
    """Take part and write down what was seen."""
    role, folder = sys.argv[1], Path(sys.argv[2])
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    facts, run = (json.loads((folder / name).read_text()) for name in ("room.json", "run.json"))
    room = Room(facts, run, random.Random(f"{run['seed']} {role}"))
    asyncio.run(take_part(room, role))
    names = ("statuses", "seconds", "acts", "views", "faults", "sent")
    (folder / f"{role}.json").write_text(json.dumps({name: getattr(room, name) for name in names}))


if __name__ == "__main__":
    main()
