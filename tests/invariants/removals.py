"""Guards taken out one at a time, in a copy of the tree: each proof must then fail.

`python -m tests.invariants.removals` tries them all and prints a table; `--only WORD` those that name the word.
`--write` also puts what was found into docs/reference/guards.md, where what was not tried stays as it was.
The list is `removals.toml`. The promises are those of docs/how-it-works/trust.md.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from launch.places import ROOT, VENV

TABLE = Path(__file__).with_suffix(".toml")
PAGE = ROOT / "docs/reference/guards.md"
RULE = "| --- | --- | --- | --- | --- | --- |\n"
"""Of its table, below which it is written."""
LIMIT = 15 * 60
"""Seconds that one proof may take, on a loaded machine too; all together have as much for each."""
COUNTED = re.compile(r"^(\d+) passed, (\d+) failed", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Removal:
    """A guard that keeps a promise, the whole lines that are it, what takes their place, and the tests that notice."""

    promise: str
    guard: str
    file: str
    line: str
    instead: str
    proof: str

    @property
    def row(self) -> str:
        """The first cells of its line in `PAGE`."""
        proofs = "<br>".join(f"`{proof}`" for proof in self.proof.split())
        return f"| {self.promise.upper()} | {self.guard} | `{self.file}` | {proofs} |"

    def taken_out(self, source: str) -> str:
        """The source without the guard; ValueError where its lines are not there exactly once."""
        line = self.line.strip("\n")
        pattern = re.compile(rf"^{re.escape(line)}$", re.MULTILINE)
        if len(found := pattern.findall(source)) != 1:
            raise ValueError(f"{self.file} has these lines {len(found)} times: {line}")
        return pattern.sub(lambda _match: self.instead, source)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run of proofs ended: tests that passed and failed, what was printed, and the seconds it took."""

    passed: int
    failed: int
    printed: str
    seconds: float


def read_removals() -> list[Removal]:
    return [Removal(**row) for row in tomllib.loads(TABLE.read_text())["removal"]]


@contextmanager
def copied_tree() -> Iterator[Path]:
    """A copy of what git knows of this tree, with its environment, gone at the end."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="dd-removals-") as folder:
        tree = Path(folder)
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).is_file():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, tree / name)
        (tree / VENV.name).symlink_to(VENV)
        yield tree


def run_proofs(tree: Path, proofs: Sequence[str]) -> Outcome:
    """Run tests in a copy by its own ./test, with servers of their own; raises TimeoutExpired."""
    began = time.monotonic()
    own = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    command = [sys.executable, "test", *proofs, "-q", "-p", "no:cacheprovider"]
    with subprocess.Popen(
        command, cwd=tree, env=own, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        try:
            printed, _nothing = process.communicate(timeout=LIMIT * len(proofs))
        except BaseException:
            process.terminate()  # ./test then ends all that it started
            raise
    counts = COUNTED.findall(printed)
    passed, failed = (int(count) for count in counts[-1]) if counts else (0, 0)
    return Outcome(passed, failed, printed, time.monotonic() - began)


def try_removal(tree: Path, removal: Removal) -> Outcome:
    """Run a removal's proof without its guard, and put the guard back."""
    path = tree / removal.file
    source = path.read_text()
    path.write_text(removal.taken_out(source))
    try:
        return run_proofs(tree, removal.proof.split())
    finally:
        path.write_text(source)


def write_page(red: Mapping[str, Outcome]) -> None:
    """Put what was tried now, by the removal's row, into `PAGE`; what else stands there stays if the list has it."""
    today = datetime.now(UTC).date().isoformat()
    head, rule, before = PAGE.read_text().partition(RULE)
    lines = [f"{row} {each.failed} of {each.passed + each.failed} | {today} |" for row, each in red.items()]
    lines += [line for line in before.splitlines() if not line.startswith(tuple(red))]
    listed = tuple(each.row for each in read_removals())
    PAGE.write_text(head + rule + "".join(f"{line}\n" for line in sorted(lines, key=_order) if line.startswith(listed)))


def _order(line: str) -> tuple[int, int, str]:
    """The order of the promises in their document, then that of the words."""
    name = line.split()[1]
    return "RPSJDATIOGLV".index(name[0]), int(name[1:]), line


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the removals and print the table; 1 where a proof is red with its guard or stays green without it."""
    parser = argparse.ArgumentParser(prog="python -m tests.invariants.removals", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORD", help="only removals whose promise, guard or file has it")
    parser.add_argument("--write", action="store_true", help=f"put what is found into {PAGE.relative_to(ROOT)}")
    options = parser.parse_args(arguments)
    only = options.only
    chosen = [each for each in read_removals() if only in (each.promise, each.file) or only in each.guard]
    with copied_tree() as tree:
        print("With every guard in its place …", flush=True)
        whole = run_proofs(tree, sorted({proof for each in chosen for proof in each.proof.split()}))
        print(f"{whole.passed} passed, {whole.failed} failed ({whole.seconds:.0f} s)", flush=True)
        if whole.failed or not whole.passed:
            print(whole.printed)
            return 1
        red: dict[str, Outcome] = {}
        for removal in chosen:
            outcome = try_removal(tree, removal)
            if outcome.failed:
                red[removal.row] = outcome
            word = "red  " if outcome.failed else "GREEN"
            print(f"{word} {removal.promise.upper():4} {removal.guard} ({outcome.seconds:.0f} s)", flush=True)
        print(f"{len(chosen)} guards taken out, {len(red)} noticed")
    if options.write:
        write_page(red)
    return 0 if len(red) == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
