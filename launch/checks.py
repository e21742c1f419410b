"""`./test`: every check and every test, against real servers, with one summary at the end."""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from launch import valkey
from launch.browser import find_browser, install_browser
from launch.children import Child, Crew, say
from launch.environment import prepare_environment
from launch.failures import Unusable, guarded
from launch.passes import REPORTS, Outcome, Pass
from launch.places import PYTHON, ROOT
from launch.postgres import Postgres
from launch.scripts import LEFT_OUT

HELP = """usage: ./test [--full | --long] [--seed N] [pytest arguments…]
  Starts a real PostgreSQL and Valkey, then runs the linters, the type check, Django's checks and pytest on PostgreSQL
  and, for what differs, on SQLite. The dearest tests are left out and the dear ones sampled by the seed; the last lines
  say how many. --full runs all tests, --long the full figures that --full leaves out, and those alone. Paths among the
  arguments narrow it to those tests, all of them.
  DATABASE_URL=postgresql://… and REDIS_URL=… use servers of your own, CHROMIUM=… a browser of your own.
  DOOMDESK_MINUTES=… ends the run then and not after 85 minutes: a machine that does other work, too, needs longer.
  What ran, what failed and what runs now is written to var/tests/ as it goes."""

DEPLOY = {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "SECRET_KEY": secrets.token_urlsafe(64),
    "ALLOWED_HOSTS": "desk.example",
    "CSRF_TRUSTED_ORIGINS": "https://desk.example",
}
TOGETHER = 3
"""In how many processes the longest pass of pytest runs: on two cores, as each waits a third of its time for browsers
and servers."""
QUICK, FULL, LONG = "--quick", "--full", "--long"
"""How much is run; pytest knows the first and the last, which goes on where `--full` ends."""
MINUTES, MINUTES_LONG = 85, 24 * 60
"""When the whole run is ended, whatever it does: before a CI of 90 minutes is; with full figures after a day."""
BUDGET = 0.08
"""What share of the time of all tests one file may take, whatever the machine: the dearest, which waits for real, takes
4 % of all tests and 7 % of the quick ones."""
STATIC = {
    "mypy": ["-m", "mypy", "."],
    "ruff check": ["-m", "ruff", "check", "--output-format", "concise", ".", "run", "test"],
    "ruff format": ["-m", "ruff", "format", "--check", "--quiet", "--output-format", "concise", ".", "run", "test"],
    "import-linter": ["-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-logo"],
    "tsc": ["-m", "launch.scripts"],
    "djlint": ["-m", "djlint", "--lint", "--quiet", "templates"],
}


@dataclass
class Suite:
    """One whole run; `environment` is what every step sees."""

    tier: str
    arguments: list[str]
    folder: Path
    environment: dict[str, str]
    outcomes: list[Outcome] = field(default_factory=list)

    def __post_init__(self) -> None:
        mark = f"DOOMDESK_RUN={secrets.token_hex(8)}"  # what tests start carries it, and ends with us even by kill -9
        self.crew = Crew(mark)
        self.environment["DOOMDESK_RUN"] = mark.partition("=")[2]
        self.deadline = time.monotonic() + 60 * minutes(self.tier)

    def run(self) -> int:
        """Run every step, also after one has failed; returns 0 when all were fine."""
        postgres = Postgres(self.crew)
        try:
            self.test_on_both(self.start_servers(postgres))
        finally:
            self.crew.stop()
            postgres.remove()
        if self.tier != LONG and not narrowed(self.arguments):
            self.outcomes.append(budget(sum((outcome.files for outcome in self.outcomes), Counter())))
        return self.summarise()

    def start_servers(self, postgres: Postgres) -> bool:
        """Start what the environment does not provide; a server that cannot start is a failed step."""
        heading("servers")
        began = time.monotonic()
        try:
            self.environment["DATABASE_URL"] = os.environ.get("DATABASE_URL") or postgres.start()
            self.environment["REDIS_URL"] = os.environ.get("REDIS_URL") or self.start_valkey()
        except Unusable as failure:
            say(str(failure))
            self.outcomes.append(Outcome("servers", False, time.monotonic() - began))
            return False
        say(f"PostgreSQL and Valkey are ready after {time.monotonic() - began:.1f} s.")
        return True

    def start_valkey(self) -> str:
        """Start a Valkey without persistence on a socket in our folder; returns its address."""
        path = self.folder / "valkey.sock"
        child = Child("Valkey server", valkey.server_command(self.folder, path, durable=False), os.environ)
        self.crew.start(child)
        if not valkey.wait_until_ready(child, path):
            raise Unusable(valkey.NO_SERVER)
        return f"unix://{path}?db=0"

    def check_code(self) -> None:
        """The linters, the type check and Django's own checks; each is printed when it is done."""
        deploy = {"REDIS_URL": "redis://localhost", "DATABASE_URL": "sqlite:///unused", **self.environment, **DEPLOY}
        checks = {name: (arguments, self.environment) for name, arguments in STATIC.items()}
        checks["check --deploy"] = (["manage.py", "check", "--deploy", "--fail-level", "WARNING"], deploy)
        checks["migrations"] = (["manage.py", "makemigrations", "--check", "--dry-run"], self.environment)
        for name, how in checks.items():
            self.check(name, *how)

    def check(self, name: str, arguments: list[str], environment: dict[str, str]) -> None:
        """Run one check; print what it printed."""
        began, command = time.monotonic(), [str(PYTHON), *arguments]
        done = subprocess.run(command, cwd=ROOT, env=environment, text=True, capture_output=True)
        outcome = Outcome(name, done.returncode in (0, LEFT_OUT), time.monotonic() - began)
        if done.returncode == LEFT_OUT:
            outcome.skipped[f"{name}: {done.stdout.strip()}"] += 1
        heading(name)
        say((done.stdout + done.stderr).strip())
        self.outcomes.append(outcome)

    def provide_browser(self) -> None:
        """Name the browser for the tests, after one try to install Playwright's own where this machine has none."""
        if not (path := find_browser(self.environment)):
            heading("browser")
            say("This machine has no browser of the Chromium family: Playwright is asked to install its own …")
            path = install_browser()
            say(f"Installed: {path}" if path else "That failed; the tests in a browser are left out.")
        if path:
            self.environment["CHROMIUM"] = path

    def test_on_both(self, ready: bool) -> None:
        """The checks and pytest on PostgreSQL, there apart what forks, and on SQLite what asks for it.

        All else runs beside the longest pass, in a row.
        """
        self.provide_browser()
        few = narrowed(self.arguments)
        together = [] if few else ["-n", str(TOGETHER), "--dist", "worksteal"]
        on_file = {**self.environment, "DATABASE_URL": f"sqlite:///{self.folder / 'desk.sqlite3'}"}
        main = self.tests("pytest on PostgreSQL", self.environment, ["--forks=none", *together])
        forks = self.tests("pytest of forks on PostgreSQL", self.environment | worker(TOGETHER), ["--forks=only"])
        file = self.tests("pytest on SQLite", on_file | worker(TOGETHER + 1), ["--sqlite-pass"])
        if few:
            say("Paths were given: only those tests run, without the linters and checks.")
            for each in (main, forks, file) if ready else (file,):
                with self.running(each):
                    pass
            return
        forks.quiet = file.quiet = True
        with self.running(main) if ready else nullcontext():
            self.check_code()
            for each in (forks, file) if ready else (file,):
                with self.running(each):
                    pass

    def tests(self, name: str, environment: dict[str, str], extra: list[str]) -> Pass:
        """A pass of pytest that has not begun."""
        few = narrowed(self.arguments)
        tier = [] if self.tier == FULL or (few and self.tier == QUICK) else [self.tier]
        own = [f"--hypothesis-seed={environment['DOOMDESK_SEED']}", *extra, *tier]
        return Pass(name, environment, [*own, *self.arguments], self.folder, empty_is_fine=few)

    @contextmanager
    def running(self, each: Pass) -> Iterator[None]:
        """Run a pass beside what the block does, until both have ended; when the block is interrupted the pass ends."""
        heading(each.name)
        each.start()
        try:
            yield
        except BaseException:
            each.end(signal.SIGINT)
            each.say_running()
            raise
        self.outcomes.append(each.wait(self.deadline))

    def summarise(self) -> int:
        """Print every step's outcome, then the count of tests as the very last line."""
        heading("summary")
        for outcome in self.outcomes:
            say(f"{'fine  ' if outcome.fine else 'FAILED'} {outcome.name} ({outcome.seconds:.1f} s)")
        say(f"seed {self.environment['DOOMDESK_SEED']}, tier {self.tier.removeprefix('--')}")
        say(f"what ran, in order, and every failure: {REPORTS.relative_to(ROOT)}/")
        skipped = sum((outcome.skipped for outcome in self.outcomes), Counter[str]())
        for reason, count in skipped.most_common():
            say(f"{count} left out: {reason}")
        passed, failed = (sum(getattr(outcome, kind) for outcome in self.outcomes) for kind in ("passed", "failed"))
        if left := sum(outcome.left for outcome in self.outcomes):
            say(f"{left} tests belong to a longer tier: ./test --full runs all but the full figures of ./test --long")
        say(f"{passed} passed, {failed} failed" + (f", {skipped.total()} skipped" if skipped else ""))
        return 0 if all(outcome.fine for outcome in self.outcomes) else 1


def budget(files: Counter[str]) -> Outcome:
    """Print which files of tests took most of the time; one that took more than its share is a failed step."""
    heading("time by file")
    for name, seconds in files.most_common(5):
        say(f"{seconds / files.total():5.1%} {name}")
    if not (fine := max(files.values(), default=0.0) <= BUDGET * files.total()):
        say(f"A file may take {BUDGET:.0%} of the time: share what its tests set up, or mark the dear ones full.")
    return Outcome("budget of each file", fine, 0.0)


def worker(number: int) -> dict[str, str]:
    """The environment that gives a pass databases in Redis of its own."""
    return {"DOOMDESK_WORKER": f"gw{number}"}


def narrowed(arguments: list[str]) -> bool:
    """Whether the arguments name test files or folders."""
    return any((ROOT / argument.split("::")[0]).exists() for argument in arguments if not argument.startswith("-"))


def heading(text: str) -> None:
    """Print the name of a step so that it is easily found."""
    say(f"\n=== {text} " + "=" * max(3, 70 - len(text)))


def split(arguments: list[str]) -> tuple[str, str, list[str]]:
    """The tier, the seed, and the arguments that are for pytest; raises Unusable on a bad seed."""
    tier = next((tier for tier in (LONG, FULL) if tier in arguments), QUICK)
    rest = [argument for argument in arguments if argument not in (QUICK, FULL, LONG)]
    seed = os.environ.get("DOOMDESK_SEED") or str(secrets.randbelow(2**32))
    if "--seed" in rest:
        position = rest.index("--seed")
        seed = "".join(rest[position + 1 : position + 2])
        del rest[position : position + 2]
    if not seed.isdigit():
        raise Unusable("--seed takes a whole number.")
    return tier, seed, rest


def minutes(tier: str) -> int:
    """How long the whole run may take; raises Unusable when DOOMDESK_MINUTES is no whole number above 0."""
    given = os.environ.get("DOOMDESK_MINUTES") or str(MINUTES_LONG if tier == LONG else MINUTES)
    if not given.isdecimal() or not int(given):
        raise Unusable("DOOMDESK_MINUTES takes a whole number above 0.")
    return int(given)


def test(arguments: list[str]) -> int:
    """Carry out `./test ARGUMENTS`; returns the exit status."""
    return guarded(run_suite, arguments)


def run_suite(arguments: list[str]) -> int:
    """Prepare everything and run the suite."""
    if arguments in (["--help"], ["-h"]):
        print(HELP)
        return 0
    tier, seed, rest = split(arguments)
    if os.environ.get("DATABASE_URL", "postgres").split(":")[0] not in {"postgres", "postgresql"}:
        raise Unusable("./test needs DATABASE_URL to be a postgresql:// address, or unset for a server of its own.")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))  # so that the servers are taken down
    prepare_environment("test")
    say(f"Doomdesk's tests: Python {sys.version.split()[0]}, seed {seed} (repeat with --seed {seed})")
    with tempfile.TemporaryDirectory(prefix="dd-test-", dir="/tmp") as folder:
        own = {"DOOMDESK_SEED": seed, "DJANGO_SETTINGS_MODULE": "config.settings.test", "DOOMDESK_VAR": folder}
        environment = {**os.environ, **own, "PATH": f"{PYTHON.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
        return Suite(tier, rest, Path(folder), environment).run()
