"""Where things are: the checkout, its virtual environment, the folder of this site's data."""

import hashlib
import os
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
SOCKET_LIMIT = 100
"""Bytes of a Unix socket's path that every system accepts (Linux 107, macOS 103)."""


def var_dir() -> Path:
    """The folder of this site's data: `DOOMDESK_VAR`, else var/ in the checkout."""
    return Path(os.environ.get("DOOMDESK_VAR") or ROOT / "var").resolve()


def database_file(var: Path) -> Path:
    """The embedded SQLite database below the data folder `var`."""
    return var / "doomdesk.sqlite3"


def embedded_socket(var: Path) -> Path:
    """The embedded Valkey's socket: below `var`, or in a short private folder when that path is too long."""
    path = var / "valkey.sock"
    if len(os.fsencode(path)) <= SOCKET_LIMIT:
        return path
    digest = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    return Path(f"/tmp/doomdesk-{os.getuid()}-{digest}/valkey.sock")  # noqa: S108 (made 0700, owner checked)


def embedded_redis_url(var: Path) -> str:
    """The address of the embedded Valkey, the same for every process that shares the data folder `var`."""
    return f"unix://{quote(str(embedded_socket(var)))}?db=0"


def site_packages() -> Path:
    """The folder of installed packages inside the virtual environment."""
    return next(iter(sorted((VENV / "lib").glob("python3*/site-packages"))), VENV / "lib")
