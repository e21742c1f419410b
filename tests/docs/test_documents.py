"""The documents: all on one map, labels as on the pages, every setting described, README short."""

import re
from pathlib import Path

import polib
from django.conf import settings

from config.settings.values import NAMES, PREFIX

ROOT = Path(settings.BASE_DIR)
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
GUIDES = [page for page in PAGES if page.is_relative_to(ROOT / "docs/guide")]
FENCED = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s#]+)")
LABEL = re.compile(r"(?<![*\w])\*([A-Z][^*\n]*)\*(?![*\w])")
READ = re.compile(r"""(?:environ\.get\(|environ\[|required\(|listed\(|number\(|switch\(|log_level\()\s*"([A-Z_]+)\"""")
OF_THE_RUN = {
    "PATH",
    "PYTHONPYCACHEPREFIX",
    "DOOMDESK_LONG",
    "DOOMDESK_QUICK",
    "DOOMDESK_WORKER",
    "PYTEST_XDIST_WORKER",
}
"""What the launcher sets for its own children: nobody sets it by hand."""


def prose_of(page: Path) -> str:
    """A document without its code blocks."""
    return FENCED.sub("", page.read_text())


def test_every_document_is_on_the_map() -> None:
    targets = {(ROOT / "docs" / link).resolve() for link in LINK.findall(prose_of(ROOT / "docs/index.md"))}
    apart = {ROOT / "docs/index.md", ROOT / "README.md", *ROOT.glob("docs/develop/decisions/*.md")}
    assert [page for page in PAGES if page not in targets | apart] == []


def unknown_labels(text: str) -> list[str]:
    """Labels in italics that no page has; a page may add a colon, a full stop or an ellipsis."""
    texts = {each.msgid.strip(" .:…") for each in polib.pofile(str(ROOT / "locale/de/LC_MESSAGES/django.po"))}
    return [label for label in LABEL.findall(text) if label.strip(" .:…") not in texts]


def test_guides_call_things_as_the_pages_do() -> None:
    unknown = [f"{page.name}: {label}" for page in GUIDES for label in unknown_labels(prose_of(page))]
    assert unknown == []


def test_a_label_that_no_page_has_is_found() -> None:
    assert unknown_labels("*Fly to the moon*, then *Open registration*; *public* is no label.") == ["Fly to the moon"]


def test_every_setting_is_described() -> None:
    code = [*ROOT.glob("config/**/*.py"), *ROOT.glob("launch/*.py")]
    read = {name for file in code for name in READ.findall(file.read_text())}
    described = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs/operate/settings.md").read_text()))
    assert len(read) > 20
    assert sorted(read - OF_THE_RUN - described) == []
    ours = {PREFIX + name for name in NAMES}
    assert sorted({name for name in read | described if name.startswith(PREFIX)} - ours) == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150
