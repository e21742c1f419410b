"""R11: the ledger commits to what its acts stored: a changed score, seat, penalty, deck act or setting is named.

One event with every kind of act, one table with a score sheet, one sheet without an event. Rows are changed behind the
product's back, by somebody who can lift the triggers; the control takes the comparison away, and nothing is found.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Model, QuerySet

from accounts.actors import ANONYMOUS
from decks.models import DeckVersion
from decks.services.catalogues import load_catalogues
from journal.ledger.contents import Book, commit_to
from journal.ledger.selectors import Problem, verify_stream
from journal.ledger.services import erase_personal_values
from journal.models import LedgerEntry
from rules_engine.systems import get_system
from scoring.models import ScoreSheet, SheetRevision, SheetSignature, SheetTally
from scoring.sheets.services import file_sheet, open_sheet, sign_tally
from scoring.tasks import tally_sheet
from tests.tournaments.decks.test_deck_checks import with_decks
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, score, staff, table
from tests.tournaments.sheet_acts import doomlings, file, opened, played, player, seat, sign, work, write
from tournaments.core.contents import KINDS
from tournaments.decks.services.deck_checks import record_check
from tournaments.decks.services.deck_ready import mark_deck_ready
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.pairing_constraints import award_byes
from tournaments.events.services.events import start_tournament
from tournaments.events.services.settings import update_settings
from tournaments.events.services.undoing import undo_act
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
    SeatResult,
    Stage,
    Tournament,
)
from tournaments.penalties.services import give_penalty, take_back_penalty
from tournaments.results.services.corrections import correct_result
from tournaments.room.services.clocks import give_extra_time
from tournaments.sheets.services.writing import mark_absence

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@dataclass(frozen=True)
class World:
    """The streams of an event of five, of a table of Doomlings, and of a sheet without an event."""

    event: str
    table: str
    sheet: str

    @property
    def problems(self) -> list[Problem]:
        """What verification says of all three."""
        return [problem for stream in (self.event, self.table, self.sheet) for problem in verify_stream(stream)]


@pytest.fixture(scope="module")
def world(shared_db) -> World:
    load_catalogues(NOW, [get_system("doom_pile")])
    return World(_event().stream, _table().stream, _sheet().stream)


def _event() -> Tournament:
    olive, held = account("olive"), with_decks(event(5, swiss_rounds=4))
    juno = staff(held, "juno", Role.Name.JUDGE)
    award_byes(olive, entry(held, "Ben"), [4], NOW)
    held = start_tournament(olive, held, NOW)
    round_ = next_round(held)
    match = table(round_)
    for own in match.seats.order_by("order"):
        mark_deck_ready(account(own.entry.name.lower()), own, 1, NOW)
    give_extra_time(juno, match, 180, "deck check", NOW)
    record_check(juno, entry(held, "Ada").members.get(), DeckCheck.Outcome.OK, "", NOW)
    report_all(round_)
    correct_result(olive, table(round_), score(0, 2), "typed the wrong way round", NOW)
    given = give_penalty(juno, entry(held, "Cem"), Penalty.Kind.WARNING, "Slow play", NOW)
    take_back_penalty(juno, given, "it was not slow", NOW)
    give_penalty(juno, entry(held, "Dora"), Penalty.Kind.WARNING, "Late", NOW)
    drop_entry(olive, entry(held, "Emil"), NOW)
    held = Tournament.objects.get(pk=held.pk)
    update_settings(olive, held, {"round_minutes": 50, "place": "the back room"}, NOW)
    return held


def _table() -> Tournament:
    held = doomlings()
    match = opened(played(held))
    write(match, 30, 20, 10)
    for who, own in ((player(match, 1), seat(match, 1)), (account("olive"), None)):
        mark_absence(who, match, 4, True, NOW, seat=own)
    revision = file(match)
    work()
    sign(match, revision, 1, 2, 3)
    return held


def _sheet() -> ScoreSheet:
    sheet = open_sheet(ANONYMOUS, "doomlings", [{"name": "Ada"}, {"name": "Ben"}, {"name": "Cem"}], {}, NOW)
    players = [
        {"name": name, "sums": {"face_value": 7, "bonus": 0, "catastrophe": 0}} for name in ("Ada", "Ben", "Cem")
    ]
    revision = file_sheet(ANONYMOUS, sheet, {"players": players}, NOW)
    tally_sheet(revision.pk, "")
    sign_tally(ANONYMOUS, revision, 1, NOW)
    return sheet


@contextmanager
def behind_its_back() -> Iterator[None]:
    """Triggers and foreign keys lifted, and everything taken back at the end."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET LOCAL session_replication_role = replica")
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'append%'")
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {name}")
        yield
        transaction.set_rollback(True)
    if connection.vendor == "postgresql":
        connection.cursor().execute("SET LOCAL session_replication_role = origin")


def set_(rows: Callable[[], QuerySet[Model]], **values: object) -> Callable[[], None]:
    """Write values into the first of some rows."""

    def change() -> None:
        row = rows().order_by("pk").first()
        assert row is not None
        assert {name: getattr(row, name) for name in values} != values
        type(row)._default_manager.filter(pk=row.pk).update(**values)

    return change


def swap(rows: Callable[[], QuerySet[Model]], *names: str) -> Callable[[], None]:
    """Let two rows change values."""

    def change() -> None:
        one, other = rows().order_by("pk")[:2]
        assert [getattr(one, name) for name in names] != [getattr(other, name) for name in names]
        for row, values in ((one, other), (other, one)):
            type(row)._default_manager.filter(pk=row.pk).update(**{name: getattr(values, name) for name in names})

    return change


def gone(rows: Callable[[], QuerySet[Model]]) -> Callable[[], None]:
    """Take the first of some rows away."""
    return lambda: rows().model._default_manager.filter(pk=rows().order_by("pk").first().pk)._raw_delete("default")


def first_results() -> QuerySet[SeatResult]:
    """What the first report of table 1 says of both seats."""
    first = ResultReport.objects.filter(match__table_number=1, number=1, match__kind="played").order_by("pk").first()
    return SeatResult.objects.filter(report=first)


def tallied(filed: dict) -> dict:
    """A tally in which the first player has more points."""
    return {**filed, "players": [{**filed["players"][0], "score": 99}, *filed["players"][1:]]}


def rewrite(model: type[Model], field: str, made: Callable[[dict], dict]) -> Callable[[], None]:
    """Write a changed document into the newest row."""

    def change() -> None:
        row = model._default_manager.order_by("-pk").first()
        model._default_manager.filter(pk=row.pk).update(**{field: made(getattr(row, field))})

    return change


CHANGES: dict[str, tuple[Callable[[], None], str]] = {
    "games won": (set_(first_results, games_won=1), "report"),
    "winner and loser": (swap(first_results, "outcome", "games_won"), "report"),
    "kind of a report": (
        set_(lambda: ResultReport.objects.filter(match__kind="played"), kind="intentional_draw"),
        "report",
    ),
    "single games": (set_(ResultReport.objects.filter(number=2).all, games=[{"winner": 0}]), "report"),
    "who reported": (set_(lambda: ResultReport.objects.filter(match__kind="played"), actor="user:999"), "report"),
    "who made the link of a report": (
        set_(lambda: ResultReport.objects.filter(match__kind="played"), issuer=999),
        "report",
    ),
    "a report gone": (gone(lambda: ResultReport.objects.filter(number=2)), "report"),
    "a bye's points": (set_(lambda: SeatResult.objects.filter(report__match__kind="bye"), games_won=0), "round"),
    "which report counts": (
        lambda: Match.objects.filter(reports__number=2).update(
            accepted_report=ResultReport.objects.filter(number=1, corrections__isnull=False).values("pk")[:1]
        ),
        "match",
    ),
    "state of a match": (
        lambda: Match.objects.filter(table_number=1).update(state=Match.State.OPEN, accepted_report=None),
        "match",
    ),
    "extra time": (set_(lambda: Match.objects.filter(extra_seconds=180), extra_seconds=900), "match"),
    "who sits where": (swap(lambda: Seat.objects.filter(order=1), "entry_id"), "round"),
    "order of seats": (swap(lambda: Seat.objects.filter(match__table_number=1), "entry_id"), "round"),
    "number of a table": (set_(lambda: Match.objects.filter(table_number=2), table_number=7), "round"),
    "seed of a round": (set_(Round.objects.all, seed=7), "round"),
    "pairing superseded": (set_(Round.objects.all, superseded_at=NOW), "round"),
    "penalty": (set_(lambda: Penalty.objects.filter(taken_back_at=None), kind="match_loss"), "penalty"),
    "penalty taken back": (
        set_(lambda: Penalty.objects.filter(taken_back_at=None), taken_back_at=NOW, taken_back_reason="x"),
        "penalty",
    ),
    "penalty gone": (gone(Penalty.objects.all), "penalty"),
    "outcome of a deck check": (set_(DeckCheck.objects.all, outcome="problem"), "check"),
    "placed deck": (set_(DeckPlacement.objects.all, placed_at=NOW - timedelta(hours=1)), "placements"),
    "whose word placed a deck": (set_(DeckPlacement.objects.all, role="table"), "placements"),
    "who made the link of a placing": (set_(DeckPlacement.objects.all, issuer=999), "placements"),
    "placed deck gone": (gone(DeckPlacement.objects.all), "placements"),
    "registered deck": (swap(EntryMember.objects.exclude(deck_version=None).all, "deck_version_id"), "entry"),
    "commitment of a deck": (
        set_(EntryMember.objects.exclude(deck_version=None).all, deck_commitment="0" * 64),
        "entry",
    ),
    "cards of a deck": (set_(DeckVersion.objects.all, entries=[{"name": "Ash Ledger", "count": 60}]), "deck_version"),
    "dropped": (set_(lambda: Entry.objects.filter(state="dropped"), state="registered", dropped_after=None), "entry"),
    "somebody else's entry": (
        lambda: EntryMember.objects.filter(entry__number=1).update(person=account("stranger").person),
        "entry",
    ),
    "awarded bye": (set_(AwardedBye.objects.all, round_number=3), "entry"),
    "a setting": (set_(lambda: Tournament.objects.filter(round_minutes=50), round_minutes=20), "setting"),
    "scoring": (set_(lambda: Tournament.objects.filter(round_minutes=50), policy={}), "setting"),
    "state of the event": (set_(lambda: Tournament.objects.filter(round_minutes=50), state="finished"), "setting"),
    "a stage": (set_(Stage.objects.all, best_of=1), "setting"),
    "staff": (set_(lambda: Role.objects.filter(name="judge"), name="organiser"), "staff"),
    "a filed sheet": (rewrite(SheetRevision, "content", tallied), "lone_revision"),
    "a tally": (rewrite(SheetTally, "tally", tallied), "lone_tally"),
    "whom the staff call absent": (set_(MatchSheet.objects.all, absent=[]), "absence"),
    "a table's sheet": (
        set_(lambda: SheetRevision.objects.exclude(filed_by="anonymous"), content={"players": []}),
        "revision",
    ),
}


def test_what_nobody_touched_is_sound(world):
    assert world.problems == []


@pytest.mark.parametrize("name", CHANGES)
def test_a_row_changed_behind_its_back_is_named_with_its_act(world, name, monkeypatch):
    change, kind = CHANGES[name]
    with behind_its_back():
        change()
        found = [problem for problem in world.problems if f": {kind} " in problem.text]
        assert found, world.problems
        acts = set(LedgerEntry.objects.filter(sequence=found[0].sequence).values_list("act", flat=True))
        assert found[0].text.partition(":")[0] in acts
        monkeypatch.setattr(Book, "differences", lambda self: iter(()))
        assert world.problems == [], "the control: without the comparison nothing is found"


def test_the_first_act_that_differs_comes_first(world):
    with behind_its_back():
        SeatResult.objects.update(games_won=1)
        numbers = [problem.sequence for problem in verify_stream(world.event)]
        reports = LedgerEntry.objects.filter(stream=world.event, act="result.reported")
        assert numbers == sorted(numbers)
        assert reports.earliest("sequence").sequence in numbers


def test_a_round_that_sqlite_gave_with_byes_first_is_sound(world):
    """As versions before stored it; the control is any other order."""
    bye = Match.objects.filter(kind="bye").first()
    row = ("round", str(bye.round_id))
    counts, facts, tables, seats, given = KINDS["round"].read([row[1]])[row[1]]

    def faults(seats):
        told, book = [counts, facts, tables, seats, given], Book()
        book.note(LedgerEntry(sequence=1, act="round.published", contents=commit_to([row], {row: told})))
        return list(book.differences())

    of_byes = [each for each in seats if each[0] == bye.pk]
    assert seats[-len(of_byes) :] == of_byes
    assert faults(seats) == faults([*of_byes, *seats[: -len(of_byes)]]) == []
    assert faults(seats[::-1])


FIELDS = [
    (SeatResult, "games_won", (0, 1, 2, 3)), (SeatResult, "outcome", ("win", "draw", "loss")),
    (ResultReport, "games_drawn", (0, 1, 2)), (ResultReport, "number", (8, 9)), (Seat, "order", (8, 9)),
    (Match, "extra_seconds", (0, 60, 240)), (Penalty, "kind", ("warning", "game_loss")), (Round, "seed", (8, 9)),
    (Entry, "state", ("registered", "waiting", "withdrawn")), (Tournament, "best_of", (1, 3, 5)),
    (Tournament, "players_report", (True, False)), (Stage, "planned_rounds", (None, 3, 9)),
    (EntryMember, "deck_commitment", ("", "0" * 64)), (DeckCheck, "outcome", ("ok", "problem")),
]  # fmt: skip


def _acted_on(model: type[Model]) -> QuerySet[Model]:
    """Rows that an act wrote and that the database lets change; what a bye counts for is kept with its round."""
    rows = model._default_manager.order_by("pk")
    spared = {Match: {"kind": Match.Kind.BYE}, Entry: {"state": Entry.State.DROPPED}}
    return rows.exclude(**spared[model]) if model in spared else rows


def test_random_changes_are_all_found(world, seed, many):
    chance, missed = random.Random(seed), []
    for _time in range(many(500, 40)):
        model, field, values = chance.choice(FIELDS)
        row = chance.choice(list(_acted_on(model)))
        value = chance.choice([each for each in values if each != getattr(row, field)])
        with behind_its_back():
            model._default_manager.filter(pk=row.pk).update(**{field: value})
            if not world.problems:
                missed.append((model.__name__, row.pk, field, value))
    assert missed == []


def test_the_command_names_the_row_and_the_act(world):
    with behind_its_back():
        swap(first_results, "outcome", "games_won")()
        told = StringIO()
        with pytest.raises(SystemExit) as end:
            call_command("verify_ledger", world.event, stdout=told)
        report = first_results().first().report
        said = LedgerEntry.objects.get(stream=world.event, act="result.reported", subjects__report=report.pk)
        assert end.value.code == 1
        assert f"entry {said.sequence}: result.reported: report {report.pk} does not hold" in told.getvalue()


def test_digests_cannot_be_taken_off_or_put_on_an_entry(world):
    with behind_its_back():
        last = LedgerEntry.objects.filter(stream=world.event, act="result.reported").latest("sequence")
        for forged in (None, {}, {**last.contents, "rows": {}}):
            LedgerEntry.objects.filter(pk=last.pk).update(contents=forged)
            assert [problem.sequence for problem in verify_stream(world.event)] == [last.sequence]


def test_personal_values_can_still_be_erased(world):
    with transaction.atomic():
        assert erase_personal_values("entry", 3)
        ResultReport.objects.filter(pk=0).update(actor_label="")
        assert world.problems == []
        transaction.set_rollback(True)


def test_a_sheet_without_an_event_may_be_pruned(world):
    with behind_its_back():
        sheet = ScoreSheet.objects.get(stream=world.sheet)
        for rows in (
            SheetSignature.objects.filter(revision__sheet=sheet),
            SheetTally.objects.filter(revision__sheet=sheet),
        ):
            rows._raw_delete("default")
        SheetRevision.objects.filter(sheet=sheet)._raw_delete("default")
        ScoreSheet.objects.filter(pk=sheet.pk)._raw_delete("default")
        assert world.problems == []


def test_an_act_that_is_undone_commits_to_what_it_restored(world):
    with transaction.atomic():
        held = Tournament.objects.get(stream=world.event)
        last = LedgerEntry.objects.filter(stream=world.event, act="penalty.taken_back").latest("sequence")
        undo_act(account("juno"), held, last.sequence, NOW + timedelta(minutes=1))
        assert world.problems == []
        Penalty.objects.filter(pk=last.subjects["penalty"]).update(taken_back_at=NOW, taken_back_reason="x")
        assert ["act.undone" in problem.text for problem in world.problems] == [True]
        transaction.set_rollback(True)
