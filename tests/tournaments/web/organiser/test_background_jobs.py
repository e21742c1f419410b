"""The page of an event's background work: its figures, its words, its one button, and that it never breaks."""

from datetime import timedelta

import pytest
from celery import Celery
from django.core.cache import cache
from django.db.models.signals import post_init

from config.celery import app
from journal.clock import database_now
from journal.models import LedgerEntry, OutboxMessage
from journal.outbox.leases import DIED, STARTS
from journal.outbox.messages import enqueue
from journal.outbox.workers import seen_workers, workers_that_answer
from rules_engine.errors import Conflict, NotFound
from scoring.sheets.services import file_sheet
from tests.queries import count_queries
from tests.tournaments.factories import account, event, next_round, running, table
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tournaments.events.selectors.background_jobs import (
    OF_SHEETS,
    WorkState,
    unfinished_work,
    work_figures,
    work_lines,
)
from tournaments.events.services.background_jobs import try_work_again
from tournaments.models import Tournament
from tournaments.sheets.services.writing import open_match_sheet
from tournaments.web.organiser.background_jobs import LINES_A_PAGE
from tournaments.web.shared.background_job_words import TASKS

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def ask(tournament: Tournament, task: str = "tournaments.play_rehearsal", **changes: object) -> OutboxMessage:
    """Work of an event in some state."""
    message = enqueue(task, [tournament.pk], database_now(), tournament.stream)
    OutboxMessage.objects.filter(pk=message.pk).update(**changes)
    return message


def quiet(**options: object) -> Tournament:
    """An event with nothing to do."""
    tournament = event(1, **options)
    OutboxMessage.objects.all().delete()
    cache.set("workers-that-answer", (["worker-1@desk"],))
    return tournament


def one_of_each(tournament: Tournament) -> dict[str, OutboxMessage]:
    now = database_now()
    return {
        "waiting": ask(tournament),
        "resting": ask(
            tournament, leased_until=now + MINUTE, available_at=now + MINUTE, starts=1, last_error="ValueError: no"
        ),
        "running": ask(tournament, leased_until=now + MINUTE, begun_at=now, worker="worker-1@desk", starts=1),
        "lost": ask(tournament, leased_until=now - MINUTE, begun_at=now - MINUTE * 2, worker="worker-2@desk"),
        "parked": ask(tournament, parked_at=now, last_error=DIED, starts=STARTS),
        "done": ask(tournament, begun_at=now, done_at=now, worker="worker-1@desk"),
    }


def test_figures_count_the_work_of_the_own_event_alone():
    tournament, now = quiet(), database_now()
    one_of_each(tournament)
    one_of_each(event(1))
    ask(tournament, begun_at=now - MINUTE * 61, done_at=now - MINUTE * 61)
    figures = work_figures(tournament, database_now())
    assert (figures.waiting, figures.running, figures.failed, figures.done) == (3, 1, 1, 1)


def test_lines_tell_the_state_of_each_and_begin_with_what_is_wrong():
    tournament = quiet()
    one_of_each(tournament)
    now = database_now()
    lines = work_lines(list(unfinished_work(tournament, now)), now)
    states = [line.state for line in lines]
    assert states[:2] == [WorkState.FAILED, WorkState.RUNNING]
    assert sorted(states[2:]) == [WorkState.RESTING, WorkState.WAITING, WorkState.WAITING]
    assert lines[0].died


def test_the_page_shows_all_of_it():
    tournament = quiet()
    one_of_each(tournament)
    text = browser("olive").get(manage(tournament, "work/")).content.decode()
    for words in ("Continue the rehearsal", "failed", "running", "retried soon", "waiting", "ValueError: no", "Retry",
                  "The worker stopped partway", "by worker-1@desk", "responds", "doesn't respond"):  # fmt: skip
        assert words in text, words


def test_a_sheet_is_told_by_its_table():
    tournament = running(6, game="doomlings", game_format="standard", score_sheets=True)
    match = table(next_round(tournament), 2)
    sheet = open_match_sheet(account("olive"), match, database_now())
    file_sheet(account("olive"), sheet, {"players": []}, database_now())
    text = browser("olive").get(manage(tournament, "work/")).content.decode()
    assert "Add up a score sheet" in text
    assert "table 2" in text


def test_try_again_unparks_and_is_in_the_log():
    tournament = quiet()
    parked = one_of_each(tournament)["parked"]
    olive = browser("olive")
    answer = olive.post(manage(tournament, "work/again/"), {"message": str(parked.pk)}, follow=True)
    assert "Retrying. Reload in a moment." in answer.content.decode()
    parked.refresh_from_db()
    assert (parked.parked_at, parked.starts) == (None, 0)
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="work.tried_again").count() == 1
    log = olive.get(manage(tournament, "log/")).content.decode()
    assert "retried a background job: Continue the rehearsal" in log


def test_only_parked_work_of_the_own_event_is_tried_again():
    tournament = quiet()
    works, others = one_of_each(tournament), one_of_each(event(1))
    with pytest.raises(Conflict):
        try_work_again(account("olive"), tournament, works["waiting"].pk, database_now())
    with pytest.raises(NotFound):
        try_work_again(account("olive"), tournament, others["parked"].pk, database_now())
    assert browser("olive").post(manage(tournament, "work/again/"), {"message": "x"}).status_code == 404


def test_the_page_takes_as_many_queries_for_many_as_for_few():
    tournament = quiet()
    olive, page, counts = browser("olive"), manage(tournament, "work/"), []
    for times in (1, 20):
        for _number in range(times):
            one_of_each(tournament)
        olive.get(page)
        counts.append(count_queries(olive.get, page))
    assert counts[0] == counts[1]


def test_a_worker_that_only_pushes_is_none_for_sheets():
    page, olive = manage(quiet(), "work/"), browser("olive")
    assert "No worker responds" not in olive.get(page).content.decode()
    cache.set("workers-that-answer", (["push-worker-1@desk"],))
    text = olive.get(page).content.decode()
    assert "No worker responds" in text
    assert "push-worker-1@desk" in text


def test_no_queue_breaks_the_page(monkeypatch):
    tournament = quiet()
    cache.delete("workers-that-answer")
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
    answer = browser("olive").get(manage(tournament, "work/"))
    assert answer.status_code == 200
    assert "doesn't respond" in answer.content.decode()


def test_a_queue_that_is_not_there_is_told_from_one_without_workers(redis_url, settings):
    assert workers_that_answer(Celery(broker="redis://127.0.0.1:1/0", set_as_current=False)) is None
    cache.delete("workers-that-answer")
    assert workers_that_answer(Celery(broker=settings.CELERY_BROKER_URL, set_as_current=False)) == []


def test_workers_are_seen_by_what_they_began():
    one_of_each(quiet())
    assert list(seen_workers(database_now())) == ["worker-1@desk", "worker-2@desk"]


def test_every_task_of_the_site_has_words():
    app.loader.import_default_modules()
    own = {name for name in app.tasks if not name.startswith(("celery.", "toy.", "trust."))}
    assert own == set(TASKS)


def test_equal_jobs_are_one_row_that_is_retried_as_one():
    tournament, now = quiet(), database_now()
    for _number in range(77):
        ask(tournament, parked_at=now, last_error="ValueError: no", starts=STARTS)
    other = ask(tournament, parked_at=now, last_error="KeyError: 3", starts=STARTS)
    olive, page = browser("olive"), manage(tournament, "work/")
    text = olive.get(page).content.decode()
    assert "× 77" in text
    assert "Retry all 77" in text
    message = OutboxMessage.objects.filter(last_error="ValueError: no").first()
    olive.post(manage(tournament, "work/again/"), {"message": str(message.pk), "alike": "1"})
    assert [each.pk for each in OutboxMessage.objects.exclude(parked_at=None)] == [other.pk]
    assert LedgerEntry.objects.filter(stream=tournament.stream, act="work.tried_again").count() == 1


def test_page_reads_only_the_jobs_that_it_shows():
    tournament, olive, now = quiet(), browser("olive"), database_now()
    sheets = [OutboxMessage(task=OF_SHEETS[0], args=[number], stream=tournament.stream, created_at=now + MINUTE,
                            available_at=now) for number in range(LINES_A_PAGE + 9)]  # fmt: skip
    OutboxMessage.objects.bulk_create(sheets)
    for _number in range(70):
        ask(tournament)
    address, read = manage(tournament, "work/"), []

    def count(instance, **_said):
        read.append(instance.pk)

    post_init.connect(count, OutboxMessage)
    try:
        first = olive.get(address)
        assert len(read) <= LINES_A_PAGE
    finally:
        post_init.disconnect(count, OutboxMessage)
    assert "× 70" in first.content.decode()
    last = olive.get(f"{address}?page=2")
    assert (first.context["page"].paginator.count, len(first.context["lines"])) == (LINES_A_PAGE + 10, LINES_A_PAGE)
    assert len(last.context["lines"]) == 10
