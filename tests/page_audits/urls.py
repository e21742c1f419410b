"""The site's addresses, and one for the page of each error."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _

from accounts.http.access import access
from config import urls
from config.bodies import MAX_BYTES
from config.errors import BUSY, NOTED, error_response, plain_error
from config.urls import handler400, handler403, handler404, handler429, handler500
from rules_engine.errors import BadInput, Conflict, DomainError, TooMany

__all__ = ["handler400", "handler403", "handler404", "handler429", "handler500", "urlpatterns"]
ERRORS = {
    400: BadInput("bad_request", _("The request could not be read.")),
    409: Conflict("clock_runs", _("The clock was started already.")),
    422: DomainError("bad_event", _("This way to play belongs to another format.")),
    429: TooMany("too_many", _("Too many tries. Try again in a few minutes.")),
}
PLAIN = {
    413: ("too_large", _("Too large: the limit is %(most)d MiB. Nothing was saved.")),
    500: ("error", NOTED),
    503: ("busy", BUSY),
}
"""Pages that ask neither who calls nor the database."""


@access("public")
def error(request: HttpRequest, status: int) -> HttpResponse:
    """The page that answers with this status."""
    if status in ERRORS:
        return error_response(request, ERRORS[status])
    code, text = PLAIN[status]
    return plain_error(request.path, status, code, str(text).replace("%(most)d", str(MAX_BYTES >> 20)))


urlpatterns = [path("errors/<int:status>/", error), *urls.urlpatterns]
