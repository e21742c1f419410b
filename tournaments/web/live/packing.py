"""Gzip of texts that were compressed each for itself, so that what many answers hold is compressed once.

A deflate stream may be cut wherever its compressor was flushed (RFC 1951): pieces of fresh compressors, each flushed to
a whole byte, are one stream when they stand behind each other. Only the sum over all texts, which ends a gzip file (RFC
1952), is computed for each answer.
"""

import secrets
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

MAGIC, DEFLATE, HAS_NAME, UNKNOWN = b"\x1f\x8b", 8, 8, 255
END = b"\x03\x00"
"""An empty last piece."""
MOST_RANDOM = 100
"""Bytes by which answers of the same length differ at random, as in Django's own compression: the length of an answer
says nothing of a token in it."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A text, and what it is compressed."""

    text: bytes
    deflated: bytes


def packed(text: bytes) -> Packed:
    """A text compressed so that it can stand anywhere among others."""
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return Packed(text, compressor.compress(text) + compressor.flush(zlib.Z_SYNC_FLUSH))


def gzipped(pieces: Iterable[Packed]) -> bytes:
    """A gzip file of all texts, one behind the other."""
    checksum, size, parts = 0, 0, [_head()]
    for each in pieces:
        checksum, size = zlib.crc32(each.text, checksum), size + len(each.text)
        parts.append(each.deflated)
    return b"".join((*parts, END, struct.pack("<LL", checksum, size % 2**32)))


def _head() -> bytes:
    name = b"a" * secrets.randbelow(MOST_RANDOM)
    return struct.pack("<2sBBLBB", MAGIC, DEFLATE, HAS_NAME, 0, 0, UNKNOWN) + name + b"\0"
