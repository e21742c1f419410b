"""The standings in words: by what an event ranks, what a match is worth, what was amended."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from scoring.standings.points import LARGE_TABLE
from scoring.standings.records import PointsBy, ScoringPolicy
from tournaments.core.round_names import round_name
from tournaments.models import Amendment, Entry, Stage
from tournaments.pairing.pods.contenders import LARGEST
from tournaments.standings.words import name_of, number_text
from tournaments.web.shared.capitals import inside_sentence


def ranking_words(policy: ScoringPolicy) -> str:
    """By what an event ranks, most important first: “Match points, then opponents' match-win %, …”."""
    first, *rest = (name_of(key) for key in policy.tiebreakers)
    return _(", then ").join([first, *([", ".join(map(inside_sentence, rest))] if rest else [])])


def scoring_sentence(policy: ScoringPolicy) -> str:
    """The same as a sentence."""
    return _("Standings: %(names)s.") % {"names": inside_sentence(ranking_words(policy))}


def stage_called(stage: Stage) -> str:
    """The name of a stage, or its kind in a few words."""
    if not stage.name and stage.qualify == Stage.Qualify.TOP:
        return _("top %(count)s") % {"count": stage.qualify_value}
    return stage.name or str(stage.get_kind_display()).partition(":")[0]


def points_sentence(policy: ScoringPolicy) -> str:
    """What a match is worth; where only all points scored rank, that they are added up."""
    if policy.tiebreakers[0] == "victory_points" and "match_points" not in policy.tiebreakers:
        return _("All points scored at the tables are added up. A bye adds none.")
    if policy.points_by is PointsBy.PLACING:
        rows = _("; ").join(" – ".join(_points(each, policy) for each in row) for row in policy.placing_points)
        sentences = [_("Points by place at the table: %(rows)s.") % {"rows": rows}, *_large_sentence(policy)]
        return " ".join([*sentences, *_split_sentence(policy)])
    if policy.points_by is PointsBy.GAMES:
        return _("A game won gives %(points)s points.") % {"points": _points(policy.game_win, policy)}
    return _("Points: win %(win)s, draw %(draw)s, loss %(loss)s.") % {
        "win": _points(policy.win, policy),
        "draw": _points(policy.draw, policy),
        "loss": _points(policy.loss, policy),
    }


def _large_sentence(policy: ScoringPolicy) -> list[str]:
    """What places at tables larger than any listed are worth; nothing where all sizes are listed."""
    row = max(policy.placing_points, key=len, default=())
    if not row or len(row) >= LARGEST:
        return []
    said = _("From %(least)d players: the same, plus %(points)s for each further place.")
    return [said % {"least": max(LARGE_TABLE, len(row) + 1), "points": _points(row[-1], policy)}]


def _split_sentence(policy: ScoringPolicy) -> list[str]:
    """How a shared first place splits, with the numbers of the largest table."""
    row = max(policy.placing_points, key=len, default=())
    if len(row) < 2:
        return []
    half = {"one": _points(row[0], policy), "two": _points(row[1], policy), "each": _points(sum(row[:2]) // 2, policy)}
    return [
        _(
            "Ties get the average of their places, rounded down: two sharing the win get %(each)s each (%(one)s and "
            "%(two)s). A shared win is a win."
        )
        % half
    ]


def _points(points: int, policy: ScoringPolicy) -> str:
    return number_text(policy.shown_points(points), policy)


def amendment_sentence(amendment: Amendment, names: Callable[[Entry], str]) -> str:
    """What was amended, as everybody may read it: of a penalty only what it changed.

    See docs/how-it-works/trust.md#access.
    """
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
        Amendment.Kind.DROP: _("A player left or came back"),
        Amendment.Kind.PENALTY: _("Ruling of the judges"),
    }[Amendment.Kind(amendment.kind)]
