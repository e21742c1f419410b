"""Compressed answers: a list of hundreds of lines weighs a tenth, over a hall's poor network."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressionMiddleware(GZipMiddleware):
    """Django's own, for whole answers: streams of events come bit by bit, and static files lie compressed already.

    It adds random bytes to each answer, so that the length says nothing of a token in it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer, compressed where the caller takes that."""
        return response if response.streaming else super().process_response(request, response)
