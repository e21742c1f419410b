"""The project as an app: its start checks, its commands, and the Celery application known to every process."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.backends.signals import connection_created

from config.celery import app as celery_app
from config.checks import check_postgres, check_queue, refuse_unsafe_sqlite


class DoomdeskConfig(AppConfig):
    """Loads the Celery application and arms the checks."""

    name = "config"
    verbose_name = "Doomdesk"
    celery_app = celery_app

    def ready(self) -> None:
        """Arm the checks before the first connection is made."""
        register(check_queue, Tags.compatibility)
        register(check_postgres, Tags.database)
        connection_created.connect(refuse_unsafe_sqlite, dispatch_uid="config.refuse_unsafe_sqlite")
