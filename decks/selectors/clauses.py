"""Search among the clauses of a game: by id, or by words that may be mistyped or in another form."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import mul

from rapidfuzz import fuzz

from rules_engine.constraints import Clause

CLOSE, HALF = 82.0, 0.5
"""How alike a typed word and a written one are to count as the same; which part of the words has to be found."""
LEAST = 3
"""Words of so many letters fit what they begin, and their own plurals."""
PREFIX = 4
"""Words that begin with so many same letters are forms of one word."""
MAX_FOUND = 20
WEIGHTS = (1.0, 0.98, 0.95, 0.9)
"""What a word counts among the terms of a clause, what people call them, its text, and the place in the book."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a game in the reader's language, and the clauses that explain it."""

    word: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class FoundClause:
    """A clause that a search found, with its text in the reader's language.

    `score` is how alike the words are, 0 to 100; 150 where one of the clause's terms was asked for, 200 for its id.
    """

    clause: Clause
    text: str
    score: float


def list_terms(clauses: Iterable[Clause], in_words: Callable[[str], str] = str) -> list[Term]:
    """The words that `clauses` explain, in alphabetical order without regard to case."""
    found: dict[str, list[Clause]] = {}
    for clause in clauses:
        for word in clause.words:
            found.setdefault(in_words(word), []).append(clause)
    return [Term(word, tuple(each)) for word, each in sorted(found.items(), key=lambda item: _sorting(item[0]))]


def _sorting(word: str) -> str:
    """A word for sorting: accents and case left out."""
    return "".join(each for each in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(each))


def find_clauses(clauses: Iterable[Clause], asked: str, in_words: Callable[[str], str] = str) -> list[FoundClause]:
    """The clauses that fit what was asked, the best first, at most `MAX_FOUND`.

    Where some clauses have every word, the others are left out.
    """
    words = [word for word in _WORD.findall(asked.casefold()) if word]
    if not words:
        return []
    found = [_judged(clause, in_words, asked, words) for clause in clauses]
    whole = [each for each in found if each[1] == len(words) or each[0].score > 100]
    partly = [each for each in found if each[1] >= max(1, len(words) * HALF)]
    ranked = sorted(whole or partly, key=lambda each: (-each[1], -each[0].score))
    return [each for each, _count in ranked[:MAX_FOUND]]


def _judged(
    clause: Clause, in_words: Callable[[str], str], asked: str, words: Sequence[str]
) -> tuple[FoundClause, int]:
    """The clause with its score, and how many of the words it has."""
    text, plain = in_words(clause.text), _plain(asked)
    if plain == _plain(clause.id):
        return FoundClause(clause, text, 200), len(words)
    terms = [*clause.words, *map(in_words, clause.words)]
    if plain in map(_plain, terms):
        return FoundClause(clause, text, 150), len(words)
    parts = (terms, clause.also, (clause.id, text, clause.text), (clause.source,))
    written = [set(_WORD.findall(" ".join(part).casefold())) for part in parts]
    best = [[max((_likeness(word, other) for other in part), default=0.0) for part in written] for word in words]
    score = sum(max(map(mul, each, WEIGHTS)) for each in best) / len(best)
    return FoundClause(clause, text, score), sum(max(each) >= CLOSE for each in best)


def _plain(text: str) -> str:
    return "".join(_WORD.findall(text.casefold())).replace("_", "")


def _likeness(typed: str, written: str) -> float:
    """How alike two words are, 0 to 100: the same, the beginning of one another, forms of one, or mistyped."""
    if typed == written:
        return 100
    shorter = min(len(typed), len(written))
    if shorter >= LEAST and (written.startswith(typed) or typed in (f"{written}s", f"{written}es")):
        return 95
    if shorter > PREFIX and typed[: shorter - 1] == written[: shorter - 1]:
        return 90
    return fuzz.ratio(typed, written) if shorter >= PREFIX else 0
