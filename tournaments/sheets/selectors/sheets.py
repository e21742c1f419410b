"""Questions about the score sheets of matches: who writes what, who signs, and what a tally says of the match."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain, count
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _

from accounts.actors import Actor
from rules_engine.errors import DomainError, NotFound, needed
from scoring.models import ScoreSheet, SheetPart, SheetRevision, SheetSignature
from scoring.sheets.tallies.registry import get_tallier, has_sheet
from scoring.standings.results import MatchResult, table_result, with_game_losses, with_match_loss
from tournaments.core.links import seats_with_names
from tournaments.entries.selectors.entries import shared_names
from tournaments.models import Entry, Match, MatchSheet, ResultReport, Seat, Stage, Tournament
from tournaments.penalties.selectors import penalties_at
from tournaments.permissions import TABLE as BY_CODE
from tournaments.results.selectors import is_absence_doubtful

TABLE = 0
"""The place of a sheet's part that belongs to the whole table."""

MAX_OF_A_NAME = 60
"""So much of a member's name is left where the team's goes with it: tallies take 200 characters."""
SIGNATURES = "signatures"
ONE = "one"
REPORT = "tournaments.report_sheet"
"""The task that turns a tallied sheet into a report of its match."""


def uses_sheets(tournament: Tournament) -> bool:
    """Whether the result of a match at this event comes from a score sheet."""
    return tournament.score_sheets and has_sheet(tournament.game)


def sheet_of(match: Match) -> MatchSheet | None:
    """The score sheet of a match; None before anybody opened it."""
    return MatchSheet.objects.select_related("sheet").filter(match=match).first()


def needed_sheet(match: Match) -> MatchSheet:
    """The score sheet of a match; NotFound "no_sheet" before anybody opened it."""
    return needed(sheet_of(match), NotFound("no_sheet", _("This match has no score sheet yet.")))


def tally_options(tournament: Tournament, stage: Stage) -> dict[str, Any]:
    """The options of an event's sheets that its tallies get, those of the stage above the event's own."""
    return without_signatures({**tournament.sheet_options, **stage.sheet_options})


def without_signatures(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that decide what a sheet adds up to: who signs it is none of them."""
    return {key: value for key, value in options.items() if key != SIGNATURES}


def asks_one_signature(tournament: Tournament) -> bool:
    """Whether one signature besides the filer's makes a sheet count, unless it is disputed."""
    return bool(tournament.sheet_options.get(SIGNATURES) == ONE)


def players_on_sheet(tournament: Tournament, seats: Sequence[Seat]) -> list[dict[str, Any]]:
    """Everybody at a table in seat order, a team with its members, each by a name that nobody else at the table bears.

    Players who share a name at the event are distinguished by their numbers, members at a table by their teams.
    """
    shared, players = shared_names(tournament), []
    taken: set[str] = set()
    for seat in seats:
        entry = seat.entry
        name = f"{entry.name} #{entry.number}" if entry.name.casefold() in shared else entry.name
        members = [member.person.name for member in entry.members.select_related("person")]
        players.append((_own_name(name, taken), members if len(members) > 1 else []))
    borne = Counter(name.casefold() for team, members in players for name in _names_of(team, members))
    taken |= set(borne)
    return [
        {"name": team, **({"members": [_member_name(name, team, borne, taken) for name in members]} if members else {})}
        for team, members in players
    ]


def _names_of(team: str, members: Sequence[str]) -> list[str]:
    """The team's name and its members'; a team may be called like one of its own members."""
    return [*members, *({team} - set(members))]


def _member_name(name: str, team: str, borne: Mapping[str, int], taken: set[str]) -> str:
    """A member's name at the table, with the team's where several bear it."""
    if borne[name.casefold()] == 1:
        return name
    return _own_name(f"{name[:MAX_OF_A_NAME]} ({team})", taken)


def _own_name(name: str, taken: set[str]) -> str:
    """The name, numbered where a person has taken it already."""
    names = chain((name,), (f"{name} ({number})" for number in count(2)))
    found = next(each for each in names if each.casefold() not in taken)
    taken.add(found.casefold())
    return found


def writable_places(sheet: ScoreSheet, actor: Actor, own: int | None) -> frozenset[int]:
    """The places an actor writes: their own, the table's, and others' that are empty or that the actor wrote.

    `own` is None for staff, who write all. One phone for the whole table is common: whoever's part it is takes it over
    by saving it. Not by the code on the table: that proves no name, so it opens no part that another phone wrote.
    """
    parts: list[SheetPart] = list(sheet.parts.all())
    if own is None:
        return frozenset(part.place for part in parts)
    free = (part.place for part in parts if not part.content or part.saved_by == actor.key)
    return frozenset((TABLE, *free) if actor.via == "table" else (TABLE, own, *free))


def written_mark(sheet: ScoreSheet) -> str:
    """Another one means that a person wrote on the sheet."""
    return ".".join(str(version) for version in sheet.parts.order_by("place").values_list("version", flat=True))


def present_places(sheet: ScoreSheet, content: Mapping[str, Any]) -> list[int]:
    """The places from 1 on whose players are on a filed sheet: whoever did not come is left out."""
    names = {player["name"] for player in content["players"]}
    return [place for place, player in enumerate(sheet.players, 1) if player["name"] in names]


def result_of_tally(
    match: Match, seats: Sequence[Seat], sheet: ScoreSheet, revision: SheetRevision, tally: Mapping[str, Any]
) -> MatchResult:
    """What a tallied sheet says of its match, with the losses that penalties at it add.

    Whoever did not come shares the last place. DomainError "tied" where a draw of the tied has to decide first,
    "too_few" where hardly anybody came.
    """
    if len(tally["winners"]) > 1 and sheet.options.get("ties") == "draw":
        text = _("Tied: %(names)s. Draw lots and enter the result.")
        raise DomainError("tied", text % {"names": ", ".join(tally["winners"])})
    result = _at_all_seats(get_tallier(sheet.game).result(tally), present_places(sheet, revision.content), len(seats))
    return _with_penalties(match, seats, result)


def _at_all_seats(result: MatchResult, present: Sequence[int], seats: int) -> MatchResult:
    if len(present) == seats:
        return result
    if len(present) < 2:
        raise DomainError("too_few", _("Too few players came: staff enter the no-shows."))
    scores = dict(zip(present, result.scores or [Fraction(0)] * len(present), strict=True))
    placings = dict(zip(present, result.placings, strict=True))
    places = range(1, seats + 1)
    return table_result(
        [placings.get(place, len(present) + 1) for place in places],
        [scores.get(place, Fraction(0)) for place in places],
        tuple(place - 1 for place in places if place not in placings),
    )


def _with_penalties(match: Match, seats: Sequence[Seat], result: MatchResult) -> MatchResult:
    penalties, length = penalties_at(match, seats), match.round.stage.match_length
    out = {place for place, seat in enumerate(seats) if seat.entry.state == Entry.State.DISQUALIFIED}
    losing = out | set(penalties.match_losses)
    behind = losing | set(penalties.game_losses)
    for place, losses in penalties.game_losses.items():
        result = with_game_losses(result, place, losses, length, behind)
    for place in sorted(losing):
        result = with_match_loss(result, place, len(seats), length, behind) or result
    return result


def is_signed(match: Match, revision: SheetRevision, seats: Sequence[Seat]) -> bool:
    """Whether a filed sheet has the signatures that the event asks for; a disputed one needs everybody's.

    Whoever did not come, dropped or was disqualified is not asked.
    """
    held, stage = needed_sheet(match), match.round.stage
    signed = set(SheetSignature.objects.filter(revision=revision).values_list("place", flat=True))
    asked = asked_places(held.sheet, revision, seats)
    if asks_one_signature(stage.tournament) and match.state != Match.State.CONFLICT:
        return bool(signed & ((asked - {held.filed_from}) or asked))
    return bool(signed) and asked <= signed


def signatures_of(match: Match) -> list[SheetSignature]:
    """The signatures under the newest version of a match's sheet; none without one."""
    newest = SheetRevision.objects.filter(sheet__newest=F("number"))
    held = MatchSheet.objects.filter(match=match).values("sheet")
    return list(SheetSignature.objects.filter(revision__in=newest.filter(sheet__in=held)))


def waits_for_names(tournament: Tournament, report: ResultReport, seats: Sequence[Seat]) -> bool:
    """Whether a report by a score sheet waits for staff although it is signed: by codes, or of a person absent.

    A code signs for those players alone who have no name to sign by, and where staff agree to what codes tell, for
    nobody. That a person did not come who has such a name takes that player's own signature, or the word of staff.
    """
    held, revision = needed_sheet(report.match), report.sheet_revision
    signatures = SheetSignature.objects.filter(revision=revision)
    signed = {each.place: each.actor.startswith(f"{BY_CODE}:") for each in signatures}
    if held.filed_from and report.role == BY_CODE:
        signed.setdefault(held.filed_from, True)
    by_code = [seats[place - 1] for place, is_code in signed.items() if is_code]
    if by_code and tournament.table_reports != Tournament.TableReports.PLAYERS:
        return True
    absent = {seat.order for seat in seats} - set(present_places(held.sheet, revision.content if revision else {}))
    said = {seats[place - 1].pk for place in (*held.absent, *signed)}
    return bool(seats_with_names(tournament, by_code)) or is_absence_doubtful(
        tournament, seats, [place - 1 for place in absent], said
    )


def asked_places(sheet: ScoreSheet, revision: SheetRevision, seats: Sequence[Seat]) -> set[int]:
    """The places whose signatures are asked for."""
    present = present_places(sheet, revision.content)
    return {place for place in present if seats[place - 1].entry.state == Entry.State.REGISTERED}
