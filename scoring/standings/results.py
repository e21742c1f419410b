"""The result of one match as people report it, checked against the length of the match."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from scoring.standings.records import Outcome

MAX_GAMES = 99
MAX_SCORE = 99_999
SCORE_STEPS = 10
"""Scores of seats are whole tenths: victory points come in halves."""


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
    """How long a match is: "best of n" ends when a person cannot be caught, "exactly n" plays all n games."""

    games: int
    exactly: bool = False

    @property
    def wins_needed(self) -> int:
        """The most games one side can win."""
        return self.games if self.exactly else self.games // 2 + 1

    @property
    def most_games(self) -> int:
        """The most games that can be reported one by one: drawn ones are played again in a best of n."""
        return self.games if self.exactly else 2 * self.games


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game: the winning seat (None: drawn or unfinished), the key of how it was won, the role of each seat.

    `win_kind` is one of the game system's keys, GAME_LOSS, or "" where nobody wrote it down; so are `roles` ().
    """

    winner: int | None
    win_kind: str = ""
    roles: tuple[str, ...] = ()


GAME_LOSS = "game_loss"
"""How a game is won whose loser had a penalty; it goes with every game system."""
TELLS_NO_ROLE = (GAME_LOSS, "concession", "time", "unknown")
"""Ways in which a game ends that say nothing of who held which role."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What is reported for a match: games won by each seat in seat order, games drawn, and each game where it is known.

    `absent` holds the seats that did not come (for NO_SHOW), `penalised` those that lose by a penalty (MATCH_LOSS).
    At tables of several players `placings` holds the place of each seat, shared ones the same number (1, 2, 2, 4),
    and `scores` its points where the game counts any; who was absent or penalised shares the last place there.
    A played match of two over several games has no places; `scores` then add up each seat's points of all its games.
    """

    kind: ResultKind
    games_won: tuple[int, ...]
    games_drawn: int = 0
    games: tuple[GameResult, ...] = ()
    absent: tuple[int, ...] = ()
    placings: tuple[int, ...] = ()
    scores: tuple[Fraction, ...] = ()
    penalised: tuple[int, ...] = ()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcome for each seat: the first place (most games won) wins, faults lose.

        Two who share it draw. At a table of several players a shared win is a win for each of those who share it; a
        draw agreed on, and a table on which nobody is behind and no points were counted, are drawn.
        """
        if self.kind is ResultKind.DOUBLE_LOSS:
            return tuple(Outcome.LOSS for _ in self.games_won)
        marks = tuple(-place for place in self.placings) or self.games_won
        losing = self.faults
        counted = [mark for seat, mark in enumerate(marks) if seat not in losing]
        best = max(counted, default=0)
        shared = counted.count(best) > 1 and not self._shares_the_win(counted)
        return tuple(
            Outcome.LOSS if seat in losing or mark < best else Outcome.DRAW if shared else Outcome.WIN
            for seat, mark in enumerate(marks)
        )

    @property
    def faults(self) -> frozenset[int]:
        """The seats that lose without having played: absent, or penalised."""
        return frozenset((*self.absent, *self.penalised))

    @property
    def last_of_those_who_came(self) -> frozenset[int]:
        """The seats at the last place of a table, whoever `faults` sent behind them left out; needs places."""
        came = {seat: place for seat, place in enumerate(self.placings) if seat not in self.faults}
        return frozenset(seat for seat, place in came.items() if place == max(came.values()))

    def _shares_the_win(self, marks: Sequence[int]) -> bool:
        """Whether several seats may win: at tables of several, where those who share the first place beat a person."""
        played = len(self.placings) > 2 and self.kind is not ResultKind.INTENTIONAL_DRAW
        return played and (bool(self.scores) or len(set(marks)) > 1)


def no_show(seats: int, absent: tuple[int, ...], length: MatchLength) -> MatchResult:
    """The result when seats stay empty: who is present wins all games needed; who is absent loses.

    Where several are present at a table, they play: `table_result` with `absent` then.
    """
    if seats > 2 and seats - len(absent) == 1:
        return table_result([2 if seat in absent else 1 for seat in range(seats)], absent=absent)
    won = tuple(0 if seat in absent else length.wins_needed for seat in range(seats))
    return MatchResult(ResultKind.NO_SHOW, won, absent=absent)


def intentional_draw(length: MatchLength, seats: int = 2) -> MatchResult:
    """A draw agreed on without playing: every game of the match counts as drawn.

    See docs/how-it-works/standings-and-tiebreakers.md#magic.
    """
    if seats > 2:
        return MatchResult(ResultKind.INTENTIONAL_DRAW, (0,) * seats, 1, placings=(1,) * seats)
    return MatchResult(ResultKind.INTENTIONAL_DRAW, (0,) * seats, length.games)


def match_loss(seat: int, length: MatchLength) -> MatchResult:
    """A match of two seats lost by a penalty or a disqualification: 0 games to all that are needed."""
    won = tuple(0 if place == seat else length.wins_needed for place in range(2))
    return MatchResult(ResultKind.MATCH_LOSS, won, penalised=(seat,))


def with_match_loss(
    result: MatchResult | None, seat: int, seats: int, length: MatchLength, others: Collection[int] = ()
) -> MatchResult | None:
    """A result once `seat` loses the match by a penalty; `result` is what counted so far.

    With two seats the other one wins; who has lost by a penalty already does not win thereby: a loss for both. At a
    table of several, and where two have places with scores, the seat shares the last place with the `others` that
    penalties sent there; without a result so far None: they play on.
    """
    if seats > 2 or (result is not None and result.placings and result.scores):
        return None if result is None or not result.placings else _moved_last(result, {seat, *others})
    if result is not None and (result.kind is ResultKind.DOUBLE_LOSS or seat in (*result.absent, *result.penalised)):
        return result
    if result is not None and (result.absent or result.penalised):
        return MatchResult(ResultKind.DOUBLE_LOSS, (0,) * seats)
    return match_loss(seat, length)


def _moved_last(result: MatchResult, losing: Collection[int]) -> MatchResult:
    """A table's result in which these seats share the last place of those who came, and score nothing.

    Everybody else keeps the score and moves up. A loss for all where nobody else came.
    """
    behind, seats = result.faults, range(len(result.placings))
    if {*losing, *behind} >= {*seats}:
        return MatchResult(ResultKind.DOUBLE_LOSS, (0,) * len(seats))
    last = len(seats) + 1
    places = [last + 1 if seat in behind else last if seat in losing else result.placings[seat] for seat in seats]
    placings = places_by([Fraction(-place) for place in places])
    won, drawn = games_of(placings)
    scores = [min(score, Fraction(0)) if seat in losing else score for seat, score in enumerate(result.scores)]
    kind = ResultKind.PLAYED if result.kind is ResultKind.INTENTIONAL_DRAW else result.kind
    return replace(
        result, kind=kind, games_won=won, games_drawn=drawn, games=(), placings=placings, scores=tuple(scores)
    )


def with_game_losses(
    result: MatchResult, seat: int, losses: int, length: MatchLength, others: Collection[int] = ()
) -> MatchResult:
    """A result in which `losses` games at least count against `seat`; itself where they do already.

    At a table of several its one game is lost: the last place, shared with the `others` that penalties sent there.
    Points of the games of a match of two stay.
    """
    if result.placings:
        lost = result.outcomes[seat] is Outcome.LOSS and seat in result.last_of_those_who_came
        return result if lost else _moved_last(result, {seat, *others})
    if result.kind is not ResultKind.PLAYED:
        return result
    own, against = result.games_won[seat], result.games_won[1 - seat]
    if against >= losses:
        return result
    against = min(losses, length.wins_needed)
    drawn = min(result.games_drawn, length.games - against) if length.exactly else result.games_drawn
    if length.exactly:
        own = min(own, length.games - against - drawn)
    elif against == length.wins_needed:
        own = min(own, length.wins_needed - 1)
    won = (own, against) if seat == 0 else (against, own)
    return MatchResult(ResultKind.PLAYED, won, drawn, scores=result.scores)


def table_result(
    placings: Sequence[int] = (), scores: Sequence[Fraction] = (), absent: tuple[int, ...] = ()
) -> MatchResult:
    """The result of a table of several players, in seat order; without `placings` the scores decide, the most first.

    It counts as one game: won by a sole first place, else drawn.
    """
    placings = tuple(placings) or places_by(scores)
    won, drawn = games_of(placings)
    kind = ResultKind.NO_SHOW if absent else ResultKind.PLAYED
    return MatchResult(kind, won, drawn, absent=absent, placings=placings, scores=tuple(scores))


def places_by(scores: Sequence[Fraction]) -> tuple[int, ...]:
    """The place of each score among all, the highest first, equal ones shared: 3, 1, 1, 0 gives 1, 2, 2, 4."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def games_of(placings: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Games won by each seat and games drawn, as a table counts."""
    sole = placings.count(1) == 1
    return tuple(int(sole and place == 1) for place in placings), int(not sole)
