"""Takes names out of the answers that are kept to be repeated: they may be of others' requests."""

import json
import re
from collections.abc import Collection
from html import escape

from journal.models import IdempotencyKey


def words_of(names: Collection[str], unless: str = r"\w") -> re.Pattern[str]:
    """Any of the names as whole words, and not before what `unless` says."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!{unless})", re.IGNORECASE)


def erase_in_kept_answers(names: Collection[str], alias: str) -> None:
    """Put `alias` in the place of the names, as JSON and HTML write them; names of fields stay.

    A repeat still gets its answer and changes nothing.
    """
    spelt = {way for name in names for way in (name, escape(name), json.dumps(name, ensure_ascii=False)[1:-1])}
    pattern, looked_for = words_of(spelt, r'\w|":'), [name.casefold() for name in spelt]
    for pk, body in IdempotencyKey.objects.exclude(body=b"").values_list("pk", "body").iterator():
        text = bytes(body).decode("utf-8", "surrogateescape")
        folded = text.casefold()
        if any(name in folded for name in looked_for):
            kept = pattern.sub(alias, text).encode("utf-8", "surrogateescape")
            IdempotencyKey.objects.filter(pk=pk).update(body=kept)
