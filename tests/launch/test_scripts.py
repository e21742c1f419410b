"""The type check of the site's scripts: it finds a wrong type, and says so where TypeScript cannot be had."""

import json
import shutil
from pathlib import Path

import pytest

from launch import scripts
from launch.scripts import FOLDER, LEFT_OUT, check_scripts, is_installed

WRONG = """
/** @param {number} seconds */
const wait = (seconds) => seconds * 2;
wait("long");
"""


def test_a_wrong_type_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    if check_scripts() == LEFT_OUT:
        pytest.skip("npm could not bring TypeScript")
    (tmp_path / "node_modules").symlink_to(FOLDER / "node_modules")
    shutil.copy(FOLDER / "package-lock.json", tmp_path)
    (tmp_path / "wrong.js").write_text(WRONG)
    options = json.loads((FOLDER / "tsconfig.json").read_text())["compilerOptions"]
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["*.js"]}))
    monkeypatch.setattr(scripts, "FOLDER", tmp_path)
    assert check_scripts() not in (0, LEFT_OUT)
    assert "wrong.js(4,6): error TS2345" in capfd.readouterr().out


def test_without_npm_it_is_left_out_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(FOLDER / name, tmp_path)
    away = ["--fetch-retries=0", "--registry=http://127.0.0.1:9", f"--cache={tmp_path / 'cache'}"]
    monkeypatch.setattr(scripts, "FOLDER", tmp_path)
    monkeypatch.setattr(scripts, "INSTALL", ["ci", *away])
    assert not is_installed()
    assert check_scripts() == LEFT_OUT
    assert "npm could not bring TypeScript" in capfd.readouterr().out
