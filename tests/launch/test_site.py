"""./run as a person uses it: it opens, survives, stops, keeps its data, and leaves nothing behind."""

import contextlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from launch import database, network
from launch.places import ROOT, embedded_socket
from tests.launch.conftest import Desk, clean_environment, free_port


def store(desk: Desk, sql: str) -> int:
    """Change the site's database from beside it; returns how many rows that concerned."""
    with contextlib.closing(sqlite3.connect(desk.var / "doomdesk.sqlite3", timeout=30)) as connection:
        changed = connection.execute(sql).rowcount
        connection.commit()
    return changed


ADD = "INSERT INTO django_session VALUES ('kept', '', '2099-01-01')"
REMOVE = "DELETE FROM django_session WHERE session_key = 'kept'"
"""A row that the site neither needs nor clears."""


@pytest.mark.full
def test_site_in_a_deep_folder_keeps_its_data_over_stops_restores_and_kills(tmp_path: Path) -> None:
    """One site for everything: each start of all its processes is dear. Other tests start one in a short folder."""
    desk = Desk(tmp_path / ("deep" * 20) / "v a%r")
    try:
        live_through(desk, tmp_path / "copy.sqlite3")
    finally:
        if desk.process is not None and desk.process.poll() is None:
            desk.process.kill()
            desk.process.communicate()
        shutil.rmtree(embedded_socket(desk.var).parent, ignore_errors=True)


def test_only_its_owner_reads_the_database_whatever_the_folder_allows(tmp_path: Path) -> None:
    file = tmp_path / "doomdesk.sqlite3"
    file.touch(mode=0o644)
    database.remember(file)
    assert file.stat().st_mode & 0o777 == 0o600


def live_through(desk: Desk, copy: Path) -> None:
    """A first start; a backup, a stop and a restore; a second start, killed; a third start."""
    printed = desk.start(before=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    assert f"http://localhost:{desk.port}/" in printed
    assert desk.page("/") == 200
    assert embedded_socket(desk.var).parent != desk.var
    code = "from django.core.cache import cache; cache.set('k', 'v'); print(cache.get('k'))"
    assert desk.command("manage", "shell", "-v", "0", "-c", code).stdout.strip() == "v"
    secret = (desk.var / "secret-key").read_text()
    assert (desk.var / "secret-key").stat().st_mode & 0o777 == 0o600
    assert store(desk, ADD) == 1

    second = desk.command("--port", str(desk.port + 1))
    assert second.returncode == 2
    assert "already runs" in second.stderr

    assert desk.command("backup", str(copy)).returncode == 0
    assert store(desk, REMOVE) == 1
    refused = desk.command("restore", str(copy))
    assert (refused.returncode, "already runs" in refused.stderr) == (2, True)
    assert desk.end(signal.SIGINT) == 0
    assert desk.left() == []
    assert store(desk, REMOVE) == 0
    assert desk.command("restore", str(copy)).returncode == 0

    desk.start()
    assert len(desk.left(seconds=0)) >= 5
    assert desk.end(signal.SIGKILL) == -signal.SIGKILL
    assert desk.left() == []
    desk.start()
    assert desk.page("/") == 200
    assert desk.end(signal.SIGTERM) == 0
    assert desk.left() == []
    assert (desk.var / "secret-key").read_text() == secret
    assert store(desk, REMOVE) == 1


def test_busy_port_is_one_sentence(desk: Desk) -> None:
    with socket.socket() as holder:
        holder.bind(("0.0.0.0", desk.port))
        holder.listen()
        done = desk.command("--port", str(desk.port))
    assert done.returncode == 2
    assert f"Port {desk.port} is in use" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_manage_prints_nothing_of_its_own_and_passes_everything_through(kept: Desk) -> None:
    code = "import sys; print(sys.stdin.read() if False else 'out'); sys.exit(7)"
    done = kept.command("manage", "shell", "-v", "0", "-c", code, cwd="/")
    assert (done.returncode, done.stdout, done.stderr) == (7, "out\n", "")
    piped = kept.command("manage", "shell", "-v", "0", input="print('from stdin')")
    assert (piped.returncode, piped.stdout, piped.stderr) == (0, "from stdin\n", "")


@pytest.mark.full
def test_manage_makes_the_database_once(kept: Desk) -> None:
    """It made the one that this site begins with, too."""
    stamp = kept.var / "doomdesk.sqlite3-prepared"
    prepared = stamp.stat().st_mtime_ns
    assert kept.command("manage", "check").returncode == 0
    assert stamp.stat().st_mtime_ns == prepared
    (kept.var / "doomdesk.sqlite3").unlink()
    assert kept.command("manage", "check").returncode == 0
    assert stamp.stat().st_mtime_ns != prepared
    assert store(kept, REMOVE) == 0


def test_older_code_leaves_a_database_of_a_newer_version_alone(kept: Desk) -> None:
    newer = "INSERT INTO django_migrations (app, name, applied) VALUES ('accounts', '9999_newer', '2099-01-01')"
    assert store(kept, newer) == 1
    (kept.var / "doomdesk.sqlite3-prepared").write_text("by other code")
    for asked in (("manage", "check"), ("migrate",), ("--port", str(kept.port))):
        done = kept.command(*asked)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
        assert "A newer version of Doomdesk upgraded this database." in done.stderr
    assert kept.left() == []


def test_backup_of_postgres_names_its_own_tool(desk: Desk, tmp_path: Path) -> None:
    environment = clean_environment(DATABASE_URL="postgresql://nobody@localhost/desk")
    done = desk.command("backup", str(tmp_path / "copy"), env=environment)
    assert done.returncode == 2
    assert "pg_dump --format=custom --file=" in done.stderr
    assert '"$DATABASE_URL"' in done.stderr


@pytest.mark.parametrize("asked", [("migrate",), ("manage", "verify_ledger"), ()])
def test_a_database_that_is_away_is_named_in_one_sentence(desk: Desk, asked: tuple[str, ...]) -> None:
    environment = clean_environment(
        DOOMDESK_VAR=str(desk.var), DATABASE_URL="postgresql://u:hidden@127.0.0.1:1/d", REDIS_URL="redis://127.0.0.1:1"
    )
    done = desk.command(*(asked or ("--port", str(desk.port))), env=environment)
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 2
    assert last.startswith("The database cannot be used: ")
    assert "Connection refused. Start it, or correct" in last
    assert "Traceback" not in done.stderr
    assert "hidden" not in done.stderr


@pytest.mark.parametrize("role", ["web", "worker", "relay"])
def test_a_role_without_its_settings_says_so_once_and_ends(desk: Desk, role: str) -> None:
    environment = clean_environment(DOOMDESK_VAR=str(desk.var), DOOMDESK_LOST_AFTER="15s")
    done = desk.command(role, "--port", str(desk.port), env=environment)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert "DOOMDESK_LOST_AFTER" in done.stderr


def test_a_web_server_that_starts_slowly_is_waited_for_and_one_that_ends_is_not(tmp_path: Path) -> None:
    port = free_port()
    script = f"""
import pathlib, sys
from launch.children import Child
from launch.failures import Unusable
from launch.roles import Door
from launch.site import Site, wait_until_open
site = Site(pathlib.Path({str(tmp_path)!r}), Door({port}, []))
listen = "import socket, time; time.sleep(1.5); s = socket.create_server(('', {port})); time.sleep(60)"
slow = site.crew.start(Child("web server", [sys.executable, "-c", listen], {{}}))
wait_until_open(slow, {port}, site.crew, site.stop, slow=0.2)
site.crew.stop()
broken = site.crew.start(Child("web server", [sys.executable, "-c", "raise SystemExit(3)"], {{}}))
try:
    wait_until_open(broken, {port}, site.crew, site.stop)
except Unusable as refused:
    print(refused)
finally:
    site.crew.stop()
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("still starting") == 1
    assert done.stdout.rstrip().endswith("The web server does not start; its own words are above.")


def test_site_follows_the_machine_into_another_network(tmp_path: Path) -> None:
    script = f"""
import os, pathlib, sys
from launch import network
from launch.children import Child
from launch.roles import Door
from launch.site import Site
site = Site(pathlib.Path({str(tmp_path)!r}), Door(8000, ["desk.example"]))
site.addresses = []
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
web = site.crew.start(Child("web server", sleep, {{"DOOMDESK_HOSTS": "old"}}))
first = web.process.pid
site.follow_network(web)
hosts = web.environment["DOOMDESK_HOSTS"].split(",")
site.crew.stop()
moved = web.process.pid != first and set(network.lan_addresses()) <= set(hosts) and "desk.example" in hosts
sys.exit(0 if moved == bool(network.lan_addresses()) else 1)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(f"http://{address}:8000/" in done.stdout for address in network.lan_addresses())


GATHER = "import os; from pathlib import Path; from launch.site import collect_static; collect_static(Path(os.environ['DOOMDESK_VAR']), dict(os.environ))"  # noqa: E501


UNLOCKED = "from contextlib import nullcontext; from launch import database; database.locked = nullcontext; "


def gather_together(code: str, var: Path) -> list[tuple[int, str]]:
    """Two web roles that gather static files, the second while the first is at it; their statuses and last words."""
    environment = clean_environment(
        DOOMDESK_VAR=str(var),
        DJANGO_SETTINGS_MODULE="config.settings.production",
        SECRET_KEY="".join(map(chr, range(48, 110))),
        ALLOWED_HOSTS="desk.example",
        CSRF_TRUSTED_ORIGINS="https://desk.example",
        DATABASE_URL=f"sqlite:///{var}/desk.sqlite3",
        REDIS_URL="redis://127.0.0.1:1/0",
    )
    both: list[subprocess.Popen[str]] = []
    left = set(var.glob(".staticfiles-*/*/*"))
    for _role in range(2):
        both.append(
            subprocess.Popen([sys.executable, "-c", code], env=environment, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        )
        deadline = time.monotonic() + 60
        while not set(var.glob(".staticfiles-*/*/*")) - left and time.monotonic() < deadline:
            time.sleep(0.01)
    words = [each.communicate(timeout=150)[1] for each in both]
    return [(each.returncode, said) for each, said in zip(both, words, strict=True)]


def test_web_roles_that_start_together_gather_static_files_in_turns(tmp_path: Path) -> None:
    (tmp_path / "staticfiles").mkdir()
    (tmp_path / "staticfiles" / "of-the-version-before.css").write_text("kept")
    (tmp_path / ".staticfiles-killed").mkdir()
    said = gather_together(GATHER, tmp_path)
    assert [status for status, _words in said] == [0, 0], said
    gathered = {path.name for path in (tmp_path / "staticfiles").iterdir()}
    assert {"staticfiles.json", "base.css", "of-the-version-before.css"} <= gathered
    assert not list(tmp_path.glob(".staticfiles-*"))


def test_control_without_taking_turns_one_of_two_web_roles_ends(tmp_path: Path) -> None:
    said = gather_together(UNLOCKED + GATHER, tmp_path)
    assert [status == 0 for status, _words in said] != [True, True]
    assert any("could not be gathered" in words or "No such file" in words for _status, words in said), said
