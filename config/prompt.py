"""HTTP for callers who finish what they begin: uvicorn itself waits for half a request for ever."""

import asyncio
from typing import Any

import h11
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD, BODY = settings.HEAD_SECONDS, settings.BODY_SECONDS


class PromptProtocol(H11Protocol):
    """uvicorn's protocol with a deadline for each request; what is too late is closed, however fast bytes drip in.

    Between two requests uvicorn's own keep-alive limit counts; how slowly an answer is read is not limited.
    """

    _deadline: asyncio.TimerHandle | None = None
    _awaited: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._follow()

    def data_received(self, data: bytes) -> None:
        """Take what came, and go on waiting for what is missing."""
        super().data_received(data)
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _follow(self) -> None:
        """One deadline while a head is missing, one while a body is; a byte more never moves it."""
        awaited = self.conn.their_state
        if awaited is self._awaited:
            return
        self._stop()
        if awaited in (h11.IDLE, h11.SEND_BODY):
            self._awaited = awaited
            self._deadline = self.loop.call_later(HEAD if awaited is h11.IDLE else BODY, self.transport.abort)

    def _stop(self) -> None:
        self._awaited = None
        if self._deadline is not None:
            self._deadline.cancel()
