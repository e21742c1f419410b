"""Forms of what is stored: sent from an old page they store nothing over what another person saved."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext

from accounts.http.service_errors import call_service
from journal.marks import mark_of
from journal.transactions import in_transaction

T = TypeVar("T")


class StoredForm(forms.Form):
    """A form of values that are stored. Sent from a page that showed other ones, it says what is stored now and keeps
    what was typed: sent again it replaces that."""

    def __init__(self, data: QueryDict | None = None, *, stored: Callable[[], dict[str, Any]], **kwargs: Any) -> None:
        """`stored` reads the values, those that JSON knows; `store` reads them once more."""
        super().__init__(data, initial=stored(), **kwargs)
        self._read = stored

    @property
    def seen(self) -> str:
        """A short mark of the stored values, which the page sends along."""
        return mark_of(self.initial)

    def clean(self) -> dict[str, Any]:
        """Refuse what comes from a page that showed other values than those stored now."""
        self._is_as_seen()
        return self.cleaned_data

    def store(self, lock: Callable[[], None], act: Callable[[], T]) -> T | None:
        """`call_service` for `act`, unless the values changed since the page showed them.

        `lock` takes the lock under which they change, and has what is read afterwards be what is stored by then: of two
        people who save at once the second one is refused.
        """

        @in_transaction
        def act_as_seen() -> T | None:
            lock()
            self.initial = self._read()
            return act() if self._is_as_seen() else None

        return call_service(self, act_as_seen)

    def _is_as_seen(self) -> bool:
        """Whether the page showed what is stored; if not, an error says what that is."""
        if self.data.get("seen", self.seen) == self.seen:
            return True
        said = gettext(
            "Not saved: another person has changed this since you opened the page. Stored now: %(values)s. "
            "Save again to replace it."
        )
        self.add_error(None, said % {"values": ", ".join(self._stored()) or "–"})
        return False

    def _stored(self) -> Iterator[str]:
        """The stored values in words."""
        for name, field in self.fields.items():
            labels, value = dict(getattr(field, "choices", ())), self.initial.get(name)
            yield from (str(labels.get(each, each)) for each in (value if isinstance(value, list) else [value]) if each)
