"""The queues of background work: what waits for servers of others has one of its own (CELERY_TASK_ROUTES)."""

from celery import Celery
from django.db.models import Q

PUSH_WORKER = "push-worker-"
"""What the names of workers begin with that only push (`launch.roles`)."""


def messages_by_queue(app: Celery) -> dict[str, Q]:
    """For each queue which outbox messages go through it; the default queue carries all that has no route."""
    routed: dict[str, list[str]] = {}
    for task, route in (app.conf.task_routes or {}).items():
        routed.setdefault(route["queue"], []).append(task)
    rest = ~Q(task__in=[task for tasks in routed.values() for task in tasks])
    return {app.conf.task_default_queue: rest, **{queue: Q(task__in=tasks) for queue, tasks in routed.items()}}
