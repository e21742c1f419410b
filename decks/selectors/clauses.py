"""Search among the clauses of a game: by id, or by words that may be mistyped or in another form."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from rules_engine.constraints import Clause

CLOSE, HALF = 82.0, 0.5
"""How alike a typed word and a written one are to count as the same; which part of the words has to be found."""
PREFIX = 4
"""Words that begin with so many same letters are forms of one word."""
MAX_FOUND = 20
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class FoundClause:
    """A clause that a search found, with its text in the reader's language; `score` from 0 to 100, an id's is 200."""

    clause: Clause
    text: str
    score: float


def find_clauses(clauses: Iterable[Clause], asked: str, in_words: Callable[[str], str] = str) -> list[FoundClause]:
    """The clauses that fit what was asked, the best first, at most `MAX_FOUND`.

    Where some clauses have every word, the others are left out.
    """
    words = [word for word in _WORD.findall(asked.casefold()) if word]
    if not words:
        return []
    found = [_judged(clause, in_words(clause.text), asked, words) for clause in clauses]
    whole = [each for each in found if each[1] == len(words) or each[0].score > 100]
    partly = [each for each in found if each[1] >= max(1, len(words) * HALF)]
    ranked = sorted(whole or partly, key=lambda each: (-each[1], -each[0].score))
    return [each for each, _count in ranked[:MAX_FOUND]]


def _judged(clause: Clause, text: str, asked: str, words: Sequence[str]) -> tuple[FoundClause, int]:
    """The clause with its score, and how many of the words it has."""
    if _plain(asked) == _plain(clause.id):
        return FoundClause(clause, text, 200), len(words)
    written = set(_WORD.findall(f"{clause.id} {text} {clause.text} {clause.source}".casefold()))
    best = [max((_likeness(word, other) for other in written), default=0.0) for word in words]
    return FoundClause(clause, text, sum(best) / len(best)), sum(each >= CLOSE for each in best)


def _plain(text: str) -> str:
    return "".join(_WORD.findall(text.casefold())).replace("_", "")


def _likeness(typed: str, written: str) -> float:
    """How alike two words are, 0 to 100: the same, the beginning of one another, forms of one, or mistyped."""
    if typed == written:
        return 100
    if len(typed) >= 3 and written.startswith(typed):
        return 95
    shorter = min(len(typed), len(written))
    if shorter > PREFIX and typed[: shorter - 1] == written[: shorter - 1]:
        return 90
    return fuzz.ratio(typed, written) if shorter >= PREFIX else 0
