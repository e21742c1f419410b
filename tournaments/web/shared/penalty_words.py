"""Penalties in words for pages: what each audience reads of them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.actors import Actor
from accounts.http.access import is_allowed
from tournaments.models import Penalty, Tournament
from tournaments.penalties.selectors import know_penalties, penalties_at
from tournaments.web.shared.match_rows import MatchRow, seats_of

Kind = Penalty.Kind
ICONS = {Kind.WARNING: "wait", Kind.GAME_LOSS: "wrong", Kind.MATCH_LOSS: "wrong", Kind.DISQUALIFICATION: "wrong"}


@dataclass(frozen=True, slots=True)
class PenaltyLine:
    penalty: Penalty
    name: str
    effect: str

    @property
    def look(self) -> str:
        """The class of its kind's mark."""
        return "plain" if self.penalty.taken_back_at else ICONS[Kind(self.penalty.kind)]


def effect_of(penalty: Penalty) -> str:
    """What a penalty did or asks for; an empty text for a warning."""
    if penalty.kind == Kind.DISQUALIFICATION:
        return _("out of the event, without a rank")
    if penalty.report_id is not None:
        return _("changed the result of its match")
    if penalty.kind == Kind.GAME_LOSS:
        return _("counts as a lost game of its match") if penalty.match_id else _("no match yet")
    return _("loses its match") if penalty.kind == Kind.MATCH_LOSS else ""


def carried_in_words(moved: Iterable[tuple[Penalty, bool]], called: Callable[[int], str]) -> list[str]:
    """Where game losses go whose tables give way, one sentence each; with each whether it counts at a new table."""
    here = _("The game loss of %(name)s counts at the new table.")
    nowhere = _("%(name)s has a game loss but no match in this round then, so it doesn't count.")
    return [(here if counts else nowhere) % {"name": called(each.entry_id)} for each, counts in moved]


def may_give_penalties(actor: Actor, tournament: Tournament) -> bool:
    """Whether the viewer gives penalties and takes them back now."""
    open_states = (Tournament.State.REGISTRATION, Tournament.State.RUNNING)
    return tournament.state in open_states and is_allowed("penalty.give", actor, tournament)


def shown_penalties(actor: Actor, tournament: Tournament, line: MatchRow) -> list[PenaltyLine]:
    """What everybody at the table was given so far at the event, newest first, for officials; nothing for others."""
    if not is_allowed("penalty.read", actor, tournament):
        return []
    called = dict(zip(line.entries, line.names, strict=True))
    given = Penalty.objects.filter(tournament=tournament, entry__in=line.entries)
    given = given.select_related("entry", "round__stage__tournament")
    return [PenaltyLine(each, called[each.entry_id], effect_of(each)) for each in given]


def describe_game_losses(line: MatchRow) -> list[str]:
    """What whoever enters the score has to know: the games that penalties have lost already."""
    know_penalties([line.match])
    found = penalties_at(line.match, seats_of(line.match))
    games = [
        ngettext(
            "%(name)s has a game loss: one game counts as lost.",
            "%(name)s has %(count)d game losses: %(count)d games count as lost.",
            count,
        )
        % {"name": line.names[place], "count": count}
        for place, count in found.game_losses.items()
    ]
    return games + [
        _("%(name)s loses this match by a penalty.") % {"name": line.names[place]} for place in found.match_losses
    ]
