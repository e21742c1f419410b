"""Event files as answers of pages."""

from django.http import HttpResponse

from accounts.http.downloads import file_response
from tournaments.bundles.scopes import Scope
from tournaments.bundles.services import file_bytes, file_name
from tournaments.models import Tournament


def event_file_answer(tournament: Tournament, scope: Scope) -> HttpResponse:
    """An event file to store."""
    response = file_response(file_bytes(tournament, scope), "application/zip", file_name(tournament, scope))
    response["Cache-Control"] = "no-store"
    return response
