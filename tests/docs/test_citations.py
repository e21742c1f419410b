"""Documents that are cited are there, with the section that is cited; links and paths in documents resolve."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TRUST = ROOT / "docs/how-it-works/trust.md"
KINDS = {".py", ".html", ".js", ".css", ".toml", ".txt", ".in", ".md"}
OF_OTHERS = {".git", ".venv", "var", "screenshots", "staticfiles", "node_modules", "__pycache__"}
"""Folders that hold no text of ours."""

SECTIONS = r"(?:#[\w-]+(?:(?:, | and | to )#[\w-]+)*)?"
CITATION = re.compile(rf"(?<![\w/.*{{}}<>-])((?:\.{{0,2}}[\w-]+/|\.{{1,2}}/)*[\w.-]*\w\.md)\b({SECTIONS})")
"""A document by its path or its name, and its sections: `docs/how-it-works/trust.md#p4 and #r8`."""
FILE_NAME = re.compile(r"\"[\w.-]+\.md\"")
"""A name that is all of a text: a program means a file of its own, and cites nothing."""
LINK = re.compile(r"\]\(([^)\s]+)[^)]*\)|<(?:img|a)[^>]*\s(?:src|href)=\"([^\"]+)\"")
PLACE = re.compile(
    r"`((?:accounts|config|decks|docs|journal|launch|requirements|rules_engine|scoring|static|templates|tests|tournaments)"
    r"/[\w./-]*)`"
)
"""A file or folder of the repository that a document names; one with a placeholder is none."""
ABROAD = re.compile(r"[a-z]+:|//")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
PROMISES = re.compile(r"\"\"\"((?:[A-Z]\d+(?:, )?)+)[:,]")
"""The promises that a test names at the beginning of its docstring."""


def texts() -> Iterator[Path]:
    for folder, below, names in os.walk(ROOT):
        below[:] = sorted(each for each in below if each not in OF_OTHERS and not each.endswith("_cache"))
        paths = (Path(folder, name) for name in sorted(names))
        yield from (path for path in paths if path.suffix in KINDS and ".min." not in path.name)


def documents() -> list[Path]:
    return [path for path in texts() if path.suffix == ".md"]


def faults_of(path: Path, text: str) -> list[str]:
    """What a text cites that is not there; links count in documents only."""
    found = CITATION.finditer(FILE_NAME.sub("", text))
    cited = [(each[1], re.findall(r"#([\w-]+)", each[2])) for each in found]
    faults = [fault for name, sections in cited for fault in missing(path, name, sections)]
    if path.suffix == ".md":
        faults += [fault for link in links_of(text) for fault in missing(path, *parts_of(link))]
        faults += [f"{name} is not there" for name in PLACE.findall(text) if not (ROOT / name).exists()]
    return faults


def links_of(document: str) -> Iterator[str]:
    """Where the links and pictures of a document lead inside the repository."""
    for found in LINK.finditer(FENCE.sub("", document)):
        link = found[1] or found[2]
        if not ABROAD.match(link):
            yield link


def parts_of(link: str) -> tuple[str, list[str]]:
    """The path and the sections that a link names."""
    name, _hash, section = link.partition("#")
    return name, [section] if section else []


def missing(path: Path, name: str, sections: list[str]) -> list[str]:
    """What is wrong with one citation: its target from the folder of the text or of the repository, its sections."""
    candidates = [path] if not name else [path.parent / name, ROOT / name]
    target = next((each.resolve() for each in candidates if each.exists()), None)
    if target is None:
        return [f"{name} is not there"]
    known = anchors_of(target.read_text(encoding="utf-8")) if sections else set()
    return [f"{name} has no section #{section}" for section in sections if section not in known]


@cache
def anchors_of(document: str) -> set[str]:
    """What a link can name after the number sign: headings as GitHub writes them, and anchors set by hand."""
    body = FENCE.sub("", document)
    found = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\">", body))
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", body, re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)|<[^>]*>", r"\1", heading).lower()
        slug = re.sub(r"[^\w -]", "", words).strip().replace(" ", "-")
        again = sum(each == slug or re.fullmatch(rf"{re.escape(slug)}-\d+", each) is not None for each in found)
        found.add(f"{slug}-{again}" if slug in found else slug)
    return found


def test_everything_cited_is_there():
    faults = [
        f"{path.relative_to(ROOT)}: {fault}"
        for path in texts()
        if path != Path(__file__)
        for fault in faults_of(path, path.read_text(encoding="utf-8"))
    ]
    assert faults == []


def test_promises_named_by_tests_are_promised():
    promised = anchors_of(TRUST.read_text(encoding="utf-8"))
    named = {
        promise
        for path in (ROOT / "tests").rglob("test_*.py")
        for found in PROMISES.finditer(path.read_text(encoding="utf-8"))
        for promise in re.findall(r"[A-Z]\d+", found[1])
    }
    assert {"R10", "O11", "T1", "J2"} <= named
    assert {promise for promise in named if promise.lower() not in promised} == set()


def test_there_are_documents_to_look_at():
    assert len(documents()) > 10
    assert sum(bool(CITATION.search(path.read_text(encoding="utf-8"))) for path in texts()) > 60


@pytest.mark.parametrize(
    ("name", "text", "faults"),
    [
        ("scoring/x.py", '"""Pairs (PAIRING.md 4)."""', ["PAIRING.md is not there"]),
        ("scoring/x.py", "# see docs/how-it-works/trust.md#p4 and #z9.", ["#z9"]),
        ("scoring/x.py", "# see docs/how-it-works/trust.md#p4, #r8 and #t1.", []),
        ("tests/x.py", 'names = ["page.md"]  # see page.md', ["page.md is not there"]),
        ("templates/x.html", "{# docs/nowhere.md #}", ["docs/nowhere.md is not there"]),
        (
            "docs/how-it-works/x.md",
            "[why](trust.md#p4) [how](../develop/no.md) ![](x.png)",
            ["no.md", "no.md", "x.png"],
        ),
        ("docs/how-it-works/x.md", "[why](trust.md#no-such-heading)", ["#no-such-heading", "#no-such-heading"]),
        ("docs/how-it-works/x.md", '<img src="../tour/gone.png"> [far](https://example.org/gone.png)', ["gone.png"]),
        ("docs/x.md", "`scoring/gone.py` and `scoring/games/<slug>/` in `scoring/`", ["scoring/gone.py"]),
        ("docs/how-it-works/trust.md", "[up](../../README.md) [here](#not-here) [there](#p4)", ["#not-here"]),
    ],
)
def test_control_a_broken_citation_is_found(name, text, faults):
    found = faults_of(ROOT / name, text)
    assert len(found) == len(faults)
    assert all(part in fault for part, fault in zip(faults, found, strict=True))


def test_headings_are_named_as_github_names_them():
    text = "# One, two!\n## One two\n### `verify` and *more*\n## One two\n```\n# no heading\n```\n"
    assert anchors_of(text) == {"one-two", "one-two-1", "one-two-2", "verify-and-more"}
