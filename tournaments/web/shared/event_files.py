"""Event files as answers of pages."""

from django.http import HttpResponse

from tournaments.bundles.scopes import Scope
from tournaments.bundles.services import event_file, file_name
from tournaments.models import Tournament


def event_file_answer(tournament: Tournament, scope: Scope) -> HttpResponse:
    """An event file to store; packed as it is, even one of thousands of players takes a few megabytes."""
    with event_file(tournament, scope) as file:
        response = HttpResponse(file.read(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{file_name(tournament, scope)}"'
    response["Cache-Control"] = "no-store"
    return response
