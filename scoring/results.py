"""The result of one match as people report it, checked against the length of the match."""

from dataclasses import dataclass
from enum import StrEnum

from rules_engine.errors import DomainError
from scoring.records import Outcome

MOST_GAMES = 99


class ResultKind(StrEnum):
    """What a result says happened."""

    PLAYED = "played"
    INTENTIONAL_DRAW = "intentional_draw"
    NO_SHOW = "no_show"
    DOUBLE_LOSS = "double_loss"
    MATCH_LOSS = "match_loss"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class MatchLength:
    """How long a match is: "best of n" ends when somebody cannot be caught, "exactly n" plays all n games."""

    games: int
    exactly: bool = False

    @property
    def wins_needed(self) -> int:
        """The most games one side can win."""
        return self.games if self.exactly else self.games // 2 + 1


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game: the winning seat (None: a draw), the game system's key of how it was won, role of each seat."""

    winner: int | None
    win_kind: str = ""
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What is reported for a match: games won by each seat in seat order, games drawn, and each game where it is known.

    `absent` holds the seats that did not come (for NO_SHOW).
    """

    kind: ResultKind
    games_won: tuple[int, ...]
    games_drawn: int = 0
    games: tuple[GameResult, ...] = ()
    absent: tuple[int, ...] = ()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome for each seat: most games won wins, equal most games draw; penalties and absences lose."""
        if self.kind is ResultKind.DOUBLE_LOSS:
            return tuple(Outcome.LOSS for _ in self.games_won)
        present = [won for seat, won in enumerate(self.games_won) if seat not in self.absent]
        best = max(present, default=-1)
        shared = sum(won == best for won in present) > 1
        return tuple(
            Outcome.LOSS if seat in self.absent or won < best else Outcome.DRAW if shared else Outcome.WIN
            for seat, won in enumerate(self.games_won)
        )


def no_show(seats: int, absent: tuple[int, ...], length: MatchLength) -> MatchResult:
    """The result when seats stay empty: everybody present wins all games needed; who is absent loses."""
    won = tuple(0 if seat in absent else length.wins_needed for seat in range(seats))
    return MatchResult(ResultKind.NO_SHOW, won, absent=absent)


def check_result(result: MatchResult, seats: int, length: MatchLength, *, as_recorded: bool = False) -> None:
    """Refuse a result that cannot be, raising DomainError "bad_score" that says why.

    `as_recorded` accepts any score a platform has on file (3-0 in a best of three, 0-0-0), within 0..99 games.
    """
    numbers = (*result.games_won, result.games_drawn)
    if len(result.games_won) != seats:
        raise DomainError("bad_score", f"This match has {seats} seats, the result names {len(result.games_won)}.")
    if any(number < 0 or number > MOST_GAMES for number in numbers):
        raise DomainError("bad_score", f"Games are counted from 0 to {MOST_GAMES}.")
    if bool(result.absent) != (result.kind is ResultKind.NO_SHOW) or any(
        not 0 <= seat < seats for seat in result.absent
    ):
        raise DomainError("bad_score", "A no-show names who was absent, and only a no-show does.")
    _check_games(result)
    if not as_recorded and result.kind in (ResultKind.PLAYED, ResultKind.INTENTIONAL_DRAW):
        _check_length(result, length)


def _check_games(result: MatchResult) -> None:
    """The single games, where given, must add up to the score."""
    if not result.games:
        return
    won = tuple(sum(game.winner == seat for game in result.games) for seat in range(len(result.games_won)))
    if won != result.games_won or sum(game.winner is None for game in result.games) != result.games_drawn:
        raise DomainError("bad_score", "The single games do not add up to the score.")


def _check_length(result: MatchResult, length: MatchLength) -> None:
    needed = length.wins_needed
    if result.kind is ResultKind.INTENTIONAL_DRAW:
        if any(result.games_won):
            raise DomainError("bad_score", "An intentional draw has no won games.")
        return
    if max(result.games_won) > needed:
        raise DomainError("bad_score", f"Nobody can win more than {needed} games of this match.")
    if not length.exactly and sum(won == needed for won in result.games_won) > 1:
        raise DomainError("bad_score", f"Only one side can win {needed} games: the match ends there.")
    if length.exactly and sum(result.games_won) + result.games_drawn > length.games:
        raise DomainError("bad_score", f"This match has exactly {length.games} games.")
    if result.games_drawn > length.games:
        raise DomainError("bad_score", f"More than {length.games} drawn games cannot be reported.")
    if not any(result.games_won) and not result.games_drawn:
        raise DomainError(
            "bad_score", "No game was played: report an intentional draw, a no-show or a double loss instead."
        )
