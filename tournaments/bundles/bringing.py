"""Reads an event file that is to be brought in, and builds the rows that it tells of.

What the program for strangers finds wrong is not taken: docs/verify/verify_event.py checks digests, signature, log,
decks, pairings and standings apart from this site's own computations.
"""

import io
import re
import runpy
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Model
from django.utils.translation import gettext as _

from accounts.identity.services import create_people
from decks.digests import digest_of
from decks.models import Deck, DeckVersion
from decks.services.decks import deck_name
from rules_engine.errors import DomainError
from tournaments.bundles.scopes import Scope
from tournaments.bundles.selectors import FORMAT, PUBLIC_FACTS, STAGE_FACTS
from tournaments.entries.selectors.entries import TEAMS
from tournaments.models import (
    BroughtFile,
    Entry,
    EntryMember,
    Match,
    ResultReport,
    Round,
    Seat,
    SeatResult,
    Stage,
    Tournament,
)  # fmt: skip

PROGRAM = Path(settings.BASE_DIR) / "docs" / "verify" / "verify_event.py"
MAX_BYTES = 16 << 20
MAX_UNPACKED = 128 << 20
SEAL = re.compile(rb"doomdesk-event/([0-9]{1,9}) sha256:[0-9a-f]{64}\Z")
STAFF = "organiser"
"""The role in which results of a brought event were reported here: that of whoever brought it."""
Parts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EventRead:
    """A file that was found right: its parts, and the key that signed it."""

    data: bytes
    key: str
    parts: Parts

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the file says of the event itself."""
        facts: Mapping[str, Any] = self.parts["event.json"]
        return facts


@cache
def program() -> bytes:
    """The program with which strangers check event files."""
    return PROGRAM.read_bytes()


@cache
def _verifier() -> Mapping[str, Any]:
    return runpy.run_path(str(PROGRAM))


def read_event_file(data: bytes, key: str) -> EventRead:
    """The public file of a finished event, signed by the owner of `key`, once everything that can be checked is right.

    DomainError "file_too_large", "newer_file", "whole_file", "unfinished_event", or "bad_event_file" with the reason.
    """
    _expect_size(data)
    ending = SEAL.search(data[-88:])
    if ending and int(ending[1]) > int(FORMAT.rpartition("/")[2]):
        text = _("This file is of a newer format, doomdesk-event/%(version)d. Update this site first.")
        raise DomainError("newer_file", text % {"version": int(ending[1])})
    found = _verifier()["verify"](data, key)
    wrong = next((line for line in found.lines if line["result"] not in ("right", "open")), None)
    if wrong:
        raise bad_file(f"{wrong['check']}: {wrong['detail']}")
    manifest, parts = _verifier()["read_file"](data, _verifier()["Report"](), key)
    if manifest["scope"] != Scope.PUBLIC:
        text = _("This is the organisers' whole file. Import the file that “Check this event” gives everybody.")
        raise DomainError("whole_file", text)
    if parts["event.json"]["state"] != Tournament.State.FINISHED:
        raise DomainError("unfinished_event", _("This event isn't finished. Import its file once it is."))
    return EventRead(data, manifest["key"], parts)


def bad_file(reason: str) -> DomainError:
    """The refusal of a file that is not right, with the program's own words."""
    return DomainError(
        "bad_event_file", _("This file can't be imported. %(reason)s") % {"reason": reason}, reason=reason
    )


def _expect_size(data: bytes) -> None:
    unpacked = 0
    # what is no zip the program tells
    with suppress(zipfile.BadZipFile, ValueError, NotImplementedError), zipfile.ZipFile(io.BytesIO(data)) as archive:
        unpacked = sum(info.file_size for info in archive.infolist())
    if len(data) > MAX_BYTES or unpacked > MAX_UNPACKED:
        raise DomainError("file_too_large", _("This file is larger than any event's."))


def build_event(read: EventRead, actor_key: str, user_id: int | None, now: datetime) -> Tournament:
    """Every row of the event, under new ids; call it in a transaction. All players are guests, without an account."""
    facts, parts = read.facts, read.parts
    teams = any(each["members"] for each in parts["entries.json"])
    tournament = Tournament(
        sheet_options=dict([TEAMS]) if teams else {},
        slug=facts["slug"], created_by_id=user_id, created_at=now, is_brought=True, self_sign_up=False,
        players_report=False, **{name: facts[name] for name in PUBLIC_FACTS},
    )  # fmt: skip
    _save([tournament])
    log = parts["ledger.json"]
    _save([BroughtFile(tournament=tournament, data=read.data, key=read.key, acts=log["sequence"], head=log["hash"])])
    members = _add_entries(tournament, parts["entries.json"], now)
    _add_decks(tournament, members, parts["decks.json"], now)
    first = {member.entry.number: member for member in members if member.order == 1}
    stages = _add_stages(tournament, facts["stages"], first)
    _add_rounds(stages, first, [parts[name] for name in sorted(parts) if name.startswith("rounds/")], actor_key, now)
    return Tournament.objects.get(pk=tournament.pk)


def _save(rows: Sequence[Model]) -> None:
    """Store rows of one kind that came from outside, each of whose fields is one that a form would take."""
    for row in rows:
        unset = [each.name for each in row._meta.fields if getattr(row, each.attname) in (None, "", [], {}, b"")]
        row.clean_fields(exclude=[*unset, *(each.name for each in row._meta.fields if each.is_relation)])
    if rows:
        type(rows[0])._default_manager.bulk_create(rows)


def _add_entries(tournament: Tournament, rows: Sequence[Any], now: datetime) -> list[EntryMember]:
    """Entries with their members, who are new people; all members."""
    names = ("number", "name", "state", "entered_round", "dropped_after")
    entries = [Entry(tournament=tournament, registered_at=now, **{name: each[name] for name in names}) for each in rows]
    _save(entries)
    called = [each["members"] or [each["name"]] for each in rows]
    people = iter(create_people([(name, "") for name in chain.from_iterable(called)], now=now))
    members = [
        EntryMember(entry=entry, tournament=tournament, person=next(people), order=order)
        for entry, names in zip(entries, called, strict=True)
        for order in range(1, len(names) + 1)
    ]
    _save(members)
    return members


def _add_decks(tournament: Tournament, members: Sequence[EntryMember], rows: Sequence[Any], now: datetime) -> None:
    """Decks as far as they are shown, each with its commitment; of the others the file tells no card."""
    shown = [each for each in rows if "cards" in each]
    by_place = {(member.entry.number, member.order): member for member in members}
    owners = [by_place[each["entry"], each.get("member", 1)] for each in shown]
    decks = [
        Deck(
            owner=member.person, game=tournament.game, format=tournament.game_format,
            name=deck_name(""), created_at=now,
        )
        for member in owners
    ]  # fmt: skip
    _save(decks)
    versions = [_version(deck, each["cards"], now) for deck, each in zip(decks, shown, strict=True)]
    _save(versions)
    for member, version, each in zip(owners, versions, shown, strict=True):
        member.deck_version, member.deck_registered_at = version, now
        member.deck_salt, member.deck_commitment = each["salt"], each["commitment"]
    held = ["deck_version", "deck_salt", "deck_commitment", "deck_registered_at"]
    EntryMember.objects.bulk_update(owners, held, batch_size=500)


def _version(deck: Deck, rows: Sequence[Any], now: datetime) -> DeckVersion:
    cards = [{"name": name, "count": count, "section": section} for section, count, name in rows]
    text = "\n".join(f"{card['count']} {card['name']}" for card in cards)
    return DeckVersion(
        deck=deck, number=1, entries=cards, digest=digest_of(cards), source_text=text, created_at=now, frozen_at=now
    )


def _add_stages(tournament: Tournament, rows: Sequence[Any], members: Mapping[int, EntryMember]) -> Mapping[int, Stage]:
    stages = []
    for each in rows:
        stage = Stage(tournament=tournament, **{name: each[name] for name in STAGE_FACTS})
        if each["seeds"] is not None:
            stage.seeds = [None if number is None else members[number].entry_id for number in each["seeds"]]
        stages.append(stage)
    _save(stages)
    return {stage.number: stage for stage in stages}


ROUND_FACTS = ("number", "version", "state", "engine", "lots", "levels", "published_at", "closed_at",
               "results_changed_at")  # fmt: skip
MATCH_FACTS = ("kind", "bracket")
REPORT_FACTS = ("kind", "games_drawn", "games_lost", "games")
RESULT_FACTS = ("outcome", "games_won", "placing", "score")


def _add_rounds(
    stages: Mapping[int, Stage], members: Mapping[int, EntryMember], rows: Sequence[Any], actor_key: str, now: datetime
) -> None:
    """Rounds as they were published, with the report of each match that counts."""
    rounds = [
        Round(
            stage=stages[each["stage"]], paired_at=each["published_at"] or now, cost=each["cost"] or {},
            bound=each.get("bound") or {}, proved=each.get("proved", False),
            pairing_hash=each.get("pairing_hash", ""), **{name: each[name] for name in ROUND_FACTS},
        )
        for each in rows
    ]  # fmt: skip
    _save(rounds)
    listed = [(round_, each) for round_, whole in zip(rounds, rows, strict=True) for each in whole["matches"]]
    matches = [
        Match(round=round_, table_number=each["table"], **{name: each[name] for name in MATCH_FACTS})
        for round_, each in listed
    ]
    _save(matches)
    seats = [
        Seat(round=match.round, match=match, order=order, entry_id=members[number].entry_id, member=members[number])
        for match, (_round, each) in zip(matches, listed, strict=True)
        for order, number in enumerate(each["seats"], 1)
    ]
    _save(seats)
    _add_reports(matches, [each["report"] for _round, each in listed], seats, actor_key, now)
    by_origin = {each["id"]: match.pk for match, (_round, each) in zip(matches, listed, strict=True)}
    for round_, each in zip(rounds, rows, strict=True):
        round_.paired_without = [by_origin[pk] for pk in each["paired_without"] if pk in by_origin]
    Round.objects.bulk_update(rounds, ["paired_without"], batch_size=500)


def _add_reports(
    matches: Sequence[Match], rows: Sequence[Any], seats: Sequence[Seat], actor_key: str, now: datetime
) -> None:
    counted = [(match, each) for match, each in zip(matches, rows, strict=True) if each is not None]
    reports = [
        ResultReport(
            match=match, number=1, actor=actor_key, role=STAFF, reported_at=match.round.closed_at or now,
            **{name: each[name] for name in REPORT_FACTS},
        )
        for match, each in counted
    ]  # fmt: skip
    _save(reports)
    seated: dict[int, list[Seat]] = {match.pk: [] for match in matches}
    for seat in seats:
        seated[seat.match_id].append(seat)
    results = [
        SeatResult(report=report, seat=seat, **{name: result[name] for name in RESULT_FACTS})
        for report, (match, each) in zip(reports, counted, strict=True)
        for seat, result in zip(seated[match.pk], each["seats"], strict=True)
    ]
    _save(results)
    for report, (match, _each) in zip(reports, counted, strict=True):
        match.accepted_report, match.state, match.version = report, Match.State.DONE, 1
    Match.objects.bulk_update(
        [match for match, _each in counted], ["accepted_report", "state", "version"], batch_size=500
    )
