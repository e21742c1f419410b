"""Why one entry stands above another, in words and sums that anybody can add up again."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.standings.derivations import Derivation, Operation, Term
from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import decimal_text
from scoring.standings.tiebreakers import TIEBREAKERS
from tournaments.standings.selectors.reasons import Cause, Reason
from tournaments.standings.words import INNER_NAMES, name_of, number_text, value_text, with_mark
from tournaments.web.shared.standing_words import stage_called

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
class ReasonText:
    """A reason in words: one sentence, what is equal, and the sums of what decides for the upper and the lower."""

    sentence: str
    equal: tuple[tuple[str, str], ...]
    decides: str = ""
    one: Sum | None = None
    other: Sum | None = None


def describe_reason(reason: Reason, called: Called, policy: ScoringPolicy) -> ReasonText:
    """A reason as everybody may read it; `called` names entries by id."""
    tell = _Teller(called, policy, reason.first_round)
    equal = tuple((name_of(key), tell.value(key, value)) for key, value in reason.equal)
    if reason.one is None or reason.other is None:
        return ReasonText(_sentence(reason, called), equal)
    one, other = (tell.sum(each) for each in (reason.one, reason.other))
    decides = name_of(reason.one.key)
    sentence = _("%(tiebreaker)s: %(one)s for %(above)s, %(other)s for %(below)s.") % {
        "tiebreaker": decides,
        "one": one.value,
        "other": other.value,
        "above": called[reason.above.contender],
        "below": called[reason.below.contender],
    }
    return ReasonText(sentence, equal, decides, one, other)


def _sentence(reason: Reason, called: Called) -> str:
    names = {
        "above": called[reason.above.contender],
        "below": called[reason.below.contender],
        "rank": reason.above.rank,
        "stage": stage_called(reason.stage) if reason.stage else "",
    }
    sentences = {
        Cause.TIED: _("%(above)s and %(below)s are tied in everything and share rank %(rank)d."),
        Cause.STAGE: _("%(above)s plays in a later stage (%(stage)s) than %(below)s. Points come second."),
        Cause.BRACKET: _("%(above)s went further than %(below)s (%(stage)s). Points come second."),
        Cause.BRACKET_SHARED: _(
            "%(above)s and %(below)s went out together (%(stage)s) and share rank %(rank)d. The better seed is first."
        ),
        Cause.BRACKET_OPEN: _(
            "%(above)s and %(below)s still play for places (%(stage)s) and share rank %(rank)d. The better seed is "
            "first."
        ),
    }
    return sentences[reason.cause] % names


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells derivations of one event, whose round 1 is the event's round `first_round`."""

    called: Called
    policy: ScoringPolicy
    first_round: int

    def sum(self, derivation: Derivation) -> Sum:
        """A derivation in words, its lines in order."""
        return Sum(self.lines(derivation), self.arithmetic(derivation), self.value(derivation.key, derivation.value))

    def lines(self, derivation: Derivation) -> tuple[TermLine, ...]:
        """Every line, those that do not count too."""
        return tuple(self._line(derivation, term) for term in derivation.terms)

    def _line(self, derivation: Derivation, term: Term) -> TermLine:
        parts, note = term.parts, str(NOTES.get(term.note, ""))
        if term.code in MEANINGS and not note:
            note = str(MEANINGS[term.code])
        if parts is None:
            return TermLine(self._label(derivation, term), "", exact(term.value), note, term.counted)
        raised = parts.value != term.value and term.note == "floored"
        how = self.arithmetic(parts) + (f" → {exact(term.value)}" if raised else "")
        inner = self.lines(parts) if _is_worth_lines(parts) else ()
        return TermLine(self._label(derivation, term), how, exact(term.value), note, term.counted, inner)

    def _label(self, derivation: Derivation, term: Term) -> str:
        number = term.round_number
        round_ = "" if number is None else _("Round %(number)d") % {"number": number + self.first_round - 1}
        who = "" if term.contender is None else self.called.get(term.contender, _("someone"))
        code = str(CODES.get(term.code, "")) if term.code in CODES else ""
        what = who or code or ("" if round_ else name_of_inner(derivation.key))
        return ": ".join(each for each in (round_, what) if each)

    def arithmetic(self, derivation: Derivation) -> str:
        """The counted terms as one sum, exact, so that it can be added up again."""
        counted = [exact(term.value) for term in derivation.terms if term.counted]
        formula = {
            Operation.SHARE: " / ".join(counted),
            Operation.AVERAGE: f"({' + '.join(counted)}) / {len(counted)}",
            Operation.SUM: " + ".join(counted),
            Operation.PRODUCT: " × ".join(counted),
            Operation.GIVEN: "",
        }[derivation.operation]
        shown = [formula, exact(derivation.value), self.value(derivation.key, derivation.value)]
        return " = ".join(dict.fromkeys(each for each in shown if each))

    def value(self, key: str, value: Fraction) -> str:
        """A value as published, with its sign where it is a percentage."""
        if key in SHARES:
            text = decimal_text(value * 100, max(self.policy.decimals - 2, 0), self.policy.rounding)
            return f"{with_mark(text)}\u00a0%"
        found = TIEBREAKERS.get(key)
        if found is None:
            return number_text(value, self.policy)
        return (
            f"{value_text(found, value, self.policy)}\u00a0%"
            if found.percentage
            else value_text(found, value, self.policy)
        )


def _is_worth_lines(derivation: Derivation) -> bool:
    """Whether the sum alone leaves open who is meant: averages of opponents and sums round by round."""
    return any(term.contender is not None or term.round_number is not None for term in derivation.terms)


def exact(value: Fraction) -> str:
    """A number without rounding: a decimal where it ends soon, a fraction otherwise."""
    if (value * 100).denominator > 1:
        return str(value)
    text = decimal_text(value, 2)
    return with_mark(text.rstrip("0").rstrip("."))


def name_of_inner(key: str) -> str:
    """The name of a tiebreaker, or of what one is made from."""
    return name_of(key) if key in INNER_NAMES or key in TIEBREAKERS else ""


SHARES = ("match_win", "game_win", "win_share")
"""Inner values that are shares of 1."""
CODES: Mapping[str, Promise] = {
    "points": gettext_lazy("points"),
    "most_points": gettext_lazy("most possible"),
    "game_points": gettext_lazy("game points"),
    "most_game_points": gettext_lazy("most possible"),
    "wins_and_half_draws": gettext_lazy("wins and half the draws"),
    "rounds": gettext_lazy("rounds"),
    "nothing_played": gettext_lazy("nothing played yet"),
    "floor": gettext_lazy("minimum"),
    "virtual": gettext_lazy("virtual opponent of a bye"),
    "unplayed": gettext_lazy("not played"),
    "running_total": gettext_lazy("total so far"),
    "thousandths": gettext_lazy("thousandths"),
    "weighted_sum": gettext_lazy("weighted sum"),
    "weights": gettext_lazy("weights"),
    "weight": gettext_lazy("weight"),
    "opponents_score": gettext_lazy("opponent's points"),
    "opponents_value": gettext_lazy("opponent's value"),
    "on_time": gettext_lazy("on time is 1, late is 0"),
    "lot": gettext_lazy("the number drawn; the smaller wins"),
    "head_to_head": gettext_lazy("head-to-head"),
}
NOTES: Mapping[str, Promise] = {
    "floored": gettext_lazy("raised to the minimum"),
    "no_opponents": gettext_lazy("no opponent so far"),
    "not_tied": gettext_lazy("no ties here"),
    "not_all_met": gettext_lazy("not counted: not all tied players have met"),
    "virtual": gettext_lazy("replaces an opponent"),
    "cut": gettext_lazy("cut"),
    "digits": gettext_lazy("placed side by side"),
    "as_draw": gettext_lazy("counted as a draw"),
    "bye": gettext_lazy("bye"),
    "requested_bye": gettext_lazy("requested bye"),
    "forfeit_win": gettext_lazy("opponent no-show"),
    "forfeit_loss": gettext_lazy("no-show"),
    "absent": gettext_lazy("absent"),
}
MEANINGS: Mapping[str, Promise] = {"unplayed": gettext_lazy("counts as an opponent with equal points")}
