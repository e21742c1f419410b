"""Puts what `./test --long` tried last into docs/reference/long-run.md, where what was not tried stays as it was.

`python -m tests.figures` reads the reports of that run; it may have been of some files only: the page fills in parts.
The promises are those of docs/how-it-works/trust.md.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from launch.places import ROOT
from tests.progress import ENDED, SEED, TRIED

REPORTS = ROOT / "var/tests"
PAGE = ROOT / "docs/reference/long-run.md"
TRUST = ROOT / "docs/how-it-works/trust.md"
RULE = "| --- | --- | --- | --- | --- | --- | --- |\n"
"""Of its table, below which it is written."""
PROMISE = re.compile(r'<a id="[a-z]\d+"></a>([A-Z]\d+) ')
LINE = re.compile(r"(\w+) \d\d:\d\d:\d\d ([^\t]+)(?:\t(.*))?")


@dataclass(frozen=True, slots=True)
class Row:
    """A test of full figures on one database: its cases that passed, of how many, and how often each tried."""

    test: str
    on: str
    passed: int
    cases: int
    tried: str
    seed: str
    day: str

    @property
    def key(self) -> str:
        """The cells by which its line is found again."""
        return f"`{self.test}` | {self.on} |"

    def line(self, promises: str) -> str:
        """Its line of the table."""
        cases = f"{self.passed} of {self.cases}"
        return f"| {promises} | {self.key} {cases} | {self.tried} | {self.seed} | {self.day} |\n"


def rows_of(report: Path) -> Iterator[Row]:
    """What a report of a long run says of each test that it saw to its end."""
    day = datetime.fromtimestamp(report.stat().st_mtime, UTC).date().isoformat()
    seed, cases, tried = "", defaultdict[str, int](int), defaultdict[str, list[str]](list)
    for line in report.read_text(errors="replace").splitlines():
        if line.startswith(SEED):
            seed = line.split()[1]
        elif found := LINE.fullmatch(line):
            word, name, figure = found.groups()
            test = name.partition("[")[0]
            if word == ENDED:
                cases[test] += 1
            elif word == TRIED:
                tried[test].append(figure or "")
    on = "SQLite" if "sqlite" in report.name else "PostgreSQL"
    for test, figures in tried.items():
        yield Row(test, on, len(figures), cases[test], ", ".join(sorted(set(filter(None, figures)))), seed, day)


def promises(test: str) -> str:
    """The promises whose row names the file of a test."""
    file = test.partition("::")[0]
    rows = (line for line in TRUST.read_text().splitlines() if file in line)
    return " ".join(found.group(1) for found in map(PROMISE.search, rows) if found)


def main() -> int:
    """Write the page; 1 where the reports are of no long run."""
    rows = [row for report in sorted(REPORTS.glob("*.txt")) for row in rows_of(report)]
    if not rows:
        print(f"{REPORTS.relative_to(ROOT)}/ holds no long run: start ./test --long, whole or with paths.")
        return 1
    head, rule, before = PAGE.read_text().partition(RULE)
    lines = {row.key: row.line(promises(row.test)) for row in rows}
    kept = [line for line in before.splitlines(keepends=True) if not any(key in line for key in lines)]
    PAGE.write_text(head + rule + "".join(sorted([*kept, *lines.values()], key=lambda line: line.partition("`")[2])))
    print(f"{len(rows)} lines of {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
