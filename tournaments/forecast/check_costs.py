"""What a deck check costs now: by how much it moves the expected end of the round."""

from datetime import datetime

from tournaments.decks.services.deck_checks import CheckCosts
from tournaments.forecast.timetable import round_in_play
from tournaments.models import Match, Seat, Stage, Tournament
from tournaments.structure.selectors.stages import current_stage, rounds_in, rounds_planned

CHECK_SECONDS = 600
"""How long a table waits for a deck check: its time is extended by as much."""


def check_costs(tournament: Tournament, now: datetime) -> CheckCosts:
    """The costs for each player at a table that plays; a constant number of queries.

    A player whose match is over, or who has a bye, costs nothing.
    """
    stage = current_stage(tournament)
    playing = round_in_play(tournament, now)
    if playing is None:
        return CheckCosts(is_last_round=_all_rounds_begun(stage))
    by_table = playing.forecaster.pause_costs(CHECK_SECONDS)
    open_seats = Seat.objects.filter(match__round=playing.round, match__state=Match.State.OPEN)
    rows = open_seats.values_list("entry__number", "match__table_number")
    costs = {number: by_table[table or 0] for number, table in rows}
    return CheckCosts(costs, known=True, is_last_round=_all_rounds_begun(stage))


def _all_rounds_begun(stage: Stage) -> bool:
    planned = None if stage.is_bracket else rounds_planned(stage)
    return stage.is_bracket or (planned is not None and rounds_in(stage).count() >= planned)
