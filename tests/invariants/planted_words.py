"""Words planted in one secret deck, and how they are found in what is stored or sent, packed or not."""

import base64
import binascii
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from zipfile import BadZipFile, ZipFile

PLANTED = ("ombrelune", "quorvexian", "vashtinull")
"""In the deck's name, in a card's, in the Master Plan's."""
BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{24,}")
URL_SAFE = bytes.maketrans(b"+/", b"-_")
HEX = re.compile(rb"\\x((?:[0-9a-f]{2}){12,})")
DEFLATED = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")


def words_in(raw: bytes, layers: int = 3) -> set[str]:
    """The planted words in something, as they are, encoded or packed."""
    folded = raw.lower()
    found = {word for word in PLANTED if word.encode() in folded}
    return found.union(*(words_in(inner, layers - 1) for inner in unpacked(raw))) if layers else found


def unpacked(raw: bytes) -> Iterator[bytes]:
    """What lies in something by base64, in hexadecimal digits, deflated or zipped."""
    for text in BASE64.findall(raw):
        with suppress(binascii.Error):
            yield base64.urlsafe_b64decode(text.translate(URL_SAFE) + b"=" * (-len(text) % 4))
    yield from (binascii.unhexlify(text) for text in HEX.findall(raw))
    for start in DEFLATED.finditer(raw):
        with suppress(zlib.error):
            yield zlib.decompressobj(wbits=47).decompress(raw[start.start() :])
    if b"PK\x03\x04" in raw:
        with suppress(BadZipFile), ZipFile(io.BytesIO(raw[raw.index(b"PK\x03\x04") :])) as file:
            yield from map(file.read, file.namelist())
