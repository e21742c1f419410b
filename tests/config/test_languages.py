"""The catalogues in locale/: whole, their placeholders those of the code, compiled as they are written.

`manage.py makemessages -l de -l fr` collects (it needs gettext's tools); `manage.py compilemessages` compiles.
"""

import re
import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import ngettext, to_locale

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PLACEHOLDER = re.compile(r"%\(\w+\)[sdif]|%[sdifn]|%%|\{\w*(?:[.!:][^{}]*)?\}|</?\w+[^<>]*>")
"""What the code fills in, and markup."""
BREAKS_BEFORE_SIGN = re.compile("[ ][:;!?»]|«[ ]")
OTHER_SAVE = re.compile(r"sauvegard(?!es\b)", re.IGNORECASE)
"""To save is “enregistrer”; “sauvegardes” are backups."""
UNKNOWN_CARD = "Kh ? 10d"
"""Here the sign is a card, typed between spaces."""


def catalogue(code: str, kind: str = "po") -> Path:
    return settings.BASE_DIR / "locale" / to_locale(code) / "LC_MESSAGES" / f"django.{kind}"


def holes(text: str) -> Counter[str]:
    """How often each placeholder stands in a text."""
    return Counter(PLACEHOLDER.findall(text))


def faults_of(entry: polib.POEntry) -> Iterator[str]:
    """What is wrong with the translation of one text; nothing for one that is not translated yet."""
    if not entry.msgid_plural:
        forms = [(entry.msgid, entry.msgstr)]
    else:
        forms = [(entry.msgid_plural, form) for form in entry.msgstr_plural.values()]
    if entry.fuzzy:
        yield f"{entry.msgid!r} is marked as doubtful"
    for at, (source, told) in enumerate(forms):
        if not told:
            continue
        missing, more = holes(source) - holes(told), holes(told) - holes(source)
        if more or (missing and not (entry.msgid_plural and at == 0)):  # "one table" may do without its number
            yield f"{told!r} has other placeholders than {source!r}"
        if (source[:1] == "\n", source[-1:] == "\n") != (told[:1] == "\n", told[-1:] == "\n"):
            yield f"{told!r} begins or ends its lines otherwise than {source!r}"


def french_texts(entries: Iterable[polib.POEntry]) -> Iterator[str]:
    """Every text of a catalogue, each of its plurals."""
    return (text for entry in entries for text in (entry.msgstr, *entry.msgstr_plural.values()))


def messages_in(file: Path) -> dict[str, str]:
    """What a compiled catalogue holds, by text (plurals joined by NUL as the format has them)."""
    raw = file.read_bytes()
    count, originals, translations = struct.unpack("<3I", raw[8:20])

    def text(table: int, at: int) -> str:
        length, offset = struct.unpack_from("<2I", raw, table + 8 * at)
        return raw[offset : offset + length].decode()

    return {text(originals, at): text(translations, at) for at in range(count)}


def expected_of(file: Path) -> dict[str, str]:
    """What the compiled catalogue of a written one must hold: all that is translated."""
    found = {}
    for entry in polib.pofile(str(file)).translated_entries():
        key = f"{entry.msgctxt}\4{entry.msgid}" if entry.msgctxt else entry.msgid
        forms = [entry.msgstr_plural[at] for at in sorted(entry.msgstr_plural)] or [entry.msgstr]
        found["\0".join(filter(None, (key, entry.msgid_plural)))] = "\0".join(forms)
    return found


@pytest.mark.parametrize("code", LANGUAGES)
def test_translations_have_the_placeholders_of_their_texts(code):
    assert [
        fault for entry in polib.pofile(str(catalogue(code))) if not entry.obsolete for fault in faults_of(entry)
    ] == []


def test_every_text_is_translated_into_every_language():
    written = {code: polib.pofile(str(catalogue(code))) for code in LANGUAGES}
    known = {entry.msgid for entries in written.values() for entry in entries}
    told = {code: {entry.msgid for entry in entries.translated_entries()} for code, entries in written.items()}
    assert [(code, text) for code in LANGUAGES for text in known - told[code]] == []


def test_french_signs_of_two_parts_stay_on_the_line_of_their_word():
    texts = french_texts(polib.pofile(str(catalogue("fr"))))
    assert [text for text in texts if BREAKS_BEFORE_SIGN.search(text.replace(UNKNOWN_CARD, ""))] == []


def test_one_french_word_says_save():
    texts = french_texts(polib.pofile(str(catalogue("fr"))))
    assert [text for text in texts if OTHER_SAVE.search(text)] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_compiled_catalogue_is_that_of_the_written_one(code):
    compiled = messages_in(catalogue(code, "mo"))
    compiled.pop("")
    assert compiled == expected_of(catalogue(code))


@pytest.mark.parametrize(("code", "rule"), [("de", "(n != 1)"), ("fr", "(n > 1)")])
def test_plural_rules_are_those_of_the_language(code, rule):
    assert polib.pofile(str(catalogue(code))).metadata["Plural-Forms"] == f"nplurals=2; plural={rule};"


@pytest.mark.parametrize("code", [code for code, _name in settings.LANGUAGES])
def test_every_language_can_be_chosen_and_keeps_the_page(client, code):
    answer = client.post("/i18n/setlang/", {"language": code}, headers={"referer": "http://testserver/cards/"})
    assert (answer.status_code, answer["Location"]) == (302, "http://testserver/cards/")
    html = client.get("/cards/").content.decode()
    assert f'<html lang="{code}" dir="ltr">' in html
    assert re.search(rf'value="{code}" lang="{code}"\s+aria-current="true"', html)
    assert re.findall(r'name="language"[^>]*>\s*([^<]+?)\s*<', html) == ["Deutsch", "English", "Français"]


def test_choice_of_a_language_leads_to_no_other_site(client):
    answer = client.post("/i18n/setlang/", {"language": "de", "next": "https://elsewhere.example/"})
    assert "elsewhere" not in answer["Location"]


def test_one_and_many_are_told_apart_in_each_language():
    for code in LANGUAGES:
        with translation.override(code):
            assert ngettext("%(count)d table", "%(count)d tables", 1) is not None
