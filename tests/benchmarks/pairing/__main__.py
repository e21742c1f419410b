"""Our pairing beside its peers on the same states, in one run: prints the targets as ratios.

See docs/how-it-works/pairing.md#targets.

`.venv/bin/python -m tests.benchmarks.pairing`, once ./test has installed its requirements. The peers (swisspair,
cardarena-tournament-core, rustworkx on the full graph, krcg for tables) come from the package index into an
environment of their own below var/, pinned by requirements/bench.txt; the first run makes it and needs the network.

What is timed is the engine's call alone, in processor time, for the machine may be busy: ours is the whole of
`pair_swiss` (hash of the input, seats, tables, cost and proof included); the peers' sets of past opponents and the full
graph are built beforehand. Missed targets are printed as such; the command ends with 0 all the same. `--largest 1024`
leaves the larger fields out.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PINS = ROOT / "requirements" / "bench.txt"


def main() -> None:
    """Run the measurements in the environment of the peers, made when it is missing."""
    python = _environment() / "bin" / "python"
    command = [str(python), "-m", "tests.benchmarks.pairing.run", *sys.argv[1:]]
    raise SystemExit(subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}).returncode)


def _environment() -> Path:
    """The environment with exactly the pinned peers; another file of pins makes another one."""
    digest = hashlib.sha256(PINS.read_bytes()).hexdigest()[:12]
    folder = Path(os.environ.get("DOOMDESK_VAR") or ROOT / "var").resolve() / f"benchmark-{digest}"
    if not (folder / "complete").exists():
        uv = Path(sys.executable).with_name("uv")
        _do(str(uv), "venv", "--clear", "--python", sys.executable, str(folder))
        _do(str(uv), "pip", "install", "--python", str(folder), "--require-hashes", "-r", str(PINS))
        (folder / "complete").touch()
    return folder


def _do(*command: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise SystemExit(f"The peers cannot be installed: {error} (run ./test once, it installs uv).") from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise SystemExit(f"The peers cannot be installed: {' '.join(last)} (is the network there?).")


if __name__ == "__main__":
    main()
