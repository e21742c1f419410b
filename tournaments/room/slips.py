"""The code on a result slip: which match it is for, in digits that every scanner and keyboard types the same.

A code is the number of the match, filled up with noughts, and two check digits by ISO 7064 MOD 97-10, so that a misread
digit or two swapped ones are no code. It is at least ten digits long: no table has such a number.
"""

import re

from rules_engine.errors import BadInput

FEWEST_DIGITS = 10
MAX_DIGITS = 20
_GAPS = re.compile(r"[\s\-\u2010-\u2014.]")


def slip_code(match_id: int) -> str:
    """The digits of a match's slip, at least ten."""
    number = f"{match_id:08d}"
    return f"{number}{98 - int(number) * 100 % 97:02d}"


def grouped(code: str) -> str:
    """A code as people read and type it, in groups of four: 0000 0123 47."""
    return " ".join(code[at : at + 4] for at in range(0, len(code), 4))


def is_slip(typed: str) -> bool:
    """Whether what was typed is meant as the code of a slip and not as the number of a table."""
    digits = _GAPS.sub("", typed)
    return digits.isascii() and digits.isdecimal() and FEWEST_DIGITS <= len(digits) <= MAX_DIGITS


def read_slip(typed: str) -> int:
    """The match that a code names, gaps and hyphens left out; BadInput "not_a_slip" where the check digits differ."""
    digits = _GAPS.sub("", typed)
    if not is_slip(digits) or int(digits) % 97 != 1 or slip_code(int(digits[:-2])) != digits:
        raise BadInput("not_a_slip", "This is not the code of a slip: a digit was misread.")
    return int(digits[:-2])
