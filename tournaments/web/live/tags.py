"""The ETag of a page of which open pages are sent again only what results of others change."""

import re
from dataclasses import dataclass
from time import time

from accounts.http.numbers import read_number

WHOLE_SECONDS = 120
"""For how long an open page is sent only its rest; then all of it, for what changes by the clock."""
FORM = re.compile(r'W/"(\w+)\.(\w+)\.(\w+)\.(\w+)"')


@dataclass(frozen=True, slots=True)
class Tag:
    """Digests of a page as it was built and of its rest as sent last, of which version it is, and when it was built.

    `own` names the viewer and everything but the results of others; `built` is in seconds since 1970.
    """

    page: str
    rest: str
    own: str
    built: int

    def __str__(self) -> str:
        """As a header says it."""
        return f'W/"{self.page}.{self.rest}.{self.own}.{self.built}"'

    def shows(self, own: str) -> bool:
        """Whether this is a viewer's newest page but for its rest, and young enough to be sent only that."""
        return self.own == own and abs(time() - self.built) < WHOLE_SECONDS


def read_tag(text: str) -> Tag | None:
    """The tag of a header; None for any other ETag."""
    found = FORM.fullmatch(text)
    built = read_number(found[4]) if found else None
    return Tag(found[1], found[2], found[3], built) if found and built is not None else None


def is_same(asked: str, etag: str) -> bool:
    """Whether who asked with one ETag has what another one names, whenever it was built and whatever else happened."""
    has, newest = read_tag(asked), read_tag(etag)
    return asked == etag if has is None or newest is None else (has.page, has.rest) == (newest.page, newest.rest)
