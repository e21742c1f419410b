"""Refusals of sheets: programs read the keys of JSON and the kinds of acts, people the words of the page."""

import re

import pytest
from django.utils.translation import override

from accounts.http.wording import worded
from rules_engine.errors import DomainError
from rules_engine.systems import list_systems
from scoring.games.doomlings.tally import sheet as doomlings
from scoring.games.doomtrooper import forms
from scoring.games.doomtrooper.tally import sheet as trooper
from scoring.games.doomtrooper.tally.words import place_of_act
from scoring.sheets.tallies.games import KEYS
from scoring.sheets.tallies.options import check_options
from scoring.sheets.tallies.registry import get_tallier, has_sheet

TWO = [{"name": "Ada"}, {"name": "Ben"}]


def refusal_of(game: str, sheet: dict[str, object]) -> DomainError | None:
    try:
        get_tallier(game).tally(sheet)
    except DomainError as refused:
        return refused
    return None


def refusal(game: str, **sheet: object) -> DomainError:
    refused = refusal_of(game, {"players": TWO, **sheet})
    assert refused is not None
    return refused


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


OF_SHEETS = {
    "doom_pile": (KEYS, ("name",)),
    "dead_or_destroyed": (KEYS, ("name",)),
    "doomtrooper": (("players", "acts", "options"), ("name", "members")),
    "doomlings": (doomlings.SHEET_KEYS, doomlings.PLAYER_KEYS),
}
"""The keys of a sheet and of a player that pages write or file."""


@pytest.mark.parametrize("game", OF_SHEETS)
def test_no_key_of_a_sheet_is_said_to_people_whatever_is_wrong_with_its_value(game):
    of_sheet, of_player = OF_SHEETS[game]
    blank = {"traits": []} if game == "doomlings" else {}
    ada, ben = ({**each, **blank} for each in TWO)
    bad = ([7] * 5_001, {"x": 7}, 10**6, "x" * 999, True, "A\u200bB")
    sheets = [{"players": [ada, ben], key: value} for key in of_sheet for value in bad]
    sheets += [{"players": [{**ada, key: value}, ben]} for key in of_player for value in bad]
    refused = [each for sheet in sheets if (each := refusal_of(game, sheet))]
    said = [worded(each.wording) for each in refused]
    keys = re.compile("|".join(rf"“{key}[,”]|^{key}[:,]|, {key}:" for key in {*of_sheet, *of_player}))
    assert [each for each in said if keys.search(each)] == []
    assert sum(bool(keys.search(each.message)) for each in refused) > len(of_sheet), "programs are told the key"


def test_a_value_that_is_a_list_is_said_in_the_readers_language():
    refused = refusal("doom_pile", games=[7] * 100)
    assert "not a list of 100." in refused.message
    assert refused.wording.params["value"].wording.template == "a list of %(count)d", "translators have it"


@pytest.mark.parametrize("game", OF_SHEETS)
def test_names_take_the_invisible_signs_that_spelling_needs_and_no_others(game):
    def tallied(name: str) -> str:
        blank = {"traits": []} if game == "doomlings" else {}
        refused = refusal_of(game, {"players": [{"name": name, **blank}, {"name": "Ben", **blank}]})
        return str(refused and refused.message)

    assert "visible characters" not in tallied("می\u200cخواهم")
    assert "visible characters" in tallied("Ada\u200bB")


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
