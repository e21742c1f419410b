"""The virtual environment: filled when a requirement file changed, never otherwise; one sentence when it cannot be."""

import re
import resource
from pathlib import Path

import pytest

from tests.launch.conftest import Checkout, clean_environment


def is_one_sentence(text: str) -> bool:
    """Whether a complaint is one line for a person, below lines of progress that end in an ellipsis."""
    lines = [line for line in text.splitlines() if not line.endswith("…")]
    return len(lines) == 1 and "Traceback" not in text


def test_environment_is_filled_once(checkout: Checkout) -> None:
    checkout.installers()
    assert checkout.prepare("run").returncode == 0
    assert [call.split()[0] for call in checkout.calls()] == ["uv"]
    again = checkout.prepare("run")
    assert (checkout.calls(), again.stdout, again.stderr) == ([], "", "")


def test_environment_is_filled_again_when_the_file_changes(checkout: Checkout) -> None:
    checkout.installers().prepare("run")
    checkout.calls()
    with (checkout.root / "requirements" / "run.txt").open("a") as file:
        file.write("# changed\n")
    checkout.prepare("run")
    assert len(checkout.calls()) == 1


def test_run_after_test_installs_nothing(checkout: Checkout) -> None:
    checkout.installers().prepare("test")
    assert "test.txt" in checkout.calls()[0]
    checkout.prepare("run")
    assert checkout.calls() == []


def test_test_after_run_installs_its_own_file(checkout: Checkout) -> None:
    checkout.installers().prepare("run")
    checkout.calls()
    checkout.prepare("test")
    assert "test.txt" in checkout.calls()[0]


def test_pip_steps_in_when_uv_fails(checkout: Checkout) -> None:
    checkout.installers().let("uv", 2, "error: no route to host")
    assert checkout.prepare("run").returncode == 0
    uv, pip = checkout.calls()
    assert uv.startswith("uv pip install")
    assert pip.startswith("python -m pip install --require-hashes")


def test_failed_installation_is_one_sentence_and_tried_again(checkout: Checkout) -> None:
    checkout.installers().let("uv", 2)
    checkout.let("python", 1, "ERROR: no matching distribution")
    done = checkout.prepare("run")
    assert done.returncode == 2
    assert "no matching distribution" in done.stderr
    assert is_one_sentence(done.stderr)
    checkout.calls()
    checkout.prepare("run")
    assert checkout.calls()


@pytest.mark.parametrize("words", ["OSError: [Errno 28] No space left on device", "failed to write (os error 28)"])
def test_full_disk_while_installing_is_said(checkout: Checkout, words: str) -> None:
    checkout.installers().let("uv", 2, words)
    checkout.let("python", 1, words)
    done = checkout.prepare("run")
    assert done.returncode == 2
    assert "The disk is full" in done.stderr
    assert is_one_sentence(done.stderr)


def test_full_disk_while_making_the_environment_is_said(checkout: Checkout) -> None:
    limit = 64 * 1024
    done = checkout.python(
        "run", "manage", "check", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    )
    assert done.returncode == 2, done.stderr
    assert "The disk is full" in done.stderr
    assert is_one_sentence(done.stderr)


@pytest.mark.parametrize("script", ["run", "test"])
def test_python_without_ensurepip_is_told_what_to_install(checkout: Checkout, script: str, tmp_path: Path) -> None:
    (tmp_path / "ensurepip.py").write_text("raise ImportError('No module named ensurepip')\n")
    done = checkout.python(script, env=clean_environment(PYTHONPATH=str(tmp_path)))
    assert done.returncode == 2
    assert re.search(r"apt-get install -y python3\.\d+-venv", done.stderr)
    assert is_one_sentence(done.stderr)


@pytest.mark.parametrize("script", ["run", "test"])
def test_old_python_is_told_what_it_is(checkout: Checkout, script: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.version_info = (3, 9, 18, 'final', 0)\n")
    done = checkout.python(script, env=clean_environment(PYTHONPATH=str(tmp_path)))
    assert done.returncode == 2
    assert "3.11 or newer" in done.stderr
    assert "3.9" in done.stderr
    assert is_one_sentence(done.stderr)


@pytest.mark.parametrize("script", ["run", "test"])
def test_scripts_can_be_read_by_old_pythons(checkout: Checkout, script: str) -> None:
    source = (checkout.root / script).read_text()
    assert not re.search(r"""\bf["']|:=|\bmatch |->""", source)


def test_closed_folder_while_installing_is_said(checkout: Checkout) -> None:
    checkout.installers().let("uv", 2, "PermissionError: [Errno 13] Permission denied: 'x'")
    checkout.let("python", 1, "PermissionError: [Errno 13] Permission denied: 'x'")
    done = checkout.prepare("run")
    assert "is closed to this user" in done.stderr
    assert is_one_sentence(done.stderr)


def test_closed_folder_is_named(checkout: Checkout) -> None:
    script = (
        "import errno; from launch.failures import guarded\n"
        "def fail(arguments): raise OSError(errno.EROFS, 'Read-only file system', '/desk/.venv')\n"
        "raise SystemExit(guarded(fail, []))"
    )
    done = checkout.python("-c", script)
    assert done.returncode == 2
    assert "/desk/.venv is closed to this user" in done.stderr
