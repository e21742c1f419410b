"""What cards do in words: every shipped kind has its sentence with its numbers; faulty files are refused."""

import shutil
from pathlib import Path

import pytest
from django.utils.translation import gettext, override

from rules_engine.errors import DomainError
from rules_engine.systems import get_system, load_systems

GAMES = Path(__file__).parents[2] / "rules_engine" / "games"
UNSAID = {"exclude_dominant", "exclude_dominants", "requires_attached"}
"""Numbers that are flags; a count or step of one is said as "a" or "each"."""


def sentences(game):
    """Card, sentence and values of every shipped card that has one."""
    system = get_system(game)
    for card in system.shipped_cards:
        for _label, sentence, values in system.card_texts.said_of(card):
            yield card.name, sentence, values


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_bonus_and_gold_text_says_its_numbers(language):
    told = list(sentences("doomlings"))
    assert len(told) > 100
    with override(language):
        for card, sentence, values in told:
            text = gettext(sentence) % values
            for key, number in values.items():
                if isinstance(number, int) and number != 1 and key not in UNSAID:
                    assert str(number) in text, (card, key, text)
            for key in {"name", "colors"} & values.keys():
                assert str(values[key]) in text, card


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("Egg Clusters", "+1 for each blue trait in your pile."),
        ("Swarm", "+1 for each Swarm in the piles of all players."),
        ("Glacial Meltdown", "Discard a blue trait from your pile."),
        ("Mindful", "+1 for each colorless trait in your pile."),
        ("Deus Ex Machina", "Draw a trait: its face value as points, 5 at most."),
        ("Deus Ex Machina (1e)", "Draw a trait: its face value as points."),
    ],
)
def test_a_sentence_follows_the_numbers_of_its_card(card, said):
    assert [sentence % values for name, sentence, values in sentences("doomlings") if name == card] == [said]


def test_corrections_are_with_the_cards_they_concern():
    texts = get_system("doomtrooper").card_texts
    assert "+5 to Fight" in texts.errata_of("CLOSE AIR SUPPORT")[0].text
    assert texts.errata_of("RETRAINING")[0].text == "After use it is annihilated, not discarded."
    assert texts.errata_of("LUNA") == []


@pytest.mark.parametrize(
    ("game", "old", "new"),
    [
        ("doomlings", 'kind = "per_negative_face"', 'kind = "per_negative_fac"'),
        ("doomlings", "for each %(name)s in your pile", "for each %(nam)s in your pile"),
        ("doomtrooper", '"CLOSE AIR SUPPORT"', '"CLOSE AIR SUPORT"'),
    ],
)
def test_a_card_without_its_sentence_and_a_correction_of_no_card_are_refused(tmp_path, game, old, new):
    folder = tmp_path / game
    shutil.copytree(GAMES / game, folder)
    file = folder / "cards.toml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(DomainError) as caught:
        load_systems(tmp_path)
    assert (caught.value.code, caught.value.details["file"]) == ("bad_rules_file", f"{game}/cards.toml")
