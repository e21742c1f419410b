"""Compressed answers: a list of hundreds of lines weighs a tenth, over a hall's poor network."""

from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressionMiddleware(GZipMiddleware):
    """Django's own, but for what comes as it happens: streams of events, and static files, compressed already.

    It adds random bytes to each answer, so that the length says nothing of a token in it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer, compressed where the caller takes that."""
        stays = isinstance(response, FileResponse) or response.get("Content-Type", "").startswith("text/event-stream")
        return response if stays else super().process_response(request, response)
