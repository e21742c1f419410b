"""What is handed to xgettext for the translators' catalogue."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.core.management.commands.makemessages import TranslatableFile

from config.management.commands.makemessages import EXTENSIONS, RulesFile
from rules_engine.systems import list_systems


def handed_over(tmp_path, monkeypatch, path):
    """What xgettext reads in place of a file of the tree; the tree itself is left alone."""
    copy = tmp_path / path
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes((settings.BASE_DIR / path).read_bytes())
    monkeypatch.chdir(tmp_path)
    file = TranslatableFile(f"./{Path(path).parent}", Path(path).name, settings.LOCALE_PATHS[0])
    build = RulesFile(SimpleNamespace(verbosity=0), "django", file)
    build.preprocess()
    text = Path(build.work_path).read_text(encoding="utf-8")
    build.cleanup()
    return text


def collected(text):
    """The literals in calls of gettext."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [call.args[0].value for call in calls if call.func.id == "gettext"]


def words_of(system):
    """Every text of a game that its pages show."""
    schema = system.card_schema
    yield from (system.name, system.summary)
    yield from (each.name for each in system.shipped)
    yield from (each.label for each in schema.fields)
    for card_type in schema.types:
        yield from (card_type.name, card_type.plural)
    yield from system.match.win_kind_labels.values()
    yield from (section.title for section in system.rules)
    for clause in system.clauses:
        yield from (clause.text, clause.book, clause.book_section, *clause.words)
    texts = system.card_texts
    yield from (*texts.texts.values(), *texts.words.values(), *(each.label for each in texts.explained))
    yield from (text for each in texts.errata for text in (each.text, each.book))
    yield from (str(card.fields["note"]) for card in system.shipped_cards if "note" in card.fields)
    for game_format in system.formats:
        yield from (game_format.name, game_format.note)
        yield from (each.title for each in game_format.sections)
        yield from (each.name for each in game_format.variants)
        yield from (each.name for each in game_format.card_lists)


@pytest.mark.parametrize("system", list_systems(), ids=lambda system: system.slug)
def test_every_word_of_a_shipped_game_is_collected(tmp_path, monkeypatch, system):
    folder, found = f"rules_engine/games/{system.slug}", []
    for path in sorted((settings.BASE_DIR / folder).glob("*.*")):
        texts = collected(handed_over(tmp_path, monkeypatch, f"{folder}/{path.name}"))
        assert len(texts) == len(set(texts))
        found += texts
    assert {word for word in words_of(system) if word} - set(found) == set()


def test_single_cards_and_other_toml_are_not_collected(tmp_path, monkeypatch):
    found = collected(handed_over(tmp_path, monkeypatch, "rules_engine/games/doom_pile/rules.toml"))
    cards = {card.name for system in list_systems() for card in system.shipped_cards}
    assert not cards.intersection(found)
    assert handed_over(tmp_path, monkeypatch, "pyproject.toml") == ""
    assert handed_over(tmp_path, monkeypatch, "tests/rules_engine/games/toy_skirmish/rules.toml") == ""


def test_templates_are_collected_as_ever(tmp_path, monkeypatch):
    assert "gettext" in handed_over(tmp_path, monkeypatch, "templates/player/match.html")


def test_the_command_is_ours():
    command = load_command_class(get_commands()["makemessages"], "makemessages")
    assert (get_commands()["makemessages"], command.build_file_class) == ("config", RulesFile)
    assert "toml" in EXTENSIONS
