"""Refusals of sheets: programs read the keys of JSON and the kinds of acts, people the words of the page."""

import re

import pytest
from django.utils.translation import override

from rules_engine.errors import DomainError
from rules_engine.systems import list_systems
from scoring.games.doomtrooper import forms
from scoring.games.doomtrooper.tally import sheet as trooper
from scoring.games.doomtrooper.tally.words import place_of_act
from scoring.sheets.tallies.options import check_options
from scoring.sheets.tallies.registry import get_tallier, has_sheet
from scoring.sheets.wording import worded

TWO = [{"name": "Ada"}, {"name": "Ben"}]


def refusal(game: str, **sheet: object) -> DomainError:
    with pytest.raises(DomainError) as caught:
        get_tallier(game).tally({"players": TWO, **sheet})
    return caught.value


@pytest.mark.parametrize(
    ("game", "sheet", "code", "german"),
    [
        ("doomtrooper", {"acts": [{"act": "muster", "player": "Eve"}]}, "act 1 (muster): “player”", "„Wer“"),
        ("doomtrooper", {"acts": [{"act": "kill", "player": "Ada", "victim": "Ben"}]}, "(kill): “value”", "„Value“"),
        ("doomtrooper", {"options": {"sabotage": 7}}, "Option “sabotage”", "Sabotage"),
        ("doom_pile", {"games": [{"winner": "Eve"}]}, "game 1: “winner”: Eve", "Spiel 1: „Sieger“: Eve"),
        ("doomlings", {"players": [{"traits": ["Nothing At All"]}]}, "Player 1: “traits”", "Spieler 1: „"),
    ],
)
def test_refusal_names_keys_to_programs_and_words_of_the_page_to_people(game, sheet, code, german):
    refused = refusal(game, **sheet)
    with override("en"):
        assert code in refused.message
    with override("de"):
        said = worded(refused.wording)
    assert german in said
    keys = {*trooper.KINDS, *trooper.EVERY_KEY} | {"winner", "won_by", "traits", "own_cards", "check_limits"}
    keys -= {"sabotage", "value"}  # words of the game that German keeps
    assert not keys & set(re.findall(r"\w+", said)), said


def test_role_of_a_winner_is_said_in_the_readers_language():
    played = {"roles": ["paladin", "necromancer"], "winner": "Ada", "won_by": "necromancer"}
    refused = refusal("dead_or_destroyed", games=[played])
    assert "Ada won as paladin" in refused.message
    with override("de"):
        assert "Ada hat als Paladin gewonnen" in worded(refused.wording)


def test_every_kind_of_act_has_words_that_the_form_has_too():
    shown = {**forms.KINDS, **forms.CARD_KINDS}
    assert shown.keys() == trooper.KINDS.keys()
    for language in ("en", "de", "fr"):
        with override(language):
            for kind, words in shown.items():
                assert f"({words})" in worded(place_of_act(1, kind))


def test_option_is_refused_by_its_label():
    games = [system.slug for system in list_systems() if has_sheet(system.slug)]
    for option in (option for game in games for option in get_tallier(game).options):
        with pytest.raises(DomainError) as caught:
            check_options([option], {option.key: ["no"]})
        with override("en"):
            assert f"“{option.key}”" in caught.value.message
            assert f"“{option.label}”" in worded(caught.value.wording)
