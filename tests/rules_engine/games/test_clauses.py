"""Every rule the project wrote down of its games is a clause of one game, in words and with its place in a book."""

from collections import Counter

import pytest

from rules_engine.constraints import cited_by
from rules_engine.systems import list_systems

OTHER_BOOKS = {
    "DT97": "Doomtrooper tournament rules, 1997",
    "DT25": "International Doomtrooper Tournament, Milan 2025",
}
CLAUSES = {
    "doom_pile": """DP-SIZE DP-COPIES DP-BANNED DP-LIMITED DP-TYPES DP-PLAN DP-SECRET DP-STACK DP-FIRST DP-BO3
        DP-WIN-PLAN DP-WIN-EMPTY DP-WIN-OTHER DP-MULTI DP-CARDRULE""",
    "doomlings": """DL-PLAYERS DL-BOX DL-SETUP DL-END DL-ORDER DL-SCORE DL-DOMINANT DL-GENES DL-COLORS DL-TIE DL-EMPTY
        DL-PRECEDENCE DL-V-DESIGN DL-V-START DL-V-SOLO DL-V-SHORT DL-V-LONG""",
    "doomtrooper": """DT-SIZE DT-COPIES DT-OWN DT-TYPES DT-AFFIL DT-SETS DT-TARGET DT-START DT-FIRST DT-KILL DT-OWNKILL
        DT-FREELANCER DT-SABOTAGE DT-COVER DT-OUT DT-NOWARRIOR DT-MULTI DT-CARDRULE DT97-WARRIORS DT97-SIDEBAR
        DT97-COPIES DT97-BANNED DT97-RESTRICTED DT97-OWNTEXT DT97-OUT DT97-TIE DT97-TIME
        DT97-TEAMPOOL DT25-WARRIORS DT25-SIDEBAR DT25-COPIES DT25-TIME""",
    "dead_or_destroyed": "DD-DECK DD-ROLES DD-WIN-NECRO DD-WIN-PALADIN DD-SUMMON DD-MINOR DD-REVEAL",
    "house_game": "",
}
SYSTEMS = {system.slug: system for system in list_systems()}


def test_clauses_are_those_written_down_each_in_one_game():
    assert {slug: [clause.id for clause in system.clauses] for slug, system in SYSTEMS.items()} == {
        slug: ids.split() for slug, ids in CLAUSES.items()
    }
    assert set(Counter(" ".join(CLAUSES.values()).split()).values()) == {1}


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_clauses_say_where_they_stand(system):
    for clause in system.clauses:
        assert clause.text.endswith((".", ".)"))
        assert clause.book == OTHER_BOOKS.get(clause.id.partition("-")[0], system.book)
        assert clause.source == f"{clause.book}, {clause.book_section}"


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_constraints_cite_clauses_of_their_game(system):
    for game_format in system.formats:
        assert {clause for rule in game_format.constraints for clause in cited_by(rule)} <= set(system.clauses)
        assert game_format.checks_decks or system.slug == "house_game" or game_format.note
