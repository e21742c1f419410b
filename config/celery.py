"""The Celery application; tasks are found in the apps' tasks modules and only ever named by the relay."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.laptop")
app = Celery("doomdesk", task_cls="journal.outbox.background_jobs:Work")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
