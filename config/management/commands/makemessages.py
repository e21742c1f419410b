"""`makemessages`: collects the words of the games' rules files beside those of code and templates."""

import csv
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

from rules_engine.loading import RULES_FILE
from rules_engine.loading_card_texts import TEXTS_FILE
from rules_engine.loading_rulebook import RULEBOOK_FILE

GAMES = Path("rules_engine", "games")
EXTENSIONS = ["html", "txt", "py", "toml", "csv"]
OUTSIDE = ["tests/*", "var/*", "docs/*", "screenshots/*", "launch/*"]
"""What nobody reads in another language."""
WORDS = frozenset({"name", "summary", "text", "label", "plural", "title", "note", "book", "book_section", "words"})
"""The keys of a game's files whose texts people read."""


class RulesFile(makemessages.BuildFile):
    """A file to collect from; rules and notes on cards are handed to xgettext as calls of gettext, other TOML and CSV
    as nothing."""

    def preprocess(self) -> None:
        """Write the file that xgettext reads in place of this one."""
        path = Path(self.path)
        if path.suffix not in (".toml", ".csv"):
            super().preprocess()
            return
        is_game, text = path.parent.parent == GAMES, path.read_text(encoding="utf-8")
        rules: object = {}
        if is_game and path.suffix == ".csv":
            rules = [{"note": row.get("note")} for row in csv.DictReader(text.splitlines())]
        elif is_game and path.name in (RULES_FILE, RULEBOOK_FILE, TEXTS_FILE):
            rules = tomllib.loads(text)
        lines = [f"gettext({word!r})\n" for word in dict.fromkeys(words_in(rules))]
        Path(self.work_path).write_text("".join(lines), encoding="utf-8")


def words_in(value: object, key: str = "") -> Iterator[str]:
    """The texts that people read below `key` of a rules file; names of single cards are not among them."""
    if isinstance(value, dict):
        for inner, each in value.items():
            yield from words_in(each, inner)
    elif isinstance(value, list) and key != "cards":
        for each in value:
            yield from words_in(each, key)
    elif isinstance(value, str) and value and key in WORDS:
        yield value


class Command(makemessages.Command):
    """Django's command, with TOML among the files it collects from; catalogues name files, not lines."""

    build_file_class = RulesFile
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]
    """A text that changed is translated anew: a guess of what it may mean now helps nobody."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Collect."""
        usual = {"extensions": EXTENSIONS, "add_location": "file", "ignore_patterns": OUTSIDE}
        super().handle(*args, **{**options, **{name: options[name] or value for name, value in usual.items()}})
