"""Reads the edits that a page of docs/develop/ tells people to make, and makes them in a copy of the tree."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"```\w+\n# (append to|replace in|create) (\S+)\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Edit:
    """`old` of a file becomes `new`; without `old` the file gets `new` at its end, and is made if it is not there."""

    path: str
    old: str
    new: str

    def apply(self, root: Path) -> None:
        """Change the file below `root`; ValueError where `old` is not found exactly once."""
        path = root / self.path
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if self.old and text.count(self.old) != 1:
            raise ValueError(f"{self.path} holds {self.old!r} {text.count(self.old)} times")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace(self.old, self.new) if self.old else f"{text}\n\n{self.new}".lstrip(), "utf-8")


def edits_of(page: Path) -> Iterator[Edit]:
    """Every edit that the page names in the first line of a block of code."""
    for act, path, body in BLOCK.findall(page.read_text(encoding="utf-8")):
        old, _by, new = body.partition("\n# by\n") if act == "replace in" else ("", "", body)
        yield Edit(path, old, new.removesuffix("\n") if old else new)
