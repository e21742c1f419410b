"""Reading the clauses of a game: from its rules file in one list, or by section from a rulebook beside it."""

from collections.abc import Iterator
from pathlib import Path

from rules_engine.constraints import Clause
from rules_engine.game import RuleSection
from rules_engine.rulesfile import Table, open_rules

RULEBOOK_FILE = "rulebook.toml"


def read_sections(top: Table, folder: Path, book: str) -> tuple[RuleSection, ...]:
    """The clauses of `top`, a rules file, as a section without a title, then those of the rulebook in `folder`.

    DomainError `bad_rules_file` where an id is there twice, or a rulebook leaves out a heading of the `book`.
    """
    own = tuple(_read_clauses(top, book))
    sections = [RuleSection("", own)] if own else []
    path = folder / RULEBOOK_FILE
    rulebook = open_rules(path) if path.exists() else None
    if rulebook:
        sections += _read_rulebook(rulebook, book)
    (rulebook or top).each_once("clauses", [clause.id for each in sections for clause in each.clauses])
    return tuple(sections)


def _read_rulebook(rulebook: Table, book: str) -> Iterator[RuleSection]:
    headings, without_rules = rulebook.texts("headings"), rulebook.texts("without_rules")
    in_sections: set[str] = set()
    for table in rulebook.tables("sections"):
        section = RuleSection(table.text("title"), tuple(_read_clauses(table, book)))
        table.finish()
        in_sections |= {heading for each in section.clauses if each.book == book for heading in each.headings}
        yield section
    for heading in (*headings, *without_rules):
        if (heading in in_sections) == (heading in without_rules):
            rulebook.fail("headings", f"“{heading}” has no clause, or is said to have none and has one")
    for heading in sorted(in_sections.difference(headings)):
        rulebook.fail("headings", f"“{heading}” is the place of a clause and not among them")
    rulebook.finish()


def _read_clauses(parent: Table, book: str) -> Iterator[Clause]:
    for table in parent.tables("clauses"):
        place = table.text("book_section"), table.text("book", book)
        words, also = (table.texts(key) if table.has(key) else () for key in ("words", "also"))
        yield Clause(table.text("id"), table.text("text"), *place, words, also)
        table.finish()
