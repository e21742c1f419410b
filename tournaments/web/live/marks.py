"""Marks in rendered pages: what is put in anew for each reader, and what of a list one player alone is shown.

A page is cut at its marks once, when it is built. Nobody outside this process has seen what a mark is made of, so no
text of a person can hold one, and no page leaves with one in it.
"""

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

MARK = secrets.token_hex(16)
CSRF, KEY, ETAG, PASSING, BLOCK = "csrf", "key", "etag", "passing", "block"
ANYBODY = 0
"""Stands for every player of the event where `own` wants an entry."""


def mark(name: object, text: str = "") -> SafeString:
    """A mark with its name, and the text that it stands for."""
    return SafeString(f"{MARK}{name}:{text}{MARK}")


MARKS: Mapping[str, object] = {
    "csrf_token": mark(CSRF), "idempotency_mark": mark(KEY), "etag": mark(ETAG), "is_cut": True,
}  # fmt: skip
"""What the template of a page is given that will be cut."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page that many read; `own` holds, by entry, what its player alone is shown, and where."""

    html: bytes
    own: Mapping[int, Sequence[tuple[int, bytes]]]

    def seen_by(self, entry: int | None) -> bytes:
        """The piece as the player of an entry sees it, or with None anybody else."""
        if entry is None:
            return self.html
        shown, last = [], 0
        for place, text in sorted((*self.own.get(ANYBODY, ()), *self.own.get(entry, ()))):
            shown += [self.html[last:place], text]
            last = place
        return b"".join((*shown, self.html[last:]))


@dataclass(frozen=True, slots=True)
class Page:
    """A page cut at its marks: texts, blocks with the entry that looks, and names of what is put in for each answer."""

    pieces: tuple[bytes | tuple[Block, int | None] | str, ...]
    digest: str

    def filled(self, fresh: Mapping[str, Callable[[], str]]) -> bytes:
        """The page with what belongs in its places now."""
        return b"".join(
            piece if isinstance(piece, bytes) else fresh[piece]().encode() if isinstance(piece, str)
            else piece[0].seen_by(piece[1])
            for piece in self.pieces
        )  # fmt: skip


def cut_block(html: str) -> Block:
    """A rendered block, cut at what `own` marked in it."""
    own: dict[int, list[tuple[int, bytes]]] = defaultdict(list)
    texts, length = [], 0
    for place, piece in enumerate(html.encode().split(MARK.encode())):
        if place % 2:
            entries, _colon, text = piece.partition(b":")
            for entry in entries.split():
                own[int(entry)].append((length, text))
        else:
            texts.append(piece)
            length += len(piece)
    return Block(b"".join(texts), dict(own))


def cut_page(body: bytes, blocks: Sequence[tuple[Block, int | None]]) -> Page:
    """A rendered page, cut at its marks. What passes by the clock alone is no part of its digest."""
    pieces: list[bytes | tuple[Block, int | None] | str] = []
    says = hashlib.sha256()
    for place, piece in enumerate(body.split(MARK.encode())):
        name, _colon, text = piece.partition(b":")
        if place % 2 == 0:
            pieces.append(piece)
            says.update(piece)
        elif name.decode() == PASSING:
            pieces.append(text)
        elif name.decode() == BLOCK:
            pieces.append(blocks[int(text)])
            says.update(blocks[int(text)][0].seen_by(blocks[int(text)][1]))
        else:
            pieces.append(name.decode())
    return Page(tuple(pieces), says.hexdigest()[:32])
