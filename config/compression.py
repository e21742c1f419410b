"""Compressed answers: a list of hundreds of lines weighs a tenth, over a hall's poor network."""

import secrets
from collections.abc import Iterable, Iterator
from gzip import GzipFile
from typing import cast

from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.text import StreamingBuffer


class CompressionMiddleware(GZipMiddleware):
    """Django's own, but for what comes as it happens: streams of events, and static files, compressed already.

    It adds random bytes to each answer, so that the length says nothing of a token in it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer, compressed where the caller takes that."""
        if isinstance(response, FileResponse) or response.get("Content-Type", "").startswith("text/event-stream"):
            return response
        pieces = response.streaming_content if isinstance(response, StreamingHttpResponse) else None
        answer = super().process_response(request, response)
        if isinstance(answer, StreamingHttpResponse) and answer.has_header("Content-Encoding"):
            answer.streaming_content = _packed(cast("Iterable[bytes]", pieces), self.max_random_bytes)
        return answer


def _packed(pieces: Iterable[bytes], most_random: int) -> Iterator[bytes]:
    """Each piece compressed as it comes; Django's own waits for as many as fill a block, and computes for as long."""
    buffer = StreamingBuffer()
    with GzipFile("-" * secrets.randbelow(most_random), "wb", 6, buffer, mtime=0) as packer:
        for piece in pieces:
            packer.write(piece)
            packer.flush()
            yield buffer.read()
    yield buffer.read()
