"""Static files as either server likes them: WhiteNoise hands out files, which an asynchronous server cannot read."""

import asyncio
from collections.abc import AsyncIterator
from typing import IO

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest
from whitenoise.middleware import WhiteNoiseFileResponse, WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

PIECE = 64 * 1024


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise, whose files are read piece by piece in a thread where the server is asynchronous."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> WhiteNoiseFileResponse:
        """The answer with a file, which is closed with it."""
        response = WhiteNoiseMiddleware.serve(static_file, request)
        if isinstance(request, ASGIRequest):
            file = response.file_to_stream
            response.streaming_content = _pieces(file)
        return response


async def _pieces(file: IO[bytes] | None) -> AsyncIterator[bytes]:
    """The file's pieces in order; nothing without one."""
    while file is not None and (piece := await asyncio.to_thread(file.read, PIECE)):
        yield piece
