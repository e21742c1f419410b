"""Reads the playoffs of a recorded event as one bracket of single elimination, or says why they are none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from tournaments.events.recorded_files import FileMatch, RecordedFile
from tournaments.pairing.brackets.elimination import MAX_ENTRANTS

Tree: TypeAlias = str | tuple["Tree", "Tree"]
"""Who plays whom: a player, or the two sides of a match, that of its winner first."""


class LeftOut(StrEnum):
    """Why playoffs, or some of their matches, are in no bracket."""

    NO_SWISS = "no_swiss"
    NO_OPPONENT = "no_opponent"
    NO_WINNER = "no_winner"
    NO_BRACKET = "no_bracket"
    PLACES = "places"


@dataclass(frozen=True, slots=True)
class RecordedPlayoffs:
    """A bracket: who plays whom in it, and its matches, that for third place among them.

    `left_out` counts the other matches, `why` they are. Without a bracket `tree` is None, and all are left out.
    """

    tree: Tree | None = None
    matches: tuple[FileMatch, ...] = ()
    has_third_place: bool = False
    left_out: int = 0
    why: LeftOut | None = None


def read_playoffs(file: RecordedFile) -> RecordedPlayoffs:
    """The bracket in the playoffs of a file; matches for places below the third are left out of it.

    Who meets whom tells the bracket, whatever rounds the program wrote: some write semi-finals and final into one.
    """
    matches = [match for round_ in file.playoffs for match in round_]
    if not matches:
        return RecordedPlayoffs()
    why = _fault(file, matches)
    losses = {} if why else _first_losses(matches)
    tree = None if why else _whole_tree(losses)
    if tree is None:
        return RecordedPlayoffs(left_out=len(matches), why=why or LeftOut.NO_BRACKET)
    third = _for_third_place(tree, matches, losses)
    kept = tuple(match for match in matches if losses[loser_of(match)] is match or match is third)
    left = len(matches) - len(kept)
    return RecordedPlayoffs(tree, kept, third is not None, left, LeftOut.PLACES if left else None)


def loser_of(match: FileMatch) -> str:
    """Who lost a match between two that has a winner."""
    return match.first if _won(match)[0] < _won(match)[1] else str(match.second)


def winner_of(tree: Tree) -> str:
    """Who won a part of the bracket."""
    return tree if isinstance(tree, str) else winner_of(tree[0])


def players_in(tree: Tree) -> list[str]:
    """Everybody in a part of the bracket."""
    return [tree] if isinstance(tree, str) else [player for side in tree for player in players_in(side)]


def _fault(file: RecordedFile, matches: Sequence[FileMatch]) -> LeftOut | None:
    if not file.rounds:
        return LeftOut.NO_SWISS
    if any(match.second is None for match in matches):
        return LeftOut.NO_OPPONENT
    return LeftOut.NO_WINNER if any(_won(match)[0] == _won(match)[1] for match in matches) else None


def _won(match: FileMatch) -> tuple[int, int]:
    return (0, 0) if match.result is None else (match.result.games_won[0], match.result.games_won[1])


def _first_losses(matches: Sequence[FileMatch]) -> dict[str, FileMatch]:
    """The match that put each player out of the bracket: the first that was lost."""
    found: dict[str, FileMatch] = {}
    for match in matches:
        found.setdefault(loser_of(match), match)
    return found


def _whole_tree(losses: Mapping[str, FileMatch]) -> Tree | None:
    """The bracket of everybody, or None."""
    players = {player for match in losses.values() for player in match.players}
    champions = players - losses.keys()
    beaten: dict[str, list[str]] = {}
    for loser, match in losses.items():
        beaten.setdefault(next(player for player in match.players if player != loser), []).append(loser)
    tree = _tree(champions.pop(), beaten) if len(champions) == 1 else None
    size = len(players) if len(players) <= MAX_ENTRANTS else 0
    return tree if tree is not None and len(players_in(tree)) == size else None


def _tree(player: str, beaten: Mapping[str, Sequence[str]]) -> Tree | None:
    """The part of the bracket that a player won; None where it is not twice as large with each match won.

    The last of n matches won is against a person who won n - 1 before it, and so on.
    """
    tree: Tree = player
    for number, loser in enumerate(sorted(beaten.get(player, ()), key=lambda each: len(beaten.get(each, ())))):
        side = _tree(loser, beaten) if len(beaten.get(loser, ())) == number else None
        if side is None:
            return None
        tree = (tree, side)
    return tree


def _for_third_place(tree: Tree, matches: Sequence[FileMatch], losses: Mapping[str, FileMatch]) -> FileMatch | None:
    """The match between the two who lost a semi-final, if they met once."""
    semis = {winner_of(side[1]) for side in tree if not isinstance(side, str)} if not isinstance(tree, str) else set()
    found = [match for match in matches if set(match.players) == semis and losses[loser_of(match)] is not match]
    return found[0] if len(found) == 1 else None
