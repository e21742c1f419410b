"""Whether the result of a match can be: against its length, its seats and the penalties given in it."""

from collections.abc import Collection, Mapping, Sequence

from rules_engine.errors import DomainError
from rules_engine.messages import Message, gettext_noop
from scoring.standings.records import Outcome
from scoring.standings.results import (
    GAME_LOSS,
    MAX_GAMES,
    MAX_SCORE,
    SCORE_STEPS,
    GameResult,
    MatchLength,
    MatchResult,
    ResultKind,
    games_of,
)


def check_result(
    result: MatchResult,
    seats: int,
    length: MatchLength,
    *,
    as_recorded: bool = False,
    needs_winner: bool = False,
    scores_rank: bool = True,
    game_losses: Mapping[int, int] | None = None,
    match_losses: Collection[int] = (),
) -> None:
    """Refuse a result that cannot be, raising DomainError "bad_score" that says why.

    `as_recorded` accepts any score a platform has on file (3-0 in a best of three, 0-0-0), within 0..99 games.
    `needs_winner`: in a bracket a person goes on (DomainError "needs_a_winner"). `scores_rank`: more points never stand
    lower; without, as a score sheet may say, places follow from something else (a card wins). A match of two over
    several games is reported by them, with scores or without.
    `game_losses` by seat: each counts as a lost game, played or not; `match_losses` are the seats that lose
    (DomainError "penalty_missing").
    """
    numbers = (*result.games_won, result.games_drawn)
    if len(result.games_won) != seats:
        raise _bad_score(
            gettext_noop("This match has %(seats)d seats, the result names %(named)d."),
            seats=seats,
            named=len(result.games_won),
        )
    if any(number < 0 or number > MAX_GAMES for number in numbers):
        raise _bad_score(gettext_noop("Games are counted from 0 to %(most)d."), most=MAX_GAMES)
    _check_faults(result, seats)
    if not as_recorded:
        _check_unplayed(result, seats, length)
    if result.placings or seats > 2 or (result.scores and result.kind is not ResultKind.PLAYED):
        _check_places(result, seats)
        _check_scores(result, seats, scores_rank=scores_rank)
    else:
        _check_scores(result, seats, scores_rank=False)
        if not as_recorded and result.kind in (ResultKind.PLAYED, ResultKind.INTENTIONAL_DRAW):
            _check_length(result, length)
    _check_games(result, length, as_recorded=as_recorded)
    if needs_winner and result.outcomes.count(Outcome.WIN) != 1:
        raise DomainError(
            "needs_a_winner",
            Message(gettext_noop("One of the players has to go on: this match cannot end without a winner.")),
        )
    _check_penalties(result, length, game_losses or {}, match_losses)


def _check_faults(result: MatchResult, seats: int) -> None:
    """A no-show names who was absent, a match loss who is penalised, and nothing else does."""
    for named in (result.absent, result.penalised):
        if list(named) != sorted(set(named)) or any(not 0 <= seat < seats for seat in named):
            raise _bad_score(gettext_noop("Seats are named from 1 to %(seats)d, each once."), seats=seats)
    if bool(result.absent) != (result.kind is ResultKind.NO_SHOW):
        raise _bad_score(gettext_noop("Name the absent seats in a no-show, and in no other result."))
    if bool(result.penalised) != (result.kind is ResultKind.MATCH_LOSS) or len(set(result.penalised)) == seats:
        raise _bad_score(gettext_noop("A match loss names who loses, not everybody, and only a match loss does."))


def _check_unplayed(result: MatchResult, seats: int, length: MatchLength) -> None:
    """What was not played counts as the rules say, not as a person types."""
    losing = result.faults
    if result.kind is ResultKind.BYE:
        raise _bad_score(gettext_noop("A bye is not reported."))
    if result.kind is ResultKind.DOUBLE_LOSS and (any(result.games_won) or result.games_drawn):
        raise _bad_score(gettext_noop("A loss for both has no games."))
    won = tuple(0 if seat in losing else length.wins_needed for seat in range(seats))
    if losing and not result.placings and (result.games_won != won or result.games_drawn):
        raise _bad_score(gettext_noop("Who is there wins %(games)d games, the other none."), games=length.wins_needed)


def _check_places(result: MatchResult, seats: int) -> None:
    """Places are a ranking with ties, and faults share the last place."""
    losing = result.faults
    if not result.placings and (result.kind is ResultKind.DOUBLE_LOSS or len(losing) == seats):
        return
    if len(result.placings) != seats or any(
        place != 1 + sum(other < place for other in result.placings) for place in result.placings
    ):
        raise _bad_score(
            gettext_noop("Give everybody's place at the table from 1; after a shared place go on as in 1, 2, 2, 4.")
        )
    last = max(result.placings)
    if losing and {seat for seat, place in enumerate(result.placings) if place == last} != losing:
        raise _bad_score(gettext_noop("Who was absent or is penalised takes the last place or shares it."))
    if result.kind is ResultKind.INTENTIONAL_DRAW and last > 1:
        raise _bad_score(gettext_noop("A draw agreed on is shared by everybody."))
    if (result.games_won, result.games_drawn) != games_of(result.placings):
        raise _bad_score(gettext_noop("A table counts as one game, won by a sole first place and drawn otherwise."))


def _check_scores(result: MatchResult, seats: int, *, scores_rank: bool) -> None:
    """Scores are given for everybody, and agree with the places if they `scores_rank`.

    A match of two that is reported by its games has no places: who wins more games may have fewer points.
    """
    if not result.scores:
        return
    if len(result.scores) != seats or not (result.placings or result.kind is ResultKind.PLAYED):
        raise _bad_score(gettext_noop("Give a score for each of the %(seats)d seats."), seats=seats)
    if any(abs(score) > MAX_SCORE or (score * SCORE_STEPS).denominator != 1 for score in result.scores):
        raise _bad_score(gettext_noop("Scores go up to %(most)d, in steps of a tenth."), most=MAX_SCORE)
    losing = result.faults
    rows = [row for seat, row in enumerate(zip(result.scores, result.placings, strict=False)) if seat not in losing]
    if scores_rank and any(
        (score > other and place >= behind) or (score != other and place == behind)
        for score, place in rows
        for other, behind in rows
    ):
        raise _bad_score(
            gettext_noop("Places and scores don't match: a player with more points can't have a lower place.")
        )


def _check_games(result: MatchResult, length: MatchLength, *, as_recorded: bool) -> None:
    """The single games, where given, must add up to the score, and none follows once the match is decided."""
    if not result.games:
        return
    seats = range(len(result.games_won))
    if any(game.winner is not None and game.winner not in seats for game in result.games):
        raise _bad_score(gettext_noop("A game is won by one of the %(seats)d seats."), seats=len(seats))
    won = tuple(sum(game.winner == seat for game in result.games) for seat in seats)
    if won != result.games_won or sum(game.winner is None for game in result.games) != result.games_drawn:
        raise _bad_score(gettext_noop("The single games do not add up to the score."))
    before = [game.winner for game in result.games[:-1]]
    needed = length.wins_needed
    if not as_recorded and not length.exactly and any(before.count(seat) >= needed for seat in range(len(won))):
        raise _bad_score(gettext_noop("The match ends with %(games)d games won: no game follows."), games=needed)


def check_game_facts(games: Sequence[GameResult], win_kinds: Sequence[str], roles: Sequence[str]) -> None:
    """Refuse single games that the game system does not know: DomainError "bad_game".

    `win_kinds` and `roles` are its keys. Where a kind of win is the name of a role, its holder is who won.
    """
    for number, game in enumerate(games, start=1):
        if game.win_kind not in ("", GAME_LOSS, *win_kinds) or (game.winner is None and game.win_kind):
            raise _bad_game(gettext_noop("Game %(number)d: this is no way to win it."), number=number)
        if game.roles and sorted(game.roles) != sorted(roles):
            raise _bad_game(gettext_noop("Game %(number)d: every role is held by one of the players."), number=number)
        won_as = game.roles[game.winner] if game.roles and game.winner is not None else game.win_kind
        if game.win_kind in roles and game.win_kind != won_as:
            raise _bad_game(
                gettext_noop("Game %(number)d: who won did not play %(role)s."), number=number, role=game.win_kind
            )


def _check_penalties(
    result: MatchResult, length: MatchLength, game_losses: Mapping[int, int], match_losses: Collection[int]
) -> None:
    """Penalties are in the result: lost games at least the game losses; at tables of several the last place.

    A match ends with the games it takes, however many game losses there are. One that the other side lost without
    playing has no games to lose.
    """
    if result.kind is ResultKind.DOUBLE_LOSS:
        return
    asked = {*match_losses} if result.faults and not result.placings else {*game_losses, *match_losses}
    for seat in sorted(asked - result.faults):
        if seat in match_losses or result.placings:
            last = not result.placings or seat in result.last_of_those_who_came
            if result.outcomes[seat] is not Outcome.LOSS or not last:
                raise DomainError(
                    "penalty_missing",
                    Message(gettext_noop("Seat %(number)d has a penalty and loses this match."), {"number": seat + 1}),
                    seat=seat,
                )
            continue
        lost = sum(won for other, won in enumerate(result.games_won) if other != seat)
        if lost < (least := min(game_losses[seat], length.wins_needed)):
            raise DomainError(
                "penalty_missing",
                Message(
                    gettext_noop("Seat %(number)d has game losses as penalties: %(losses)d at least count as lost."),
                    {"number": seat + 1, "losses": least},
                ),
                seat=seat,
                losses=least,
            )


def _check_length(result: MatchResult, length: MatchLength) -> None:
    needed = length.wins_needed
    if result.kind is ResultKind.INTENTIONAL_DRAW:
        if any(result.games_won):
            raise _bad_score(gettext_noop("An intentional draw has no won games."))
        return
    if max(result.games_won) > needed:
        raise _bad_score(gettext_noop("Nobody can win more than %(games)d games of this match."), games=needed)
    if not length.exactly and sum(won == needed for won in result.games_won) > 1:
        raise _bad_score(gettext_noop("Only one side can win %(games)d games: the match ends there."), games=needed)
    if length.exactly and sum(result.games_won) + result.games_drawn > length.games:
        raise _bad_score(gettext_noop("This match has exactly %(games)d games."), games=length.games)
    if result.games_drawn > length.games:
        raise _bad_score(gettext_noop("More than %(games)d drawn games cannot be reported."), games=length.games)
    if not any(result.games_won) and not result.games_drawn:
        raise _bad_score(
            gettext_noop("No game was played: report an intentional draw, a no-show or a double loss instead.")
        )


def _bad_score(template: str, **params: object) -> DomainError:
    return DomainError("bad_score", Message(template, params))


def _bad_game(template: str, **params: object) -> DomainError:
    return DomainError("bad_game", Message(template, params))
