"""What the page of a player's match is about: the phase a player is in, and what comes next."""

from django.utils.translation import gettext as _

from tournaments.models import Entry, Match, Tournament
from tournaments.sheets.selectors.sheets import uses_sheets
from tournaments.structure.selectors.brackets import bracket_of, is_complete
from tournaments.structure.selectors.stages import current_stage, field_of, next_stage
from tournaments.web.shared.match_reporting import SeatReporting

EventState = Tournament.State


def phase_of(tournament: Tournament, entry: Entry, table: SeatReporting | None) -> str:
    """What the page is about now: one of the parts in templates/player/parts/."""
    if tournament.state != EventState.RUNNING:
        return str(tournament.state)
    if table is not None and table.match.state != Match.State.DONE and table.can_report:
        return open_phase(tournament, table)
    if entry.state in (Entry.State.DROPPED, Entry.State.DISQUALIFIED):
        return str(entry.state)
    if entry.state == Entry.State.WAITING:
        return "waiting_list"
    if table is None:
        return "no_table"
    return "done" if table.match.state == Match.State.DONE else "closed"


def plays_on(tournament: Tournament, entry: Entry) -> bool:
    """Whether more matches can come: no for who missed a cut, and once the place in a bracket is certain."""
    stage = current_stage(tournament)
    if stage.seeds is None:
        return True
    bracket = bracket_of(stage)
    return entry.pk in field_of(stage) and (bracket is None or entry.pk not in bracket.places)


def comes_next(tournament: Tournament, entry: Entry) -> str:
    """What a person whose match is over waits for."""
    if not plays_on(tournament, entry):
        return _("You've played your last match here.")
    stage = current_stage(tournament)
    if stage.is_bracket or not is_complete(stage):
        return _("Your table appears here when the next round is published.")
    if next_stage(tournament) is not None:
        return _("You see who plays on when the next stage begins.")
    return _("This was the last round.")


def open_phase(tournament: Tournament, table: SeatReporting) -> str:
    """The same for a match that has no result yet."""
    if table.match.state == Match.State.CONFLICT:
        return "conflict"
    if not tournament.players_report:
        return "desk"
    if uses_sheets(tournament):
        return "sheet"
    if table.match.state == Match.State.REPORTED:
        return "confirm" if table.theirs else "sent"
    return "report"
