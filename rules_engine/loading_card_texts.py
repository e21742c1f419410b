"""Reading what is said of a game's cards from the file beside its rules."""

from collections.abc import Iterable
from pathlib import Path

from rules_engine.card_texts import CardTexts, Erratum, Explained
from rules_engine.cards import CardFacts
from rules_engine.rulesfile import Table, open_rules

TEXTS_FILE = "cards.toml"


def read_card_texts(folder: Path, cards: Iterable[CardFacts]) -> CardTexts:
    """The texts in `folder`, none without the file; each of the shipped `cards` has its sentence.

    DomainError `bad_rules_file` where one has none, or a correction names a card that there is not.
    """
    path = folder / TEXTS_FILE
    if not path.exists():
        return CardTexts()
    top, by_name = open_rules(path), {card.name: card for card in cards}
    texts = CardTexts(
        tuple(_read_explained(each) for each in top.tables("explained")),
        _read_pairs(top, "texts", "kind"),
        _read_pairs(top, "words", "value"),
        tuple(_read_erratum(each, by_name) for each in top.tables("errata")),
    )
    top.finish()
    for card in by_name.values():
        try:
            for _label, sentence, values in texts.said_of(card):
                sentence % values  # the sentence has a value for each of its places
        except (KeyError, TypeError, ValueError) as error:
            top.fail("texts", f"“{card.name}” cannot be told: {error}")
    return texts


def _read_pairs(top: Table, key: str, name: str) -> dict[str, str]:
    pairs = []
    for table in top.tables(key):
        pairs.append((table.text(name), table.text("text")))
        table.finish()
    top.each_once(key, [each for each, _text in pairs])
    return dict(pairs)


def _read_explained(table: Table) -> Explained:
    explained = Explained(table.text("field"), table.text("numbers"), table.text("label"))
    table.finish()
    return explained


def _read_erratum(table: Table, known: Iterable[str]) -> Erratum:
    erratum = Erratum(table.texts("cards", list(known)), table.text("text"), table.text("book"))
    table.finish()
    return erratum
