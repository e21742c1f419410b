"""What `./run` understands."""

import argparse
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from launch import backup, database, network, roles
from launch.environment import prepare_environment
from launch.failures import Unusable, guarded
from launch.lock import SiteLock
from launch.places import var_dir
from launch.site import Site, serve_role

HELP = """what it does:
  (nothing)         the whole desk on this machine, data in var/
  web|worker|relay  one role, for several machines (set DATABASE_URL and REDIS_URL)
  migrate           bring the database up to the code, once, before the roles start
  manage ARGS…      any management command, with no server running
  backup FILE       a consistent copy of the laptop's data, also while it is in use
  restore FILE      put such a copy back; the data of before are kept beside it
environment:
  DATABASE_URL      sqlite:///PATH or postgresql://… instead of var/doomdesk.sqlite3
  REDIS_URL         redis://… or unix://… instead of the embedded Valkey
  DOOMDESK_VAR      another folder than var/
  DJANGO_SETTINGS_MODULE=config.settings.production   a site on the internet, behind TLS"""


WITHOUT_DATABASE = {"pair", "tally"}
"""Management commands that compute from what they are given: their site may be without a database."""


def run(arguments: list[str]) -> int:
    """Carry out `./run ARGUMENTS`; returns the exit status."""
    return guarded(manage if arguments[:1] == ["manage"] else dispatch, arguments)


def dispatch(arguments: list[str]) -> int:
    """Everything but `manage`, whose arguments belong to the management command."""
    options = parse(arguments)
    actions: dict[str | None, Callable[[argparse.Namespace], int]] = {
        "backup": back_up,
        "restore": restore,
        "migrate": migrate,
        None: serve,
    }
    return actions.get(options.role, serve_one)(options)


def build_parser() -> argparse.ArgumentParser:
    """What `./run` takes; docs/reference/commands.md is written from it."""
    parser = argparse.ArgumentParser(prog="./run", epilog=HELP, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("role", nargs="?", choices=["web", "worker", "relay", "migrate", "manage", "backup", "restore"])
    parser.add_argument("file", nargs="?", type=Path, help="for backup and restore")
    parser.add_argument("--port", type=port, default=8000, help="port of the pages (8000)")
    parser.add_argument("--host", action="append", default=[], metavar="NAME", help="another name of this machine")
    parser.add_argument(
        "--copies", type=Path, metavar="FOLDER", help="a second folder, for each event as a file and a laptop's backup"
    )
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="serve HTTPS with this certificate chain (PEM)")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="its private key (PEM), without a password")
    return parser


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line; prints help or a complaint and exits like every argparse program."""
    parser = build_parser()
    options = parser.parse_args(arguments)
    if (options.role in {"backup", "restore"}) != (options.file is not None):
        parser.error("backup and restore take one FILE, nothing else does")
    if (options.tls_cert is None) != (options.tls_key is None):
        parser.error("--tls-cert and --tls-key belong together")
    return options


def port(text: str) -> int:
    """A TCP port number; raises ValueError on anything else."""
    number = int(text)
    if not 0 < number < 65536:
        raise ValueError
    return number


def door_of(options: argparse.Namespace) -> roles.Door:
    """Where the pages are to be reached; raises Unusable for a certificate that no browser could be shown."""
    tls = (options.tls_cert.absolute(), options.tls_key.absolute()) if options.tls_cert else None
    if tls:
        network.require_certificate(*tls)
    return roles.Door(options.port, options.host, tls)


def serve(options: argparse.Namespace) -> int:
    """The whole desk on this machine."""
    name_copies(options)
    prepare_environment("run")
    return Site(var_dir(), door_of(options)).serve()


def serve_one(options: argparse.Namespace) -> int:
    """One role of the desk."""
    name_copies(options)
    prepare_environment("run")
    return serve_role(options.role, var_dir(), door_of(options))


def name_copies(options: argparse.Namespace) -> None:
    """Hand the second folder to every process; raises Unusable for one that is not there now."""
    if options.copies is None:
        return
    folder = options.copies.absolute()
    if not folder.is_dir():
        raise Unusable(f"There is no folder {folder}: plug the medium in, or make the folder first.")
    os.environ["DOOMDESK_COPIES"] = str(folder)


def manage(arguments: list[str]) -> NoReturn:
    """Become the management command, with the SQLite database made or brought up to the code first if it needs one."""
    prepare_environment("run")
    var = var_dir()
    environment = roles.site_environment(var)
    var.mkdir(parents=True, exist_ok=True, mode=0o700)
    if WITHOUT_DATABASE.isdisjoint(arguments[1:2]) and (file := database.database_path(var)):
        database.prepare_sqlite(file, environment)
    command = database.manage(*arguments[1:])
    os.execve(command[0], command, environment)  # noqa: S606 (no shell wanted)


def migrate(options: argparse.Namespace) -> int:
    """Bring any database up to the code and load the catalogues."""
    prepare_environment("run")
    environment = roles.site_environment(var_dir())
    database.make_folder(var_dir())
    done = subprocess.run(database.manage("prepare_site"), env=environment, stderr=subprocess.PIPE, text=True)
    database.require_success(done.returncode, done.stderr)
    print("The database fits the code.")
    return 0


def back_up(options: argparse.Namespace) -> int:
    """Copy the laptop's data to a file."""
    backup.back_up(embedded_database(f'pg_dump --format=custom --file={options.file} "$DATABASE_URL"'), options.file)
    print(f"{options.file} holds a checked copy; `./run restore {options.file}` comes back from it.")
    return 0


def restore(options: argparse.Namespace) -> int:
    """Put a copy in the place of the laptop's data."""
    file = embedded_database(f'pg_restore --clean --if-exists --dbname="$DATABASE_URL" {options.file}')
    SiteLock(var_dir()).take("This cannot be restored")
    kept = backup.restore(options.file, file, var_dir())
    print(f"Restored {options.file}." + (f" The data of before are in {kept}." if kept else ""))
    return 0


def embedded_database(instead: str) -> Path:
    """The SQLite file of this site; raises Unusable naming the other database's own tool."""
    file = database.database_path(var_dir())
    if file is None:
        raise Unusable(f"This site's data are in PostgreSQL: use its own tool, as in `{instead}`.")
    return file
