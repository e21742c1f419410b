"""Who is who in a league: accounts, guests of equal name, and what its organiser says."""

import pytest

from tournaments.leagues.selectors import Appearance, who_is_who


def guest(person, event, name="Ada"):
    return Appearance(person, None, event, name)


@pytest.mark.parametrize(
    ("appearances", "words", "players"),
    [
        ([guest(1, 0), guest(2, 1, "  aDA ")], {}, [{1, 2}]),
        ([guest(1, 0), guest(2, 1, "Ben")], {}, [{1}, {2}]),
        ([Appearance(1, 7, 0, "Ada"), Appearance(2, 7, 1, "Ada the Great")], {}, [{1, 2}]),
        ([Appearance(1, 7, 0, "Ada"), guest(2, 1)], {}, [{1}, {2}]),
        ([guest(1, 0), guest(2, 0), guest(3, 1)], {}, [{1}, {2}, {3}]),
        ([guest(1, 0), guest(2, 1)], {2: 2}, [{1}, {2}]),
        ([guest(1, 0), guest(2, 0), guest(3, 1)], {3: 1}, [{1, 3}, {2}]),
        ([guest(1, 0), guest(2, 0), guest(3, 1)], {2: 2}, [{1, 3}, {2}]),
        ([guest(1, 0), guest(2, 1), guest(3, 2, "A. Lovelace")], {3: 1}, [{1, 2, 3}]),
        ([guest(1, 0), guest(2, 1, "Ben")], {2: 9}, [{1}, {2}]),
        ([guest(2, 0), guest(3, 1, "Ben")], {2: 1, 3: 1}, [{2, 3}]),
        ([Appearance(1, None, 0, "Gone", erased=True), Appearance(2, None, 1, "Gone", erased=True)], {}, [{1}, {2}]),
        ([guest(1, 0, "Ａda"), guest(2, 1, "ada")], {}, [{1, 2}]),
        ([], {}, []),
    ],
    ids=[
        "guests of one name", "other names", "one account", "account and guest of one name", "two of a name at one",
        "told apart", "joined by word", "the rest joins once the other is told apart", "a word joins whole groups",
        "a word about nobody", "two words about who is hidden", "erased", "wide letters", "nobody",
    ],
)  # fmt: skip
def test_players_are_told_apart(appearances, words, players):
    same = who_is_who(appearances, words)
    found = {}
    for person, root in same.items():
        found.setdefault(root, set()).add(person)
    assert sorted(found.values(), key=min) == players
    assert all(root == min(group) for root, group in found.items())
