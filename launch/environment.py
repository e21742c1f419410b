"""The virtual environment: made when missing, filled from hashed requirement files when they changed."""

import contextlib
import fcntl
import hashlib
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator

from launch.failures import Unusable, disk_is_full, folder_is_closed, last_words
from launch.places import PYTHON, ROOT, VENV

SUPERSETS = {"run": ("run",), "test": ("test", "run")}
"""Requirement files that are satisfied once the named one is installed (test.txt pins all of run.txt)."""


def digest(name: str) -> str:
    """SHA-256 of requirements/<name>.txt."""
    return hashlib.sha256((ROOT / "requirements" / f"{name}.txt").read_bytes()).hexdigest()


def is_installed(name: str) -> bool:
    """Whether the packages of requirements/<name>.txt, as it is now, are in the environment."""
    stamp = VENV / f"installed-{name}"
    return PYTHON.exists() and stamp.exists() and stamp.read_text().strip() == digest(name)


def prepare_environment(name: str) -> None:
    """Bring the virtual environment up to requirements/<name>.txt; speak on standard error only when there is work."""
    if not is_installed(name):
        with alone():
            if not is_installed(name):
                make_venv()
                install(name)
    keep_bytecode()


def keep_bytecode() -> None:
    """Let every child keep its compiled modules inside .venv: they start in less than half the time, tree untouched."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(VENV / "pycache")


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Keep a second ./run or ./test of this checkout waiting until the block is left."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def make_venv() -> None:
    """Make .venv unless a usable one is there; a half-made one is made again."""
    if PYTHON.exists() and ((VENV / "bin" / "pip").exists() or (VENV / "bin" / "uv").exists()):
        return
    require_venv_modules()
    say("Making .venv …")
    bare = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(VENV)]
    for step in (bare, [str(PYTHON), "-m", "ensurepip", "--default-pip"]):  # apart, for venv hides why pip failed
        done = quietly(*step)
        if done.returncode:
            raise failed("The virtual environment could not be made", done.stdout + done.stderr)


def require_venv_modules() -> None:
    """Refuse, naming the package to install, when this Python cannot make environments (Debian splits that off)."""
    try:
        importlib.import_module("venv")
        importlib.import_module("ensurepip")
    except ImportError:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise Unusable(
            f"This Python cannot make virtual environments: as root run `apt-get install -y python{version}-venv` "
            "(or install Python from python.org), then start again."
        ) from None


def install(name: str) -> None:
    """Install requirements/<name>.txt by uv, else by pip, and remember its hash."""
    say("Installing packages (needed once, about half a minute) …")
    done = install_by_uv(name) or install_by_pip(name)
    if done.returncode:
        raise failed("The packages could not be installed", done.stdout + done.stderr)
    for installed in SUPERSETS[name]:
        (VENV / f"installed-{installed}").write_text(digest(installed) + "\n")


def install_by_uv(name: str) -> subprocess.CompletedProcess[str] | None:
    """The finished installation by uv, or None when uv cannot be had or cannot do it."""
    uv = VENV / "bin" / "uv"
    if not uv.exists():
        install_by_pip("installer")
    if not uv.exists():
        return None
    file = str(ROOT / "requirements" / f"{name}.txt")
    done = quietly(str(uv), "pip", "install", "--python", str(PYTHON), "--require-hashes", "-r", file)
    return None if done.returncode and not disk_is_full(done.stderr) else done


def install_by_pip(name: str) -> subprocess.CompletedProcess[str]:
    """The finished installation by pip, which reads the machine's own package settings."""
    file = str(ROOT / "requirements" / f"{name}.txt")
    return quietly(str(PYTHON), "-m", "pip", "install", "--require-hashes", "--disable-pip-version-check", "-r", file)


def quietly(*command: str) -> subprocess.CompletedProcess[str]:
    """Run an installer with its output kept for the case that it fails."""
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def failed(what: str, output: str) -> Unusable:
    """The one sentence for a failed installation step."""
    if disk_is_full(output):
        return Unusable("The disk is full: free about 600 MB and start again.")
    if folder_is_closed(output):
        return Unusable(f"{ROOT} is closed to this user: start as its owner, or copy Doomdesk elsewhere.")
    return Unusable(
        f"{what}: {last_words(output)} (is the network there? if .venv is broken, delete it and start again)."
    )


def say(text: str) -> None:
    """Print progress to standard error, so that a command's own output stays clean."""
    print(text, file=sys.stderr, flush=True)
