"""Programs that report results to a site under faults, and what it acknowledged to them, kept outside of it."""

import http.client
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

PATIENCE = 180.0
"""Seconds for which a request is sent again: a busy machine starts a killed process slowly."""
TRANSIENT = (429, 503)


class GaveUp(Exception):
    """A request was not answered within the patience there is."""


@dataclass
class Api:
    """The API of a site with several web processes; whatever is lost, cut or refused for now is sent again.

    `statuses` counts the answers by status, and "lost" the requests that nobody answered.
    """

    ports: Sequence[int]
    token: str = ""
    statuses: Counter[object] = field(default_factory=Counter)

    def send(self, port: int, method: str, path: str, body: object, key: str, *, hang_up: bool = False) -> Any:
        """One try: status and JSON of the answer, not waited for with `hang_up`; raises OSError, HTTPException."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Token {self.token}"
        if key:
            headers["Idempotency-Key"] = key
        connection = http.client.HTTPConnection("localhost", port, timeout=30)
        try:
            connection.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), headers)
            if hang_up:
                time.sleep(0.05)
                raise ConnectionResetError
            answer = connection.getresponse()
            text = answer.read()
            retry_after = answer.headers.get("Retry-After", "")
        finally:
            connection.close()
        if answer.status in TRANSIENT and not retry_after:
            self.statuses["no Retry-After"] += 1
        return answer.status, json.loads(text) if text else None

    def ask(self, method: str, path: str, body: object = None, key: str = "", *, chance: random.Random) -> Any:
        """Status and JSON of the first answer that is not "later"; each of 500 and more but 503 is counted, too."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            hang_up = bool(key) and chance.random() < 0.1
            try:
                status, told = self.send(chance.choice(self.ports), method, path, body, key, hang_up=hang_up)
            except (OSError, http.client.HTTPException, ValueError):
                self.statuses["lost"] += 1
            else:
                self.statuses[status] += 1
                if status < 500 and status not in TRANSIENT:
                    return status, told
            time.sleep(chance.uniform(0.02, 0.4))
        raise GaveUp(f"{method} {path}: {dict(self.statuses)}")


@dataclass
class Told:
    """What the site acknowledged of one match: the result that was sent last, and how many of our acts it took."""

    games: list[int]
    acts: int = 0


@dataclass
class Reporters:
    """Threads that report and correct the matches of an event, each its own ones, until they have done so many acts.

    `told` is what was acknowledged by match, `refused` answers that a repeat or a first request must not get, and
    `different` repeats that were not answered like the first.
    """

    api: Api
    path: str
    seed: int
    told: dict[int, Told] = field(default_factory=dict)
    refused: list[object] = field(default_factory=list)
    different: list[object] = field(default_factory=list)
    failures: list[BaseException] = field(default_factory=list)

    def report(self, matches: Sequence[int], acts: int, threads: int = 4) -> None:
        """Report each match once and correct it until it had `acts` acts; returns when all is acknowledged."""
        workers = [
            threading.Thread(target=self._work, args=(matches[number::threads], acts, number), daemon=True)
            for number in range(threads)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if self.failures:
            raise self.failures[0]

    def _work(self, matches: Sequence[int], acts: int, number: int) -> None:
        chance = random.Random(f"{self.seed} {number} {matches}")
        try:
            for act in range(acts):
                for match in matches:
                    self._act(match, act, chance)
        except BaseException as error:  # told to the thread that waits for us
            self.failures.append(error)

    def _act(self, match: int, act: int, chance: random.Random) -> None:
        """The report of a match, or a correction to another result; now and then sent once more although answered."""
        games = chance.choice([[2, 0], [2, 1], [0, 2], [1, 2]])
        held = self.told.get(match)
        body: dict[str, object] = {"games_won": games} | ({"reason": f"act {act}"} if held else {})
        path = f"{self.path}matches/{match}/{'correct' if held else 'report'}/"
        key = f"{match}-{act}-{chance.getrandbits(64)}"
        status, told = self.api.ask("POST", path, body, key, chance=chance)
        if status >= 400:
            self.refused.append((status, told))
            return
        self.told[match] = Told(games, (held.acts if held else 0) + 1)
        if chance.random() < 0.2:
            again = self.api.ask("POST", path, body, key, chance=chance)
            if again != (status, told):
                self.different.append(again)

    def missing(self, shown: Sequence[dict[str, Any]]) -> list[object]:
        """Acknowledged matches that the API shows with another result or another number of acts."""
        wrong: list[object] = []
        for match in shown:
            held = self.told.get(match["id"])
            if held is None:
                continue
            games = (match["result"] or {}).get("games_won")
            if (games, len(match["reports"])) != (held.games, held.acts):
                wrong.append((match["id"], games, held.games, len(match["reports"]), held.acts))
        return wrong
