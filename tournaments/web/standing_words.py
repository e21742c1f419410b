"""The standings in words: what a tiebreaker is, how a value is written, by what an event ranks, what was amended."""

from collections.abc import Callable
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.records import ScoringPolicy
from scoring.standings import decimal_text
from scoring.tiebreakers import TIEBREAKERS, Tiebreaker
from tournaments.models import Amendment, Entry, Stage
from tournaments.selectors.stages import round_name


def name_of(key: str) -> str:
    """The full name of a tiebreaker."""
    return _(TIEBREAKERS[key].name)


def value_text(column: Tiebreaker, value: Fraction, policy: ScoringPolicy) -> str:
    """A value as published: percentages of 100, all rounded half up to the event's digits, without idle zeros."""
    if column.percentage:
        return decimal_text(value * 100, max(policy.decimals - 2, 0))
    return number_text(value, policy.decimals)


def exact_text(column: Tiebreaker, value: Fraction) -> str:
    """A value with its name, as a fraction where it is one."""
    exact = f"{value} = {decimal_text(value * 100, 6)} %" if column.percentage else str(value)
    return f"{_(column.name)}: {exact}"


def number_text(value: Fraction, digits: int) -> str:
    """A number, rounded half up to so many digits, without zeros that say nothing: 13, 13.5, 5.1111."""
    text = decimal_text(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def scoring_sentence(policy: ScoringPolicy) -> str:
    """By what an event ranks, most important first."""
    first, *rest = (_lower(name_of(key)) for key in policy.tiebreakers)
    return _("Standings: %(names)s.") % {"names": _(", then ").join([first, *([", ".join(rest)] if rest else [])])}


def stage_called(stage: Stage) -> str:
    """The name of a stage, or its kind in a few words."""
    return stage.name or str(stage.get_kind_display()).partition(":")[0]


def points_sentence(policy: ScoringPolicy) -> str:
    """What a match is worth."""
    return _("A win gives %(win)d points, a draw %(draw)d, a loss %(loss)d.") % {
        "win": policy.win,
        "draw": policy.draw,
        "loss": policy.loss,
    }


def _lower(name: str) -> str:
    """A name inside a sentence; "OMW" and "Sonneborn-Berger" stay as they are."""
    proper = name[:2].isupper() or name.split()[0] in PROPER
    return name if proper else name[:1].lower() + name[1:]


PROPER = ("Buchholz", "Sonneborn-Berger", "Median", "Yu-Gi-Oh", "Pokémon")


def amendment_sentence(amendment: Amendment, names: Callable[[Entry], str]) -> str:
    """What was amended, as everybody may read it: a penalty is told by what it changed alone (TRUST.md 3)."""
    if amendment.kind == Amendment.Kind.DROP and amendment.entry is not None:
        return _("%(name)s left, or came back") % {"name": names(amendment.entry)}
    match = amendment.report.match if amendment.report else None
    if match is not None and match.table_number:
        return _("Result changed: table %(table)d, %(round)s") % {
            "table": match.table_number,
            "round": round_name(match.round),
        }
    return {
        Amendment.Kind.CORRECTION: _("Result changed"),
        Amendment.Kind.DROP: _("Somebody left, or came back"),
        Amendment.Kind.PENALTY: _("Ruling of the judges"),
    }[Amendment.Kind(amendment.kind)]
