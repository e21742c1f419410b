"""Django's sessions in the database, read by a query whose SQL is made once: every request reads one."""

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.db.models.functions import Now

from journal.compiled_queries import compiled_once


class SessionStore(db.SessionStore):
    """A session ends by the database's clock; all else is Django's."""

    def load(self) -> dict[str, Any]:
        """What is stored under the key; nothing, and the key is dropped, where no session lives under it."""
        for data in _data_of(self.session_key):
            return self.decode(data)
        self._session_key = None
        return {}


@compiled_once
def _data_of(key: str) -> QuerySet[Session, str]:
    return Session.objects.filter(session_key=key, expire_date__gt=Now()).values_list("session_data", flat=True)
