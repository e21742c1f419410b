"""The page of an event's background work: what waits, who works, what went wrong and may be tried again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from journal.clock import database_now
from journal.outbox.fallback_worker import PREFIX
from journal.outbox.queues import PUSH_WORKER
from journal.outbox.workers import seen_workers, workers_that_answer
from rules_engine.errors import NotFound
from tournaments.bundles.copies import copy_of
from tournaments.core.round_names import round_name
from tournaments.events.selectors.background_jobs import (
    WorkLine,
    alike_work,
    work_figures,
    work_lines,
)
from tournaments.events.services.background_jobs import try_work_again
from tournaments.models import Tournament
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.events import manage_url
from tournaments.web.shared.background_job_words import task_words

LINES_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class ShownWork:
    """A line with its words: what it is, the round and table it is about, and how many equal ones it stands for."""

    line: WorkLine
    words: str
    about: str
    count: int


@dataclass(frozen=True, slots=True)
class ShownWorker:
    """Who works: a name, whether it answers now, whether it is a web process that stands in, and when it last began."""

    name: str
    answers: bool
    stands_in: bool
    seen_at: datetime | None


@event_view("event.work", fresh=True)
def manage_work(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/work/?page=…: the figures, what is not done, the workers."""
    now = database_now()
    page = Paginator(alike_work(tournament, now), LINES_A_PAGE).get_page(request.GET.get("page"))
    answering = workers_that_answer(current_app)
    context = {
        "here": "work",
        "figures": work_figures(tournament, now),
        "page": page,
        "lines": [_shown(line) for line in work_lines(list(page), now)],
        "queue_answers": answering is not None,
        "any_answers": any(not name.startswith(PUSH_WORKER) for name in answering or []),
        "folder": settings.COPIES,
        "copy": copy_of(tournament),
        "workers": _workers(answering or [], seen_workers(now)),
    }
    return render_event(request, tournament, "organiser/background_jobs.html", context)


@event_view("event.work", "POST")
def try_again(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/work/again/ (message, alike): retry a failed job, or all that failed like it."""
    try:
        message = UUID(request.POST.get("message", ""))
    except ValueError:
        raise NotFound("unknown_work", _("This event has no such job.")) from None
    back = manage_url(tournament, "manage_work")
    done = _("Retrying. Reload in a moment.")
    alike = "alike" in request.POST
    return run_action(
        request,
        lambda: try_work_again(request.actor, tournament, message, database_now(), with_alike=alike),
        done,
        back,
    )


def _shown(line: WorkLine) -> ShownWork:
    match = line.match
    about = ""
    if match is not None:
        about = _("%(round)s, table %(number)s") % {"round": round_name(match.round), "number": match.table_number}
    return ShownWork(line, task_words(line.message.task), about, getattr(line.message, "alike", 1))


def _workers(answering: list[str], seen: Mapping[str, datetime]) -> list[ShownWorker]:
    names = sorted({*answering, *seen}, key=lambda name: (name not in answering, name))
    return [ShownWorker(name, name in answering, name.startswith(PREFIX), seen.get(name)) for name in names]
