"""A round's places as staff may change them: who sits where, who has no place, what it costs, what was changed."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

from django.db.models import Exists, OuterRef

from scoring.models import SheetPart
from tournaments.core.rounds import rounds_of
from tournaments.entries.selectors.private_needs import wanted_tables
from tournaments.models import (
    DeckPlacement,
    Entry,
    Match,
    MatchSheet,
    PairingChange,
    Penalty,
    ResultReport,
    Round,
    Seat,
    Stage,
    StoredRoundInput,
    Tournament,
)
from tournaments.pairing.manual.changes import Outcome, best_of, bill_of, change_draft, put_back
from tournaments.pairing.manual.fields import Field, Paired, with_fixed
from tournaments.pairing.manual.minimal_repairing import MINIMAL_REPAIR
from tournaments.pairing.manual.round_draft import Act, Change, CostReport, Kind, RoundDraft, Seating, difference
from tournaments.pairing.pods.contenders import TableContender, TableInput
from tournaments.pairing.swiss.contenders import Contender, Finish
from tournaments.penalties.selectors import game_losses_left
from tournaments.rounds.selectors.contenders import contenders_of, fixed_tables_of, round_input_of, table_input_of
from tournaments.structure.selectors.stages import contestants

AContender = TypeVar("AContender", Contender, TableContender)
Undo = PairingChange.Kind.UNDO
SHELF = "replaced by hand"
"""The `engine` of a superseded version that holds nothing but tables of a published round that gave way to others."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two who would sit together and met before, in these rounds."""

    one: int
    other: int
    rounds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """A change before it is made: the places now and afterwards, the contenders, and what both cost.

    `best` is the best round of the same people; `undoes` is the change that would be undone.
    """

    now: RoundDraft
    outcome: Outcome
    given: Field
    best: Paired
    undoes: PairingChange | None = None

    @property
    def after(self) -> RoundDraft:
        return self.outcome.draft

    @property
    def bill_now(self) -> CostReport:
        return bill_of(self.now, self.given)

    @property
    def bill_after(self) -> CostReport:
        return bill_of(self.after, self.given)


def round_draft_of(round_: Round) -> RoundDraft:
    """The places of a round as they stand; three queries.

    Play has begun at a table with a report, decks placed, a draft under way, or something written on its score sheet.
    """
    of_match = {"match": OuterRef("pk")}
    sheets = MatchSheet.objects.filter(match=OuterRef(OuterRef("pk"))).values("sheet")
    written = SheetPart.objects.filter(sheet__in=sheets, version__gt=0).exclude(content={})
    filed = MatchSheet.objects.filter(**of_match, sheet__newest__gt=0)
    matches = round_.matches.annotate(
        is_reported=Exists(ResultReport.objects.filter(**of_match)),
        is_placed=Exists(DeckPlacement.objects.filter(**of_match)),
        is_written=Exists(written) | Exists(filed),
    )
    seats: dict[int, list[int]] = defaultdict(list)
    for match_id, entry in Seat.objects.filter(round=round_).order_by("order").values_list("match_id", "entry_id"):
        seats[match_id].append(entry)
    seatings = [
        Seating(
            tuple(seats[match.pk]), match.table_number, Kind(match.kind), match.locked,
            match.kind == Match.Kind.PLAYED
            and (match.is_reported or match.is_placed or match.is_written or match.draft_step > 0),
            tuple(match.explanation),
        )
        for match in matches
    ]  # fmt: skip
    active = set(contestants(round_.stage).values_list("pk", flat=True))
    placed = {seat for each in seatings for seat in each.seats}
    return RoundDraft((), tuple(active - placed), frozenset(placed - active)).replaced((), seatings)


def unplaced_entries(round_: Round) -> list[Entry]:
    """Who plays in the stage but has no place in a round that is not closed and can be changed by hand; one query.

    In round robins and brackets nobody can be placed: who plays in them is settled.
    """
    if round_.state == Round.State.CLOSED or not round_.stage.counts_rounds:
        return []
    seated = Seat.objects.filter(round=round_).values("entry")
    return list(contestants(round_.stage).exclude(pk__in=seated).order_by("number"))


def returned_entries(round_: Round) -> list[Entry]:
    """Who is back since a round not published yet of a bracket or round robin was paired without them; one query.

    Nobody can be placed there by hand: in a bracket they would lose by a walkover, in a round robin miss their match.
    """
    stage = round_.stage
    if round_.state != Round.State.PAIRED or stage.counts_rounds:
        return []
    there, seats = contestants(stage).order_by("number"), Seat.objects.filter(round=round_).order_by()
    if stage.is_bracket:
        return list(there.filter(pk__in=seats.filter(match__kind=Match.Kind.AWARDED, order=2).values("entry")))
    return list(there.exclude(pk__in=seats.values("entry")))


def seated_leavers(round_: Round, state: Entry.State = Entry.State.DROPPED) -> list[Entry]:
    """Who is dropped, or in another `state`, since a round was paired and still has a place in it; one query.

    Whoever was disqualified loses the match as the round is published.
    """
    return list(Entry.objects.filter(seats__round=round_, state=state).order_by("number"))


def contenders_in(round_: Round, draft: RoundDraft, *, as_stored: bool = False) -> Field:
    """What the costs of a round are counted by: the contenders it was paired from, and late entries as they are now.

    Clubs, teams, people kept apart and fixed tables are those of now. `as_stored` spares reading them where nobody
    placed came later: for scores alone. A round entered by hand has its contenders read now, as they were before it;
    so has one that was repaired after results changed.
    """
    stored = StoredRoundInput.objects.filter(round=round_).first()
    tournament, several = round_.stage.tournament, round_.stage.kind == Stage.Kind.TABLES
    if stored is None or not round_.stage.counts_rounds:
        return _tables_now(round_) if several else round_input_of(tournament, round_.number, 0)
    if several:
        seated = TableInput.from_dict(stored.given)
        if as_stored and _knows_all(seated, draft):
            return seated
        return replace(seated, contenders=_with_those_of_now(seated.contenders, _tables_now(round_).contenders))
    given = stored.value
    if round_.changes.filter(after__engine=MINIMAL_REPAIR).exists():
        now = {each.id: each for each in round_input_of(tournament, round_.number, 0).contenders}
        given = replace(given, contenders=tuple(now.get(each.id, each) for each in given.contenders))
    if as_stored and _knows_all(given, draft):
        return given
    floats = given.policy.finish is Finish.FEWEST_FLOATS
    late_too = contenders_of(tournament, round_.number, with_floats=floats)
    return replace(given, contenders=_with_those_of_now(given.contenders, late_too))


def _knows_all(given: Field, draft: RoundDraft) -> bool:
    return {each.id for each in given.contenders}.union(draft.unplaced) >= draft.ids


def _tables_now(round_: Round) -> TableInput:
    """What a round at tables of several would be seated from now, fixed tables among it."""
    tournament = round_.stage.tournament
    return with_fixed(table_input_of(tournament, round_.number, 0), fixed_tables_of(tournament))


def _with_those_of_now(stored: Sequence[AContender], now: Sequence[AContender]) -> tuple[AContender, ...]:
    """The contenders as they were, with the mates and needs of now, and whoever came since."""
    found = {each.id: each for each in now}
    known = {each.id for each in stored}
    here = [_with_needs(each, found.get(each.id)) for each in stored]
    return tuple(here + [each for each in now if each.id not in known])


def _with_needs(contender: AContender, known: AContender | None) -> AContender:
    """A contender with the mates and needs of now; mates are named within one reading, so who left has none."""
    if known is None:
        return replace(contender, club=None, team=None)
    return replace(contender, club=known.club, team=known.team, apart=known.apart, fixed_table=known.fixed_table)


def preview_change(round_: Round, now: RoundDraft, change: Change) -> Preview:
    """What a change of the places of now would lead to; Refused where they do not allow it.

    A repair goes by the results of now, whatever the round was paired from.
    """
    repairs = change.act is Act.REPAIR_MINIMAL and round_.stage.kind == Stage.Kind.SWISS
    given = round_input_of(round_.stage.tournament, round_.number, 0) if repairs else contenders_in(round_, now)
    given = _keep_needed_tables(given, now, round_.stage.tournament)
    return Preview(now, change_draft(now, change, given), given, best_of(now, given))


def _keep_needed_tables(given: Field, now: RoundDraft, tournament: Tournament) -> Field:
    """Let whoever sits at a table that meets a need keep it when paired again, as if it were fixed."""
    wanted = wanted_tables(tournament)
    kept = {
        seat: each.number
        for each in now.seatings
        for seat in each.seats
        if each.number is not None and any(each.number in tables for tables in wanted.get(seat, ()))
    }
    if isinstance(given, TableInput):
        return with_fixed(given, kept)
    return with_fixed(given, kept)  # the same call once for each kind: its type follows what it is given


def preview_undo(round_: Round, now: RoundDraft, change: PairingChange) -> Preview:
    """What undoing a change would lead to; Refused where a person may not touch its tables any more."""
    given = contenders_in(round_, now)
    outcome = Outcome(put_back(now, seatings_in(change.before), seatings_in(change.after)))
    return Preview(now, outcome, given, best_of(now, given), change)


def seatings_in(places: dict[str, list[dict[str, object]]]) -> list[Seating]:
    """The seatings of a stored side of a change."""
    return [Seating.from_dict(each) for each in places["seatings"]]


def changes_of(round_: Round) -> list[PairingChange]:
    """What was changed by hand, the latest first."""
    return list(round_.changes.select_related("undoes", "undone_by").order_by("-number"))


def last_change(round_: Round) -> PairingChange | None:
    """The change that can be undone next: the latest that is neither an undo nor undone."""
    return round_.changes.filter(undone_by=None).exclude(kind=Undo).order_by("-number").first()


def seen_mark(round_: Round, draft: RoundDraft) -> str:
    """What tells the round as a person saw it from any other state of it: its places, its changes, published or not."""
    number = round_.changes.order_by("-number").values_list("number", flat=True).first() or 0
    return f"{round_.version}.{number}.{round_.state}.{draft.digest()}"


def meetings_of(round_: Round, seatings: Iterable[Seating]) -> list[Meeting]:
    """Which pairs at these tables met in earlier rounds, and when; one query."""
    pairs = [pair for each in seatings for pair in combinations(sorted(each.seats), 2)]
    if not pairs:
        return []
    found: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for number, seats in _together(round_, {seat for pair in pairs for seat in pair}):
        for pair in combinations(sorted(seats), 2):
            found[pair].append(number)
    return [Meeting(pair[0], pair[1], tuple(sorted(found[pair]))) for pair in pairs if pair in found]


def _together(round_: Round, entries: Collection[int]) -> list[tuple[int, list[int]]]:
    """Earlier matches with any of these: the round's number, and who of them sat there."""
    earlier = rounds_of(round_.stage.tournament).filter(number__lt=round_.number)
    rows = Seat.objects.filter(round__in=earlier, entry__in=entries, match__kind=Match.Kind.PLAYED)
    seats: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, match_id, entry in rows.values_list("round__number", "match_id", "entry_id"):
        seats[number, match_id].append(entry)
    return [(number, found) for (number, _match), found in seats.items()]


def leaving_matches(round_: Round, preview: Preview) -> list[Match]:
    """The stored matches that a change would take away."""
    gone, come = difference(preview.now, preview.after)
    stay = {(each.seats, each.kind) for each in come}
    return rows_of(round_, [each for each in gone if (each.seats, each.kind) not in stay])


def moved_game_losses(round_: Round, preview: Preview) -> list[tuple[Penalty, bool]]:
    """The game losses that a change would take from their tables, and whether each counts at a new one."""
    playing = {seat for each in preview.after.seatings if each.kind is Kind.PLAYED for seat in each.seats}
    left = game_losses_left(round_, leaving_matches(round_, preview))
    return [(penalty, penalty.entry_id in playing) for penalty in left]


def rows_of(round_: Round, seatings: Sequence[Seating]) -> list[Match]:
    """The stored matches of these seatings."""
    wanted = {frozenset(each.seats) for each in seatings}
    matches = round_.matches.prefetch_related("seats")
    return [match for match in matches if frozenset(seat.entry_id for seat in match.seats.all()) in wanted]
