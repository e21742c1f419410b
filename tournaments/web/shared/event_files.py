"""Event files as answers of pages."""

from django.http import HttpResponse

from tournaments.bundles.scopes import Scope
from tournaments.bundles.services import file_bytes, file_name
from tournaments.models import Tournament


def event_file_answer(tournament: Tournament, scope: Scope) -> HttpResponse:
    """An event file to store."""
    response = HttpResponse(file_bytes(tournament, scope), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{file_name(tournament, scope)}"'
    response["Cache-Control"] = "no-store"
    return response
