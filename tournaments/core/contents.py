"""What the ledger's entries commit to of events: which rows an act wrote, and what each holds.

Names, notes and reasons are personal values, which can be erased, and stand in no digest of contents.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from django.db.models import F, Model

from journal.ledger.chain import Subject
from journal.ledger.contents import Kind, Row
from journal.models import LedgerEntry
from tournaments.core.audiences import UNDONE
from tournaments.models import (
    AwardedBye,
    DeckCheck,
    DeckPlacement,
    Entry,
    EntryMember,
    Match,
    MatchSheet,
    Penalty,
    ResultReport,
    Role,
    Round,
    Seat,
    Stage,
    Tournament,
)  # fmt: skip

_REPORT = ("match_id", "by_seat_id", "number", "kind", "games_drawn", "games_lost", "games", "actor", "role",
           "corrects_id", "sheet_revision_id", "reported_at", "issuer")  # fmt: skip
_SEAT_RESULT = ("seat_id", "outcome", "games_won", "placing", "score")
_ROUND = ("stage_id", "number", "version", "seed", "engine", "input_hash", "pairing_hash", "paired_without", "levels")
_MATCH = ("kind", "state", "extra_seconds", "accepted_report_id")
_PENALTY = ("entry_id", "report_id", "kind", "actor", "given_at", "taken_back_at", "taken_back_by")
_CHECK = ("member_id", "version_id", "outcome", "checked_at")
_ENTRY = ("tournament_id", "number", "state", "dropped_after")
_MEMBER = ("entry_id", "order", "person_id", "deck_version_id", "deck_commitment")
_OWN_TIME = {"created_by", "decks_published_at"}
"""Fields of an event that are no settings: they change without an act, or with their account."""
_LISTS = ("left_out", "not_reached", "gone_earlier", "leavers")
"""Subjects that list numbers of entries."""
_SETTINGS = ("event.", "stages.", "stage.", "outlook.shown", "outlook.hidden", "round.paired", "round.withdrawn")
_PLACING = ("deck.placed", "deck.placed_for", "deck.placement_taken_back")
_PLACEMENT = ("match_id", "seat_id", "game", "placed_at", "actor", "role", "issuer")
BROUGHT = "event.brought"
_ABSENCE = ("sheet.absent", "sheet.present")


def rows_of(tournament: Tournament, act: str, subjects: Mapping[str, Subject]) -> list[Row]:
    """The rows that an act wrote, as its subjects name them; those of the act that it undoes with them."""
    rows = [(kind, str(subjects[kind])) for kind in ("report", "match", "penalty", "check") if subjects.get(kind)]
    if act.startswith("deck.") and subjects.get("version"):
        rows.append(("deck_version", str(subjects["version"])))
    if act in _PLACING:
        rows.append(("placements", str(subjects["match"])))
    if act in _ABSENCE:
        rows.append(("absence", str(subjects["match"])))
    if act.startswith(_SETTINGS):
        rows += [("setting", key) for key in _settings_of(tournament)]
    if act.startswith("staff."):
        rows.append(("staff", str(tournament.pk)))
    if act == BROUGHT:
        matches = Match.objects.filter(round__stage__tournament=tournament).values_list("pk", "accepted_report")
        rows += [(kind, str(pk)) for each in matches for kind, pk in zip(("match", "report"), each, strict=True) if pk]
        rounds = Round.objects.filter(stage__tournament=tournament).values_list("pk", flat=True)
        rows += [("round", str(pk)) for pk in rounds]
    rows += [("entry", str(pk)) for pk in _entries_named(tournament, subjects)]
    rows += [("round", str(pk)) for pk in _rounds_named(tournament, act, subjects)]
    return rows + (_undone(tournament, subjects) if act == UNDONE else [])


def _entries_named(tournament: Tournament, subjects: Mapping[str, Subject]) -> Iterable[int]:
    numbers = {int(subjects["entry"] or 0)} if "entry" in subjects else set()
    numbers |= {int(number) for name in _LISTS for number in str(subjects.get(name) or "").split()}
    found = tournament.entries.filter(number__in=numbers).values_list("pk", flat=True) if numbers else ()
    if "first_entry" not in subjects:
        return found
    span = (subjects["first_entry"], subjects["last_entry"])
    return [*found, *tournament.entries.filter(number__range=span).values_list("pk", flat=True)]


def _rounds_named(tournament: Tournament, act: str, subjects: Mapping[str, Subject]) -> Iterable[int]:
    """All versions of the round that an act of pairing names: it may have put one in the place of another."""
    if "round" not in subjects or not (act.startswith("round.") or "change" in subjects):
        return ()
    return Round.objects.filter(stage__tournament=tournament, number=int(subjects["round"] or 0)).values_list(
        "pk", flat=True
    )


def _undone(tournament: Tournament, subjects: Mapping[str, Subject]) -> list[Row]:
    entry = LedgerEntry.objects.get(stream=tournament.stream, sequence=int(subjects["of"] or 0))
    return rows_of(tournament, entry.act, entry.subjects)


def _grouped(rows: Iterable[tuple[object, ...]]) -> Mapping[object, list[tuple[object, ...]]]:
    """Rows by their first column, without it."""
    found: dict[object, list[tuple[object, ...]]] = defaultdict(list)
    for first, *rest in rows:
        found[first].append(tuple(rest))
    return found


def _ids(keys: Collection[str]) -> list[int]:
    return [int(key) for key in keys]


def _reports(keys: Collection[str]) -> Mapping[str, object]:
    """Reports by id, each with what it says of every seat; one query."""
    reports = ResultReport.objects.filter(pk__in=keys).order_by("pk", "seat_results__seat__order")
    results = (f"seat_results__{name}" for name in _SEAT_RESULT)
    rows, end = reports.values_list("pk", *_REPORT, *results), 1 + len(_REPORT)
    found: dict[str, object] = {}
    for pk, group in groupby(rows, key=itemgetter(0)):
        first, *others = group
        found[str(pk)] = [*first[1:end], [row[end:] for row in (first, *others) if row[end] is not None]]
    return found


def held_in(match: Match, report: ResultReport) -> Mapping[Row, object]:
    """What a match and its report hold that an act has just written, as their kinds read them; no query.

    The match is to be locked, and the report to know what it says of every seat.
    """
    results = [_values_of(each, _SEAT_RESULT) for each in report.seat_results.all()]
    return {
        ("match", str(match.pk)): _values_of(match, _MATCH),
        ("report", str(report.pk)): [*_values_of(report, _REPORT), results],
    }


def _values_of(row: Model, names: Iterable[str]) -> list[object]:
    return [getattr(row, name) for name in names]


def _matches(keys: Collection[str]) -> Mapping[str, object]:
    """How matches stand, by id; who sits where is their round's."""
    return {str(pk): held for pk, *held in Match.objects.order_by().filter(pk__in=keys).values_list("pk", *_MATCH)}


def _rounds_of_sqlite(keys: Collection[str]) -> Mapping[str, object]:
    """Rounds as SQLite gave them to earlier versions: byes before tables."""
    return _rounds(keys, byes_first=True)


def _rounds(keys: Collection[str], *, byes_first: bool = False) -> Mapping[str, object]:
    """Rounds by id: the certificate, who sits where, and what was stored for those without an opponent."""
    matches = Match.objects.filter(round__in=_ids(keys)).order_by("round_id", "pk")
    tables = _grouped(matches.values_list("round_id", "pk", "table_number", "kind", "bracket"))
    table = F("match__table_number").asc(**{"nulls_first" if byes_first else "nulls_last": True})
    seats = Seat.objects.filter(match__round__in=_ids(keys)).order_by(table, "match_id", "order")
    seated = _grouped(seats.values_list("match__round_id", "match_id", "pk", "order", "entry_id", "member_id"))
    alone = ResultReport.objects.filter(match__round__in=_ids(keys), number=1).exclude(match__kind=Match.Kind.PLAYED)
    round_of = {str(pk): round_ for pk, round_ in alone.order_by("pk").values_list("pk", "match__round_id")}
    given = _grouped((round_of[pk], pk, held) for pk, held in sorted(_reports(list(round_of)).items()))
    rows = Round.objects.order_by().filter(pk__in=keys).values_list("pk", "superseded_at", *_ROUND)
    return {str(pk): [gone is None, held, tables[pk], seated[pk], given[pk]] for pk, gone, *held in rows}


def _entries(keys: Collection[str]) -> Mapping[str, object]:
    """Entries by id, with their people, decks and awarded byes."""
    members = _grouped(
        EntryMember.objects.filter(entry__in=_ids(keys)).order_by("entry_id", "order").values_list(*_MEMBER)
    )
    byes = AwardedBye.objects.filter(entry__in=_ids(keys)).order_by("entry_id", "round_number")
    awarded = _grouped(byes.values_list("entry_id", "round_number"))
    rows = Entry.objects.order_by().filter(pk__in=keys).values_list("pk", *_ENTRY)
    return {str(pk): [held, members[pk], awarded[pk]] for pk, *held in rows}


def _penalties(keys: Collection[str]) -> Mapping[str, object]:
    """Penalties by id."""
    return {str(pk): held for pk, *held in Penalty.objects.order_by().filter(pk__in=keys).values_list("pk", *_PENALTY)}


def _checks(keys: Collection[str]) -> Mapping[str, object]:
    """Checks of decks by id."""
    return {str(pk): held for pk, *held in DeckCheck.objects.order_by().filter(pk__in=keys).values_list("pk", *_CHECK)}


def _placements(keys: Collection[str]) -> Mapping[str, object]:
    """By the id of their match, the seats whose decks are placed, for which game, since when and by whose word."""
    rows = DeckPlacement.objects.filter(match__in=_ids(keys)).order_by("match", "seat", "game")
    found = _grouped(rows.values_list(*_PLACEMENT))
    return {str(pk): held for pk, held in found.items()}


def _absences(keys: Collection[str]) -> Mapping[str, object]:
    """By the id of their match, the places of which staff said that nobody came."""
    rows = MatchSheet.objects.filter(match__in=_ids(keys)).values_list("match_id", "absent")
    return {str(pk): places for pk, places in rows}


def _settings_of(tournament: Tournament) -> Iterator[str]:
    """One key for each setting of an event and of its stages, so that a new version's settings are no difference."""
    yield from (f"{tournament.pk}.{name}" for name in _fields_of(Tournament, _OWN_TIME))
    yield from (f"{tournament.pk}.stages.{name}" for name in _fields_of(Stage, {"id", "tournament"}))


def _settings(keys: Collection[str]) -> Mapping[str, object]:
    """Settings by event and field, those of stages for all stages in their order."""
    events = {key.partition(".")[0] for key in keys}
    held: dict[str, object] = {}
    for event in Tournament.objects.order_by().filter(pk__in=events).values():
        held |= {f"{event['id']}.{name}": value for name, value in event.items()}
    stages: dict[str, list[object]] = defaultdict(list)
    for stage in Stage.objects.filter(tournament__in=_ids(events)).order_by("tournament", "number").values():
        for name, value in stage.items():
            stages[f"{stage['tournament_id']}.stages.{name}"].append(value)
    held |= stages
    return {key: held[key] for key in keys if key in held}


def _fields_of(model: type[Tournament] | type[Stage], without: Collection[str]) -> Iterator[str]:
    return (each.attname for each in model._meta.concrete_fields if each.name not in without)


def _staff(keys: Collection[str]) -> Mapping[str, object]:
    """Who has which role, by the id of the event."""
    found = _grouped(
        Role.objects.filter(tournament__in=_ids(keys))
        .order_by("user", "name")
        .values_list("tournament_id", "user_id", "name")
    )
    return {str(pk): held for pk, held in found.items()}


KINDS = {
    "report": Kind(_reports),
    "check": Kind(_checks),
    "match": Kind(_matches, changes=True, may_go=True),
    "round": Kind(_rounds, changes=True, earlier=_rounds_of_sqlite),
    "entry": Kind(_entries, changes=True),
    "penalty": Kind(_penalties, changes=True),
    "placements": Kind(_placements, changes=True),
    "absence": Kind(_absences, changes=True),
    "setting": Kind(_settings, changes=True, may_go=True),
    "staff": Kind(_staff, changes=True),
}
"""What may go: an unpublished table that is replaced, as its round tells which there are; older versions' settings."""
