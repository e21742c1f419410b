"""Decisions: each is in the index as it is in its file, and every dependency that we ask for has one."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/develop/decisions"
FILES = sorted(FOLDER.glob("[0-9]*.md"))
ROW = re.compile(r"^\| (\d+) \| \[(.+?)\]\((.+?)\) \| ([\d-]+) \| (.+?) \|$", re.MULTILINE)
HEAD = re.compile(r"# (\d+)\. (.+)\n\nDate: (\d{4}-\d\d-\d\d) · Status: (accepted|superseded by \[.+\]\(.+\))\n")


def test_the_index_says_what_the_files_say():
    heads = [HEAD.match(path.read_text(encoding="utf-8")) for path in FILES]
    assert all(heads)
    told = [(head[1], head[2], path.name, head[3], head[4]) for head, path in zip(heads, FILES, strict=True) if head]
    index = ROW.findall((FOLDER / "README.md").read_text(encoding="utf-8"))
    assert sorted(index, key=lambda row: int(row[0])) == told
    assert [int(row[0]) for row in told] == list(range(1, len(FILES) + 1))
    assert all(path.name.startswith(f"{number:04d}-") for number, path in enumerate(FILES, 1))


def test_each_has_context_decision_and_consequence():
    for path in FILES:
        found = re.findall(r"^\*\*(Context|Decision|Consequence)\.\*\*", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert found == ["Context", "Decision", "Consequence"], path.name


def wanted() -> set[str]:
    """The packages that requirements/*.in name."""
    lines = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "requirements").glob("*.in"))
    return {found.lower() for found in re.findall(r"^([A-Za-z][\w.-]*)", lines, re.MULTILINE)}


def test_every_dependency_has_its_decision():
    text = "\n".join(path.read_text(encoding="utf-8") for path in FILES).lower()
    assert len(wanted()) > 30
    assert {name for name in wanted() if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)} == set()
