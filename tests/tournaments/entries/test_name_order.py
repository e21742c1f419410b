"""Names in the order in which people look for them, the same on both databases."""

from time import perf_counter

import pytest

from tests.tournaments.factories import NOW, account, event, next_round
from tournaments.core.names import name_key
from tournaments.entries.selectors.entries import entries_of
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.events import start_tournament
from tournaments.web.shared.match_rows import Names, lines_of, player_lines

IN_ORDER = [
    "Ærø Nielsen",
    "Anna Maria",
    "Annabel",
    "Carlos Çelik",
    "Carlos Ivanova",
    "Élodie Martin",
    "Frida Çelik",
    "Łukasz Nowak",
    "ørjan Berg",
    "Strasse",
    "Ueberschär",
    "Uebersee",
    "Zoë",
]


def test_letters_come_before_their_marks():
    assert sorted(sorted(IN_ORDER), key=name_key) == IN_ORDER
    assert sorted(["Zoé", "zoe", "Zoë", "Zoa"], key=name_key)[:2] == ["Zoa", "zoe"]


def test_composed_and_decomposed_letters_are_one():
    assert name_key("Zoe\u0308") == name_key("Zoë")


def test_ten_thousand_names_are_quick():
    names = [f"{IN_ORDER[number % len(IN_ORDER)]} {number}" for number in range(10_000)]
    since = perf_counter()
    sorted(names, key=name_key)
    assert perf_counter() - since < 1


@pytest.mark.django_db
@pytest.mark.sqlite
def test_lists_wall_and_prints_follow_it():
    held, olive = event(), account("olive")
    register_walk_ins(olive, held, [EntryDraft(name) for name in reversed(IN_ORDER)], NOW)
    held = start_tournament(olive, held, NOW)
    round_ = next_round(held)
    assert [each.name for each in entries_of(held)] == IN_ORDER
    found = player_lines(lines_of(round_, Names(held)))
    assert [each.name for each in found] == IN_ORDER, "what the wall, the prints and the pairings by name show"
