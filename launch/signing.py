"""The key that signs this site's sessions: made once, readable by its owner only."""

import contextlib
import os
import secrets
from pathlib import Path


def own_secret(var: Path) -> str:
    """The key in var/secret-key, made on the first call; two first calls at once agree on one key."""
    path = var / "secret-key"
    if not path.exists():
        var.mkdir(parents=True, exist_ok=True, mode=0o700)
        make_secret(path)
    return path.read_text().strip()


def make_secret(path: Path) -> None:
    """Write a new key beside `path` and put it in place unless another process was faster."""
    draft = path.with_name(f"{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(64) + "\n")
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
