"""Why one entry stands above another, in words and sums that anybody can add up again."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.derivations import Derivation, Operation, Term
from scoring.records import ScoringPolicy
from scoring.tiebreakers import TIEBREAKERS
from tournaments.selectors.standing_reasons import Cause, Reason
from tournaments.web.standing_words import name_of, number_text, stage_called, value_text

Called = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class TermLine:
    """One line of a sum: what it is, how it came about, what it brings in; `note` says what was done to it."""

    label: str
    how: str
    value: str
    note: str = ""
    counted: bool = True
    parts: tuple["TermLine", ...] = ()


@dataclass(frozen=True, slots=True)
class Sum:
    """A derivation in words: its lines, and what they make."""

    lines: tuple[TermLine, ...]
    how: str
    value: str


@dataclass(frozen=True, slots=True)
class Told:
    """A reason in words: one sentence, what is equal, and the sums of what decides for the upper and the lower."""

    sentence: str
    equal: tuple[tuple[str, str], ...]
    decides: str = ""
    one: Sum | None = None
    other: Sum | None = None


def reason_told(reason: Reason, called: Called, policy: ScoringPolicy) -> Told:
    """A reason as everybody may read it; `called` names entries by id."""
    equal = tuple((name_of(key), value_text(TIEBREAKERS[key], value, policy)) for key, value in reason.equal)
    if reason.one is None or reason.other is None:
        return Told(_sentence(reason, called), equal)
    sums = (sum_told(each, called, policy) for each in (reason.one, reason.other))
    return Told(_sentence(reason, called), equal, name_of(reason.one.key), *sums)


def _sentence(reason: Reason, called: Called) -> str:
    names = {
        "above": called[reason.above.contender],
        "below": called[reason.below.contender],
        "rank": reason.above.rank,
        "stage": stage_called(reason.stage) if reason.stage else "",
        "tiebreaker": name_of(reason.key) if reason.key else "",
    }
    sentences = {
        Cause.TIEBREAKER: _("%(tiebreaker)s: %(above)s has more than %(below)s."),
        Cause.TIED: _("%(above)s and %(below)s are tied in everything: they share rank %(rank)d."),
        Cause.STAGE: _(
            "%(above)s plays in a later stage (%(stage)s), %(below)s does not: that comes before any points."
        ),
        Cause.BRACKET: _("%(above)s came further than %(below)s (%(stage)s): that comes before any points."),
        Cause.BRACKET_SHARED: _(
            "%(above)s and %(below)s went out at the same point (%(stage)s): they share rank %(rank)d, and the better "
            "seed is listed first."
        ),
        Cause.BRACKET_OPEN: _(
            "%(above)s and %(below)s both still play for their places (%(stage)s): until then they share rank "
            "%(rank)d, and the better seed is listed first."
        ),
    }
    return sentences[reason.cause] % names


def sum_told(derivation: Derivation, called: Called, policy: ScoringPolicy) -> Sum:
    """A derivation in words, its lines in order."""
    lines = tuple(_line(derivation, term, called, policy) for term in derivation.terms)
    return Sum(lines, _arithmetic(derivation, policy), _value(derivation.key, derivation.value, policy))


def _line(derivation: Derivation, term: Term, called: Called, policy: ScoringPolicy) -> TermLine:
    nested = term.parts is not None and term.parts.operation is not Operation.SHARE
    parts = tuple(_line(term.parts, each, called, policy) for each in term.parts.terms) if nested and term.parts else ()
    how = "" if term.parts is None else _arithmetic(term.parts, policy)
    return TermLine(_label(term, called), how, _exact(term.value), _note(term.note), term.counted, parts)


def _label(term: Term, called: Called) -> str:
    round_ = "" if term.round_number is None else _("Round %(number)d") % {"number": term.round_number}
    who = "" if term.contender is None else called.get(term.contender, _("somebody"))
    what = "" if who else _called(term.code)
    return ": ".join(each for each in (round_, who or what) if each)


def _called(code: str) -> str:
    """What a line without an opponent is."""
    return code.replace("_", " ")


def _note(code: str) -> str:
    """What was done to a line before it counted."""
    return code.replace("_", " ")


def _arithmetic(derivation: Derivation, policy: ScoringPolicy) -> str:
    """The counted terms as one sum, exact, so that it can be added up again."""
    counted = [term.value for term in derivation.terms if term.counted]
    value = _value(derivation.key, derivation.value, policy)
    exact = _exact(derivation.value)
    shown = exact if exact == value else f"{exact} = {value}"
    if derivation.operation is Operation.SHARE and len(counted) == 2:
        return f"{_exact(counted[0])} / {_exact(counted[1])} = {shown}"
    if derivation.operation is Operation.AVERAGE and counted:
        return f"({' + '.join(map(_exact, counted))}) / {len(counted)} = {shown}"
    if derivation.operation is Operation.SUM and counted:
        return f"{' + '.join(map(_exact, counted))} = {shown}"
    return shown


def _exact(value: Fraction) -> str:
    """A number without rounding: a decimal where it ends soon, a fraction otherwise."""
    return number_text(value, 2) if (value * 100).denominator == 1 else str(value)


def _value(key: str, value: Fraction, policy: ScoringPolicy) -> str:
    found = TIEBREAKERS.get(key)
    return number_text(value, policy.decimals) if found is None else value_text(found, value, policy)
