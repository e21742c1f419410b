"""`./test`: every check and every test, against real servers, with one summary at the end."""

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from launch import valkey
from launch.children import Child, Crew, say
from launch.environment import prepare_environment
from launch.failures import Unusable, guarded
from launch.places import PYTHON, ROOT
from launch.postgres import Postgres

HELP = """usage: ./test [--long] [--seed N] [pytest arguments…]
  Starts a real PostgreSQL and Valkey, then runs the linters, the type check, Django's checks and pytest on PostgreSQL
  and, for what differs, on SQLite. --long runs the full figures. Paths among the arguments narrow it to those tests.
  DATABASE_URL=postgresql://… and REDIS_URL=… use servers of your own."""

DEPLOY = {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "SECRET_KEY": secrets.token_urlsafe(64),
    "ALLOWED_HOSTS": "desk.example",
    "CSRF_TRUSTED_ORIGINS": "https://desk.example",
}
TOGETHER = 2
"""How many checks, or parts of a pass of pytest, run at a time."""
STATIC = {
    "mypy": ["-m", "mypy", "."],
    "ruff check": ["-m", "ruff", "check", "--output-format", "concise", ".", "run", "test"],
    "ruff format": ["-m", "ruff", "format", "--check", "--quiet", "--output-format", "concise", ".", "run", "test"],
    "import-linter": ["-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-logo"],
    "djlint": ["-m", "djlint", "--lint", "--quiet", "templates"],
}


@dataclass
class Outcome:
    """One step of ./test: its name, whether it was fine, how long it took, and how many tests it ran."""

    name: str
    fine: bool
    seconds: float
    passed: int = 0
    failed: int = 0
    skipped: int = 0


@dataclass
class Suite:
    """One whole run; `environment` is what every step sees."""

    long: bool
    arguments: list[str]
    folder: Path
    environment: dict[str, str]
    crew: Crew = field(default_factory=Crew)
    outcomes: list[Outcome] = field(default_factory=list)

    def run(self) -> int:
        """Run every step, also after one has failed; returns 0 when all were fine."""
        postgres = Postgres(self.crew)
        try:
            ready = self.start_servers(postgres)
            if narrowed(self.arguments):
                say("Paths were given: only those tests run, without the linters and checks.")
            else:
                self.check_code()
            self.test_on_both(ready)
        finally:
            self.crew.stop()
            postgres.remove()
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
        """The linters, the type check and Django's own checks, a few at a time; each is printed when it is done."""
        deploy = {"REDIS_URL": "redis://localhost", "DATABASE_URL": "sqlite:///unused", **self.environment, **DEPLOY}
        checks = {name: (arguments, self.environment) for name, arguments in STATIC.items()}
        checks["check --deploy"] = (["manage.py", "check", "--deploy", "--fail-level", "WARNING"], deploy)
        checks["migrations"] = (["manage.py", "makemigrations", "--check", "--dry-run"], self.environment)
        pool = ThreadPoolExecutor(TOGETHER)
        try:
            running = [pool.submit(self.check, name, *how) for name, how in checks.items()]
            for done in as_completed(running):
                outcome, printed = done.result()
                heading(outcome.name)
                say(printed.strip())
                self.outcomes.append(outcome)
        finally:
            pool.shutdown(cancel_futures=True)  # at Ctrl-C: no further check begins

    def check(self, name: str, arguments: list[str], environment: dict[str, str]) -> tuple[Outcome, str]:
        """Run one check; returns how it ended and what it printed."""
        began, command = time.monotonic(), [str(PYTHON), *arguments]
        done = subprocess.run(command, cwd=ROOT, env=environment, text=True, capture_output=True)
        return Outcome(name, done.returncode == 0, time.monotonic() - began), done.stdout + done.stderr

    def test_on_both(self, ready: bool) -> None:
        """pytest on PostgreSQL, then on SQLite for the tests that ask for it."""
        together = [] if narrowed(self.arguments) else ["-n", str(TOGETHER), "--dist", "worksteal"]
        if ready:
            self.pytest("pytest on PostgreSQL", self.environment, together)
        on_file = {**self.environment, "DATABASE_URL": f"sqlite:///{self.folder / 'desk.sqlite3'}"}
        self.pytest("pytest on SQLite", on_file, ["--sqlite-pass", *together])

    def pytest(self, name: str, environment: dict[str, str], extra: list[str]) -> None:
        """One pass of pytest, its counts read from its own report."""
        report = self.folder / f"{name.split()[-1]}.xml"
        own = [f"--junitxml={report}", f"--hypothesis-seed={environment['DOOMDESK_SEED']}", "-rs", *extra]
        arguments = ["-m", "pytest", *own, *(["--long"] if self.long else []), *self.arguments]
        self.step(name, arguments, environment, empty_is_fine=narrowed(self.arguments))
        count(report, self.outcomes[-1])

    def step(self, name: str, arguments: list[str], environment: dict[str, str], empty_is_fine: bool = False) -> None:
        """Run one program below a heading and note how it ended (5 is pytest's "no tests were selected")."""
        heading(name)
        began = time.monotonic()
        status = subprocess.run([str(PYTHON), *arguments], cwd=ROOT, env=environment).returncode
        fine = status == 0 or (status == 5 and empty_is_fine)
        self.outcomes.append(Outcome(name, fine, time.monotonic() - began))

    def summarise(self) -> int:
        """Print every step's outcome, then the count of tests as the very last line."""
        heading("summary")
        for outcome in self.outcomes:
            say(f"{'fine  ' if outcome.fine else 'FAILED'} {outcome.name} ({outcome.seconds:.1f} s)")
        passed, failed, skipped = (
            sum(getattr(o, kind) for o in self.outcomes) for kind in ("passed", "failed", "skipped")
        )
        say(f"seed {self.environment['DOOMDESK_SEED']}" + (", full figures" if self.long else ""))
        say(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
        return 0 if all(outcome.fine for outcome in self.outcomes) else 1


def count(report: Path, outcome: Outcome) -> None:
    """Read the numbers of a junit report into an outcome; a missing report is a failure."""
    if not report.exists():
        outcome.fine = False
        outcome.failed = 1
        return
    suite = next(ElementTree.parse(report).iter("testsuite"))  # noqa: S314 (our own file)
    tests, failed, errors, skipped = (int(suite.get(key, "0")) for key in ("tests", "failures", "errors", "skipped"))
    outcome.failed, outcome.skipped = failed + errors, skipped
    outcome.passed = tests - failed - errors - skipped


def narrowed(arguments: list[str]) -> bool:
    """Whether the arguments name test files or folders."""
    return any((ROOT / argument.split("::")[0]).exists() for argument in arguments if not argument.startswith("-"))


def heading(text: str) -> None:
    """Print the name of a step so that it is easily found."""
    say(f"\n=== {text} " + "=" * max(3, 70 - len(text)))


def split(arguments: list[str]) -> tuple[bool, str, list[str]]:
    """Whether --long was given, the seed, and the arguments that are for pytest; raises Unusable on a bad seed."""
    rest = [argument for argument in arguments if argument != "--long"]
    seed = os.environ.get("DOOMDESK_SEED") or str(secrets.randbelow(2**32))
    if "--seed" in rest:
        position = rest.index("--seed")
        seed = "".join(rest[position + 1 : position + 2])
        del rest[position : position + 2]
    if not seed.isdigit():
        raise Unusable("--seed takes a whole number.")
    return "--long" in arguments, seed, rest


def test(arguments: list[str]) -> int:
    """Carry out `./test ARGUMENTS`; returns the exit status."""
    return guarded(run_suite, arguments)


def run_suite(arguments: list[str]) -> int:
    """Prepare everything and run the suite."""
    if arguments in (["--help"], ["-h"]):
        print(HELP)
        return 0
    long, seed, rest = split(arguments)
    if os.environ.get("DATABASE_URL", "postgres").split(":")[0] not in {"postgres", "postgresql"}:
        raise Unusable("./test needs DATABASE_URL to be a postgresql:// address, or unset for a server of its own.")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))  # so that the servers are taken down
    prepare_environment("test")
    say(f"Doomdesk's tests: Python {sys.version.split()[0]}, seed {seed} (repeat with --seed {seed})")
    with tempfile.TemporaryDirectory(prefix="dd-test-", dir="/tmp") as folder:
        own = {"DOOMDESK_SEED": seed, "DJANGO_SETTINGS_MODULE": "config.settings.test", "DOOMDESK_VAR": folder}
        environment = {**os.environ, **own, "PATH": f"{PYTHON.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
        return Suite(long, rest, Path(folder), environment).run()
