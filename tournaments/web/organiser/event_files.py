"""The whole event as one file, for its organisers."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.http.requests import ActorRequest
from tournaments.bundles.scopes import Scope
from tournaments.models import Tournament
from tournaments.web.frame.event_view import event_view
from tournaments.web.shared.event_files import event_file_answer


@event_view("event.settings")
@never_cache
@require_safe
def whole_file(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/event.zip: everything but contact data and lists of cards that are not shown yet."""
    return event_file_answer(tournament, Scope.WHOLE)
