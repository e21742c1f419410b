"""Tables with score sheets, and what people at them do: the start of tests about sheets at events."""

from accounts.actors import Actor
from journal.models import OutboxMessage
from scoring.models import SheetRevision
from scoring.tasks import tally_sheet
from tests.tournaments.factories import NOW, account, next_round, running, table
from tournaments.core.rounds import full_match
from tournaments.models import Match, MatchSheet, Seat, Tournament
from tournaments.sheets.selectors.sheet_lines import SheetLine, sheet_line
from tournaments.sheets.selectors.sheets import REPORT
from tournaments.sheets.services.filing import file_match_sheet, sign_match_sheet
from tournaments.sheets.services.writing import open_match_sheet, save_match_part
from tournaments.tasks import report_sheet

TALLY = "scoring.tally_sheet"


def doomlings(players: int = 4, **changes: object) -> Tournament:
    """A Doomlings event in the first round, everybody at tables with score sheets."""
    tournament = running(players, **{"game": "doomlings", "best_of": 1, "score_sheets": True, **changes})
    next_round(tournament)
    return tournament


def played(tournament: Tournament, number: int = 1) -> Match:
    """The match at a table of the only round."""
    return table(tournament.stages.first().rounds.first(), number)


def opened(match: Match) -> Match:
    open_match_sheet(account("olive"), match, NOW)
    return match


def seat(match: Match, place: int) -> Seat:
    """The seat at a place from 1 on."""
    return match.seats.get(order=place)


def player(match: Match, place: int) -> Actor:
    """Who plays there, by a personal link."""
    return Actor(None, seat(match, place).member.person, "link")


def sums(points: int) -> dict:
    """The part of a player in a hurry."""
    return {"sums": {"face_value": points, "bonus": 0, "catastrophe": 0}}


def write(match: Match, *points: int) -> None:
    """Everybody writes down so many points, the first seat first."""
    for place, each in enumerate(points, 1):
        part = match.score_sheet.sheet.parts.get(place=place)
        save_match_part(account("olive"), match, place, sums(each), part.version, NOW)


def file(match: Match, place: int = 1, **given: object) -> SheetRevision:
    """A player files the sheet; staff with `place` 0."""
    match = fresh(match)
    if not place:
        return file_match_sheet(account("olive"), match, NOW, **given)
    return file_match_sheet(player(match, place), match, NOW, seat=seat(match, place), **given)


def sign(match: Match, revision: SheetRevision, *places: int) -> None:
    for place in places:
        sign_match_sheet(player(match, place), fresh(match), revision, seat(match, place), NOW)


def work() -> None:
    """Workers do what was asked for."""
    while messages := list(OutboxMessage.objects.filter(task__in=(TALLY, REPORT), done_at=None).order_by("created_at")):
        for message in messages:
            {TALLY: tally_sheet, REPORT: report_sheet}[message.task](*message.args)
            OutboxMessage.objects.filter(pk=message.pk).update(done_at=NOW)


def fresh(match: Match) -> Match:
    """The match as it is now, with all that pages load."""
    return full_match(match.round.stage.tournament, match.pk)


def state(match: Match) -> SheetLine:
    """How far its sheet is."""
    return sheet_line(fresh(match))


def places(match: Match) -> list[int]:
    """What counts, by seat."""
    found = Match.objects.get(pk=match.pk).accepted_report
    return [row.placing for row in found.seat_results.order_by("seat__order")] if found else []


def held(match: Match) -> MatchSheet:
    return MatchSheet.objects.get(match=match)
