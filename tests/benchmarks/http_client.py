"""A lean HTTP/1.1 client for benchmarks: its own work on the machine that is measured stays small."""

import asyncio
import gzip
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

PATIENCE = 60.0
"""Seconds for one answer; what takes longer counts as broken."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; `status` 0 where the connection broke. `sent` is bytes of the body as they came."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float
    sent: int = 0


@dataclass(slots=True)
class Browser:
    """One connection, kept between two requests, and the headers that go with every one."""

    port: int
    headers: Mapping[str, str]
    _open: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(default_factory=list)

    async def ask(self, path: str, body: bytes = b"", **more: str) -> Answer:
        """GET, or POST where there is a body; names of headers are written with underscores.

        As browsers do, it asks again on a new connection where the server had closed the one kept since last time.
        """
        begun, was_open = time.perf_counter(), bool(self._open)
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(path, body, more, begun)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, IndexError, ValueError) as error:
            self.close()
            if was_open and isinstance(error, ConnectionError | asyncio.IncompleteReadError):
                return await self.ask(path, body, **more)
            return Answer(0, {}, b"", time.perf_counter() - begun)

    async def _ask(self, path: str, body: bytes, more: Mapping[str, str], begun: float) -> Answer:
        reader, writer = await self._connect()
        writer.write(self._head(path, body, more) + body)
        status, headers = await read_head(reader)
        content = await _read_body(reader, status, headers)
        if headers.get("connection") == "close":
            self.close()
        text = gzip.decompress(content) if headers.get("content-encoding") == "gzip" else content
        return Answer(status, headers, text, time.perf_counter() - begun, len(content))

    async def follow(self, path: str) -> AsyncIterator[str]:
        """The lines of an event stream, until the server ends it."""
        reader, writer = await self._connect()
        writer.write(self._head(path, b"", {}))
        status, _headers = await read_head(reader)
        yield f"status: {status}"
        while status == 200 and (line := await reader.readline()):
            yield line.decode().strip()

    def close(self) -> None:
        while self._open:
            with suppress(OSError):
                self._open.pop()[1].close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._open and self._open[0][0].at_eof():
            self.close()
        if not self._open:
            self._open.append(await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20))
        return self._open[0]

    def _head(self, path: str, body: bytes, more: Mapping[str, str]) -> bytes:
        lines = {"Host": "localhost", "Accept-Encoding": "gzip", **self.headers}
        lines |= {name.replace("_", "-"): value for name, value in more.items()}
        if body:
            lines["Content-Length"] = str(len(body))
        said = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\n{said}\r\n".encode()


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Status and headers, these in lower case."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = (line.partition(":") for line in head[1:] if line)
    return int(head[0].split()[1]), {name.strip().lower(): value.strip() for name, _colon, value in headers}


async def _read_body(reader: asyncio.StreamReader, status: int, headers: Mapping[str, str]) -> bytes:
    if status in (204, 304):
        return b""
    if headers.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    pieces = []
    while size := int((await reader.readline()).split(b";")[0], 16):
        pieces.append((await reader.readexactly(size + 2))[:-2])
    await reader.readline()
    return b"".join(pieces)
