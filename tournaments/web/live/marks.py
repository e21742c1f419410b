"""Marks in rendered pages: what is put in anew for each reader, and what of a list one player alone is shown.

A page is cut at its marks once, when it is built. Nobody outside this process has seen what a mark is made of, so no
text of a person can hold one, and no page leaves with one in it.

For browsers that take gzip its long pieces are compressed once, and put together with what each answer has of its own.
"""

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from django.utils.safestring import SafeString

from tournaments.web.live.packing import Packed, gzipped, packed

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


CHUNK = 16384
"""Bytes of a block that are compressed together: what one player alone is shown costs the others no more than that."""
LONG = 1024
"""Bytes from which a piece of a page is compressed by itself and kept; shorter ones go with what changes beside."""

Shown = tuple[int, bytes]
"""What one player alone is shown of a block, and where."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a page that many read; `own` holds, by entry, what its player alone is shown, and where."""

    html: bytes
    own: Mapping[int, Sequence[Shown]]
    chunks: dict[int, bytes] = field(default_factory=dict, compare=False)
    """What was compressed so far, by where it begins."""

    def seen_by(self, entry: int | None) -> bytes:
        """The piece as the player of an entry sees it, or with None anybody else."""
        return _with_own(self.html, self._own_of(entry))

    def packed_for(self, entry: int | None) -> Iterator[Packed]:
        """The same compressed; anew only where something of the player's own stands."""
        own, size = self._own_of(entry), len(self.html)
        for start in range(0, max(size, 1), CHUNK):
            end = start + CHUNK
            html = self.html[start:end]
            mine = [(place - start, text) for place, text in own if start <= place < end or place == size == end]
            if mine:
                yield packed(_with_own(html, mine))
            elif start in self.chunks:
                yield Packed(html, self.chunks[start])
            else:
                yield (chunk := packed(html))
                self.chunks[start] = chunk.deflated

    def _own_of(self, entry: int | None) -> list[Shown]:
        return [] if entry is None else sorted((*self.own.get(ANYBODY, ()), *self.own.get(entry, ())))


def _with_own(html: bytes, own: Sequence[Shown]) -> bytes:
    shown, last = [], 0
    for place, text in own:
        shown += [html[last:place], text]
        last = place
    return b"".join((*shown, html[last:]))


Piece = bytes | tuple[Block, int | None] | str
"""A text, a block with the entry that looks, or the name of what is put in for each answer."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page cut at its marks."""

    pieces: tuple[Piece, ...]
    digest: str
    long: dict[int, Packed] = field(default_factory=dict, compare=False)
    """Its long texts compressed so far, by their places among the pieces."""

    def filled(self, fresh: Mapping[str, Callable[[], str]]) -> bytes:
        """The page with what belongs in its places now."""
        return b"".join(
            piece[0].seen_by(piece[1]) if isinstance(piece, tuple) else _text_of(piece, fresh) for piece in self.pieces
        )

    def filled_as_gzip(self, fresh: Mapping[str, Callable[[], str]]) -> bytes:
        """The same, compressed."""
        return gzipped(self._packed(fresh))

    def with_text(self, name: str, text: str) -> "Page":
        """The page with a text for good at the marks of a name, and texts that stand behind each other as one."""
        pieces: list[Piece] = []
        for piece in self.pieces:
            made = text.encode() if piece == name else piece
            if isinstance(made, bytes) and pieces and isinstance(pieces[-1], bytes):
                pieces[-1] += made
            else:
                pieces.append(made)
        return Page(tuple(pieces), self.digest)

    def _packed(self, fresh: Mapping[str, Callable[[], str]]) -> Iterator[Packed]:
        for is_short, pieces in groupby(enumerate(self.pieces), lambda each: _is_short(each[1])):
            if is_short:
                yield packed(b"".join(_text_of(piece, fresh) for _place, piece in pieces))
                continue
            for place, piece in pieces:
                if isinstance(piece, tuple):
                    yield from piece[0].packed_for(piece[1])
                    continue
                if place not in self.long:
                    self.long[place] = packed(_text_of(piece, fresh))
                yield self.long[place]


def _is_short(piece: Piece) -> bool:
    return isinstance(piece, str) or (isinstance(piece, bytes) and len(piece) < LONG)


def _text_of(piece: Piece, fresh: Mapping[str, Callable[[], str]]) -> bytes:
    assert not isinstance(piece, tuple), "blocks are put in by themselves"
    return piece if isinstance(piece, bytes) else fresh[piece]().encode()


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
    pieces: list[Piece] = []
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
