"""The one who acts, as every service sees it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.utils.translation import gettext as _

from accounts.models import Person, User

Via = Literal["session", "link", "token", "table", "command", "anonymous"]


@dataclass(frozen=True, slots=True)
class Actor:
    """An account (`user`, with `person` once there is one), a person by link, a command, or nobody we know.

    A link with a scope (`link_scope`) gives no rights anywhere else. Via "table" it is whoever opened the code on a
    table: nobody by name; `table_code` is the code's id, `table_number` the table it lies on, and `table_phone` tells
    the devices that opened it apart. `link` is the id of the personal link, `issuer` the account that made link or code
    and so knows it too, 0 where nobody did; `device` tells the browsers and addresses of one day apart. A site admin
    `is_proved` in a session that a code of the second factor opened.
    """

    user: User | None
    person: Person | None
    via: Via
    link_issued_at: datetime | None = None
    link_scope: str = ""
    table_code: int = 0
    table_number: int = 0
    table_phone: str = ""
    is_proved: bool = False
    link: int = 0
    issuer: int = 0
    device: str = ""

    @property
    def key(self) -> str:
        """A stable id without a name: "user:12", "person:5", "table:7:k3f9", "system" or "anonymous"."""
        if self.user is not None:
            return f"user:{self.user.pk}"
        if self.person is not None:
            return f"person:{self.person.pk}"
        if self.via == "table":
            return f"table:{self.table_code}:{self.table_phone}"
        return "system" if self.via == "command" else "anonymous"

    @property
    def label(self) -> str:
        """What to call the actor on a page."""
        if self.user is not None:
            return self.user.get_full_name()
        if self.person is not None:
            return self.person.name
        if self.via == "table":
            return _("Table %(number)d") % {"number": self.table_number}
        return _("the system") if self.via == "command" else _("a visitor")

    @property
    def came_by(self) -> dict[str, int]:
        """What a ledger says beside the key: the personal link, and the account that issued link or code, by id."""
        return {name: number for name, number in (("link", self.link), ("issuer", self.issuer)) if number}

    @property
    def is_known(self) -> bool:
        """Signed in with an account, or here by a personal link."""
        return self.user is not None or self.person is not None


SYSTEM = Actor(None, None, "command")
ANONYMOUS = Actor(None, None, "anonymous")
