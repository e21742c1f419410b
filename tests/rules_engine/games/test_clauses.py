"""Every rule the project wrote down of its games is a clause of one game, in words and with its place in a book."""

import pytest

from rules_engine.constraints import cited_by
from rules_engine.systems import list_systems

OTHER_BOOKS = {
    "DT97": "Doomtrooper tournament rules, 1997",
    "DT10": "Prague league, 2010",
    "DT25": "International Doomtrooper Tournament, Milan 2025",
}
SYSTEMS = {system.slug: system for system in list_systems()}


def test_clauses_are_in_one_game_each_under_its_letters():
    ids = [(clause.id, slug) for slug, system in SYSTEMS.items() for clause in system.clauses]
    assert len(dict(ids)) == len(ids)
    assert {(clause.partition("-")[0].rstrip("0123456789"), slug) for clause, slug in ids} == {
        ("DP", "doom_pile"),
        ("DL", "doomlings"),
        ("DT", "doomtrooper"),
        ("DD", "dead_or_destroyed"),
    }


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_clauses_say_where_they_stand(system):
    for clause in system.clauses:
        assert clause.text.endswith((".", ".)"))
        assert clause.book == OTHER_BOOKS.get(clause.id.partition("-")[0], system.book)
        assert clause.source == f"{clause.book}, {clause.book_section}"


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_rules_stand_in_sections_and_under_words(system):
    assert all(section.title and section.clauses for section in system.rules)
    without = {clause.id for clause in system.clauses if not clause.words and clause.book == system.book}
    assert without <= {"DD-WIN-PALADIN"}


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_constraints_cite_clauses_of_their_game(system):
    for game_format in system.formats:
        assert {clause for rule in game_format.constraints for clause in cited_by(rule)} <= set(system.clauses)
        assert game_format.checks_decks or system.slug == "house_game" or game_format.note
