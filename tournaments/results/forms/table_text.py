"""Results of tables as the desk types them: places, or scores, of everybody in seat order."""

import re
from fractions import Fraction

from django.utils.translation import gettext as _

from rules_engine.errors import DomainError
from scoring.standings.results import MatchLength, MatchResult, table_result
from tournaments.models import Match
from tournaments.results.forms.scores import Score, read_score
from tournaments.results.selectors import match_takes_places

_PARTED = re.compile(r"(?<=\d)[-–—:/](?=\d)|[\s,;]+")
EXAMPLE = ("11", "9", "12", "8", "15", "10")
PLACES_SHOWN = ("1", "2", "2")
MAX_QUOTED = 51
"""The places of 20 players, parted by blanks."""
_SCORE = re.compile(r"-?\d{1,5}(\.\d)?")


def read_table(text: str, seats: int, length: MatchLength, *, counts_scores: bool) -> MatchResult:
    """A typed result of a table of `seats`.

    “1224”, “1 2 2 4” are places: numbers from 1 to the number of seats. Where the standings `counts_scores` any others
    are scores, “11 9 12”, “10.5 -3 0”; those that could be places stand behind a “=”, “=3 2 1”, which means scores
    everywhere. At a table of two “1-0”, “0 1” and the desk's codes are games won, as everywhere. Where scores count,
    places or games alone need a “!” behind, as in “1 2 2 4!”: DomainError "scores_missing" without it. "unread_score"
    for anything else.
    """
    typed, marked, sure = text.strip(" =!"), text.lstrip().startswith("="), text.rstrip().endswith("!")
    numbers = [each for each in _PARTED.split(typed) if each]
    alone = None if marked else _games(typed, numbers, length) if seats == 2 else None
    alone = alone or (None if marked else _places(numbers, seats))
    if alone is None:
        return table_result(scores=_scores(numbers if counts_scores or marked else [], seats, text))
    if counts_scores and not sure:
        said = _(
            "The standings of this event count scores: type everybody's, such as %(example)s. "
            "To save “%(typed)s” without scores, type %(typed)s!"
        )
        shown = {"example": _scores_shown(seats), "typed": typed[:MAX_QUOTED]}
        if seats > len(EXAMPLE):  # at a large table scores too are numbers from 1 to its seats
            either = _(
                "The standings of this event count scores. If these are scores, type “=%(typed)s”. "
                "To save places without scores, type “%(typed)s!”."
            )
            raise DomainError("scores_missing", either % shown)
        raise DomainError("scores_missing", said % shown)
    return alone


def read_typed(match: Match, text: str) -> MatchResult:
    """What was typed about a match, loaded as `with_all` does: places or scores where such tell how it ended, else a
    score of games. DomainError as `read_table` and `read_score`.
    """
    length = match.round.stage.match_length
    if not match_takes_places(match):
        return read_score(text, length).as_result()
    counts_scores = match.round.stage.tournament.counts_scores
    return read_table(text, len(match.seats.all()), length, counts_scores=counts_scores)


def _games(typed: str, numbers: list[str], length: MatchLength) -> MatchResult | None:
    """The games won at a table of two, where they are such: a code, “1-0”, “0 1”, “10”."""
    is_code = len(numbers) == 1 and len(typed) < 3
    if not is_code and not set(numbers) <= {"0", "1"}:
        return None
    try:
        score: Score = read_score(typed, length)
    except DomainError:
        return None
    return score.as_result() if max(score.won, score.lost) <= length.wins_needed else None


def _places(numbers: list[str], seats: int) -> MatchResult | None:
    digits = numbers if len(numbers) > 1 or seats > 9 else list("".join(numbers))
    if len(digits) != seats or not all(each.isascii() and each.isdecimal() for each in digits):
        return None
    places = [int(each) for each in digits]
    return table_result(places) if all(1 <= place <= seats for place in places) else None


def _places_shown(seats: int) -> str:
    return " ".join([*PLACES_SHOWN, *map(str, range(4, seats + 1))][:seats])


def _scores_shown(seats: int) -> str:
    return " ".join((EXAMPLE * -(-seats // len(EXAMPLE)))[:seats])


def _scores(numbers: list[str], seats: int, text: str) -> list[Fraction]:
    if len(numbers) != seats or not all(_SCORE.fullmatch(each) for each in numbers):
        said = _(
            "“%(text)s” is no result of %(seats)d players. Type their places in seat order, such as %(example)s, "
            "or their scores, such as %(scores)s."
        )
        facts = {"text": text[:MAX_QUOTED], "seats": seats, "example": _places_shown(seats)}
        raise DomainError("unread_score", said % {**facts, "scores": _scores_shown(seats)})
    return [Fraction(each) for each in numbers]
