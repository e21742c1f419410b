"""Scores as people write them: those a match can usually end with, their desk codes, and how typed text is read."""

import re
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules_engine.errors import DomainError
from scoring.standings.results import MatchLength, MatchResult, ResultKind

MORE = "0"
"""The desk code that leads to everything a code cannot say."""
_BETWEEN = r"(?:\s*[-–—:/,.]\s*|\s+)"
_WRITTEN = re.compile(rf"(\d{{1,2}}){_BETWEEN}(\d{{1,2}})(?:{_BETWEEN}(\d{{1,2}}))?")
_RUN_TOGETHER = re.compile(r"(\d)(\d)(\d)?")


@dataclass(frozen=True, slots=True)
class Score:
    """Games won, lost and drawn, seen from one side."""

    won: int
    lost: int
    drawn: int = 0

    @property
    def text(self) -> str:
        """As people write it: 2–1, with drawn games 1–1–1."""
        numbers = (self.won, self.lost, self.drawn) if self.drawn else (self.won, self.lost)
        return "–".join(map(str, numbers))

    @property
    def key(self) -> str:
        """The value a form sends for it: 2-1-0."""
        return f"{self.won}-{self.lost}-{self.drawn}"

    def turned(self) -> "Score":
        """The same, seen from the other side."""
        return Score(self.lost, self.won, self.drawn)

    def as_result(self, place: int = 0) -> MatchResult:
        """As the result of a match of two seats, where the one who sees it so sits at `place` (0 or 1)."""
        seen = self.turned() if place else self
        return MatchResult(ResultKind.PLAYED, (seen.won, seen.lost), seen.drawn)


def usual_scores(length: MatchLength) -> tuple[Score, ...]:
    """The scores a match mostly ends with, from the best for the first seat to the best for the second.

    Their places, counted from 1, are the codes of the desk: 2–0, 2–1, 1–1, 1–2, 0–2 in a best of three.
    """
    needed = length.wins_needed
    if length.exactly:
        return tuple(Score(needed - lost, lost) for lost in range(needed + 1))
    ahead = [Score(needed, lost) for lost in range(needed)]
    even = Score(needed - 1, needed - 1) if needed > 1 else Score(0, 0, 1)
    return (*ahead, even, *(score.turned() for score in reversed(ahead)))


def desk_codes(length: MatchLength, *, needs_winner: bool = False) -> dict[int, Score]:
    """What one digit stands for at the desk; draws keep theirs and are left out where a match needs a winner."""
    codes = enumerate(usual_scores(length), start=1)
    return {code: score for code, score in codes if not needs_winner or score.won != score.lost}


def score_tiles(length: MatchLength, *, needs_winner: bool = False) -> dict[str, Score]:
    """The scores offered as tiles, two in a row, by key: what one side wins beside its mirror image, draws last."""
    scores = desk_codes(length, needs_winner=needs_winner).values()
    order = sorted(scores, key=lambda each: (each.won == each.lost, min(each.won, each.lost), each.won < each.lost))
    return {score.key: score for score in order}


def read_score(text: str, length: MatchLength) -> Score:
    """What was typed at the desk: a code, “2-1”, “2 1 0” or “21”; DomainError "unread_score" for anything else."""
    text = text.strip()
    if re.fullmatch(r"[1-9]", text) and int(text) <= len(usual_scores(length)):
        return usual_scores(length)[int(text) - 1]
    match = _WRITTEN.fullmatch(text) or _RUN_TOGETHER.fullmatch(text)
    if match is None:
        raise DomainError(
            "unread_score",
            _("“%(text)s” is no result. Type a code, or games such as 2-1 or 2-1-0.") % {"text": text[:20]},
        )
    return Score(*(int(number or 0) for number in match.groups()))
