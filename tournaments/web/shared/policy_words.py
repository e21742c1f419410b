"""How an event pairs its rounds and fills in its score sheets, in sentences for everybody."""

from django.utils.translation import gettext as _

from accounts.http.wording import worded
from scoring.sheets.tallies.options import sayings_of
from scoring.sheets.tallies.registry import options_at_events
from tournaments.models import Tournament
from tournaments.pairing.swiss.contenders import Apart, Finish, Order, PairingPolicy


def pairing_sentence(policy: PairingPolicy) -> str:
    """The rules of pairing as players read them, most important first."""
    parts = [_first_part(policy.order), *_mates_parts(policy), _finish_part(policy.finish)]
    if policy.last_finish != policy.finish:
        parts.append(_last_part(policy.last_finish))
    return _("; ").join(parts) + "."


def sheet_sentences(tournament: Tournament) -> list[str]:
    """What is agreed on for the score sheets of an event; nothing where there are none."""
    if not tournament.score_sheets:
        return []
    return [worded(said) for said in sayings_of(options_at_events(tournament.game), tournament.sheet_options)]


def _first_part(order: Order) -> str:
    if order is Order.TOP_DOWN:
        return _("No rematches if avoidable; from the top, score groups play among themselves")
    return _("No rematches if avoidable; scores as close as possible")


def _mates_parts(policy: PairingPolicy) -> list[str]:
    clubs, teams = policy.clubs, policy.teams
    both = {
        Apart.SOFT: _("club-mates and team-mates are kept apart unless it costs a rematch"),
        Apart.HARD: _("players of one club or team are kept apart"),
    }
    if clubs == teams:
        return [] if clubs is Apart.IGNORE else [both[clubs]]
    words = {
        ("clubs", Apart.SOFT): _("club-mates are kept apart unless it costs a rematch"),
        ("clubs", Apart.HARD): _("players of one club are kept apart"),
        ("teams", Apart.SOFT): _("team-mates are kept apart unless it costs a rematch"),
        ("teams", Apart.HARD): _("players of one team are kept apart"),
    }
    chosen = (("clubs", clubs), ("teams", teams))
    return [words[each] for each in sorted(chosen, key=lambda each: each[1] is not Apart.HARD) if each in words]


def _finish_part(finish: Finish) -> str:
    return {
        Finish.LOT: _("the draw decides the rest"),
        Finish.FEWEST_FLOATS: _("among equals, earlier floaters are spared"),
        Finish.STANDINGS: _("among equals, neighbours in the standings meet"),
    }[finish]


def _last_part(finish: Finish) -> str:
    return {
        Finish.LOT: _("last round: the draw decides"),
        Finish.FEWEST_FLOATS: _("last round: earlier floaters are spared"),
        Finish.STANDINGS: _("last round: neighbours in the standings meet"),
    }[finish]
