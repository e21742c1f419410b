"""The arithmetic of the ledger: salted digests of personal values, and the hash that chains the entries. Pure."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

Subject = str | int | bool | None
Contents = dict[str, Any]
"""Digests of the rows that an act wrote, by "kind:key" in "rows", behind one "salt" (hex); {} where it wrote none."""


@dataclass(frozen=True, slots=True)
class Act:
    """What one ledger entry states; `at` is aware. `contents` is None for entries older than digests of contents."""

    stream: str
    sequence: int
    at: datetime
    actor: str
    role: str
    act: str
    subjects: Mapping[str, Subject]
    digests: Mapping[str, str]
    contents: Contents | None = None


def compute_digest(salt: str, value: str) -> str:
    """SHA-256 (hex) of a personal value behind its salt (hex)."""
    return hashlib.sha256(bytes.fromhex(salt) + value.encode("utf-8")).hexdigest()


def compute_hash(previous_hash: str, act: Act) -> str:
    """SHA-256 (hex) over a canonical JSON of the act and the hash of the entry before ("" for the first)."""
    stated = [
        previous_hash,
        act.stream,
        act.sequence,
        act.at.astimezone(UTC).isoformat(timespec="microseconds"),
        act.actor,
        act.role,
        act.act,
        dict(act.subjects),
        dict(act.digests),
    ]
    if act.contents is not None:
        stated.append(act.contents)
    text = json.dumps(stated, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
