"""What an event file holds, part by part: for everybody what the public pages show, for organisers the whole event.

The parts are described in docs/reference/event-file.md; what they hold changes with FORMAT alone.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from journal.ledger.selectors import Head, head_of
from scoring.models import SheetRevision
from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import Standing
from tournaments.bundles.keys import public_key
from tournaments.bundles.log_parts import committed_parts, ledger_parts
from tournaments.bundles.scopes import ExportedEvent, Part, Scope
from tournaments.decks.selectors.decks import PLAYING, decks_are_locked, members_with_decks
from tournaments.decks.selectors.registered import about_member
from tournaments.entries.selectors.entries import members_by_entry
from tournaments.models import (
    BroughtFile,
    Entry,
    EntryMember,
    JudgeCall,
    Match,
    Penalty,
    ResultReport,
    Round,
    Seat,
    SeatResult,
    Stage,
    Tournament,
)  # fmt: skip
from tournaments.standings.selectors.standings import compute_standings_of

FORMAT = "doomdesk-event/1"
PRIVATE_TERM = "forbidden_pairs"
"""The term of a round's cost that may be about people whom staff keep apart."""
OVER = (Tournament.State.FINISHED, Tournament.State.CANCELLED)


def parts_of(tournament: Tournament, scope: Scope, now: datetime) -> Iterator[Part]:
    """Every part, one after the other; `now` is the database's time. Ask in a snapshot: they are to fit together.

    No part holds contact data, personal values of the log, or a list of cards before everybody is shown it.
    """
    numbers = dict(tournament.entries.values_list("pk", "number"))
    event = ExportedEvent(tournament, scope is Scope.WHOLE, now, numbers)
    yield "event.json", _facts(event)
    yield "entries.json", _entries(event)
    yield "decks.json", _decks(event)
    yield from _rounds(event)
    yield "standings.json", standings_rows(tournament)
    if event.whole:
        yield "penalties.json", _penalties(event)
        yield "calls.json", _calls(event)
    if event.whole or tournament.state in OVER:
        yield from ledger_parts(event)
    if event.whole:
        yield from committed_parts(event)


def final_head_of(tournament: Tournament) -> Head | None:
    """The head of the log's chain once the event is over, to be compared with later; None before.

    Of an event that was brought in it is the one that its own site signed.
    """
    if tournament.is_brought:
        return Head(*BroughtFile.objects.values_list("acts", "head").get(tournament=tournament))
    return head_of(tournament.stream) if tournament.state in OVER else None


def signing_key_of(tournament: Tournament) -> str:
    """The key that signs the event's file: this site's, or that of the site that it was brought from."""
    if tournament.is_brought:
        return BroughtFile.objects.values_list("key", flat=True).get(tournament=tournament)
    return public_key()


PUBLIC_FACTS = (
    "name", "place", "starts_at", "time_zone", "state", "game", "game_format", "variant", "way", "best_of",
    "exact_games", "swiss_rounds", "policy", "pairing", "deck_publish", "decks_published_at", "started_at",
    "finished_at", "stream",
)  # fmt: skip
HIDDEN_FACTS = ("id", "created_by_id", "rehearsal_of_id", "is_brought")
STAGE_FACTS = (
    "number", "kind", "name", "planned_rounds", "qualify", "qualify_value", "carries_points", "best_of", "third_place",
    "bracket_reset", "return_leg", "tables", "started_at",
)  # fmt: skip


def _facts(event: ExportedEvent) -> dict[str, Any]:
    """The event with its settings and stages; seeds are the numbers of entries, null for a place left empty."""
    stored = {each.attname: getattr(event.tournament, each.attname) for each in Tournament._meta.concrete_fields}
    names = [name for name in stored if name not in HIDDEN_FACTS] if event.whole else PUBLIC_FACTS
    stages = [
        {**{name: getattr(stage, name) for name in STAGE_FACTS}, "seeds": _numbered(event, stage.seeds)}
        for stage in Stage.objects.filter(tournament=event.tournament).order_by("number")
    ]
    return {"slug": event.tournament.slug, **{name: stored[name] for name in names}, "stages": stages}


def _numbered(event: ExportedEvent, entries: Sequence[int | None] | None) -> list[int | None] | None:
    return None if entries is None else [None if each is None else event.numbers[each] for each in entries]


def _entries(event: ExportedEvent) -> list[dict[str, Any]]:
    """Who plays or played, by number; for organisers also who waits or withdrew, and what pairing has to obey."""
    entries = Entry.objects.filter(tournament=event.tournament).order_by("number").prefetch_related("awarded_byes")
    teams = members_by_entry(event.tournament)
    found = []
    for entry in entries if event.whole else entries.filter(state__in=PLAYING):
        row: dict[str, Any] = {
            "number": entry.number, "name": entry.name, "members": teams.get(entry.pk, []), "state": entry.state,
            "entered_round": entry.entered_round, "dropped_after": entry.dropped_after,
        }  # fmt: skip
        if event.whole:
            row |= {
                "id": entry.pk, "club": entry.club, "team": entry.team, "fixed_table": entry.fixed_table,
                "registered_at": entry.registered_at, "checked_in_at": entry.checked_in_at,
                "awarded_byes": [each.round_number for each in entry.awarded_byes.all()],
            }  # fmt: skip
        found.append(row)
    return found


def _decks(event: ExportedEvent) -> list[dict[str, Any]]:
    """Commitments once decks are locked; the salts and lists behind them once everybody is shown these."""
    if not (event.decks_are_public or decks_are_locked(event.tournament, event.now)):
        return []
    return [_deck(member, shown=event.decks_are_public) for member in members_with_decks(event.tournament)]


def _deck(member: EntryMember, *, shown: bool) -> dict[str, Any]:
    row: dict[str, Any] = {**about_member(member), "commitment": member.deck_commitment}
    if shown and member.deck_version is not None:
        cards = [[each.section, each.count, each.name] for each in member.deck_version.decklist.entries]
        row |= {"salt": member.deck_salt, "cards": cards}
    return row


def _rounds(event: ExportedEvent) -> Iterator[Part]:
    """A part for each round that is shown; for organisers also those not yet published, and replaced versions."""
    rounds = Round.objects.filter(stage__tournament=event.tournament).select_related("stage", "stored_input")
    if not event.whole:
        rounds = rounds.filter(superseded_at=None).exclude(state=Round.State.PAIRED)
    for round_ in rounds.order_by("number", "stage__number", "version"):
        yield f"rounds/{round_.number:02}-{round_.stage.number}-{round_.version}.json", _round(event, round_)


def _round(event: ExportedEvent, round_: Round) -> dict[str, Any]:
    changes = list(round_.changes.values("number", "kind", "before", "after", "reason", "made_at"))
    row = {
        "stage": round_.stage.number, "number": round_.number, "version": round_.version, "state": round_.state,
        "engine": round_.engine, "lots": round_.lots, "levels": round_.levels, "cost": _cost(event, round_.cost),
        "changes": len(changes), "paired_without": round_.paired_without, "published_at": round_.published_at,
        "closed_at": round_.closed_at, "results_changed_at": round_.results_changed_at,
        "superseded_at": round_.superseded_at, "matches": _matches(event, round_),
    }  # fmt: skip
    if event.whole or not changes:
        bound = _cost(event, round_.bound)
        row |= {"bound": bound, "proved": round_.proved, "pairing_hash": round_.pairing_hash}
    if event.whole:
        stored = getattr(round_, "stored_input", None)
        row |= {
            "seed": round_.seed, "input_hash": round_.input_hash, "input": stored and stored.given,
            "changes_made": changes,
        }  # fmt: skip
    return row


def _cost(event: ExportedEvent, stored: Mapping[str, Any]) -> dict[str, Any] | None:
    """A cost as stored; visitors learn nothing of people who are kept apart. Null for a round entered by hand."""
    return {name: value for name, value in stored.items() if event.whole or name != PRIVATE_TERM} or None


def _matches(event: ExportedEvent, round_: Round) -> list[dict[str, Any]]:
    """The tables of a round with the report that counts; for organisers with every report and filed sheet."""
    seats, reports = defaultdict[int, list[Seat]](list), _reports(event, round_)
    for seat in Seat.objects.filter(match__round=round_).order_by("match_id", "order"):
        seats[seat.match_id].append(seat)
    sheets = _sheets(round_) if event.whole else {}
    found = []
    for match in Match.objects.filter(round=round_).order_by("pk"):
        row: dict[str, Any] = {
            "id": match.pk, "table": match.table_number, "kind": match.kind, "bracket": match.bracket,
            "seats": [event.numbers[seat.entry_id] for seat in seats[match.pk]],
            "report": next((each for each in reports[match.pk] if each["id"] == match.accepted_report_id), None),
        }  # fmt: skip
        if event.whole:
            row |= {"state": match.state, "extra_seconds": match.extra_seconds, "sheets": sheets.get(match.pk, [])}
            row["reports"] = reports[match.pk]
        found.append(row)
    return found


def _reports(event: ExportedEvent, round_: Round) -> Mapping[int, list[dict[str, Any]]]:
    """Reports by match; for visitors only those that count, and not who made them."""
    results = defaultdict[int, list[dict[str, Any]]](list)
    columns = ("report_id", "outcome", "games_won", "placing", "score")
    rows = SeatResult.objects.filter(report__match__round=round_).order_by("report_id", "seat__order")
    for report, outcome, won, placing, score in rows.values_list(*columns):
        row = {"outcome": outcome, "games_won": won, "placing": placing, "score": score}
        results[report].append(row)
    reports = ResultReport.objects.filter(match__round=round_).order_by("match_id", "number")
    if not event.whole:
        reports = reports.filter(pk__in=Match.objects.filter(round=round_).values("accepted_report"))
    found = defaultdict[int, list[dict[str, Any]]](list)
    for each in reports.prefetch_related("acts"):
        row = {
            "id": each.pk, "kind": each.kind, "games_drawn": each.games_drawn, "games_lost": each.games_lost,
            "games": each.games, "seats": results[each.pk],
        }  # fmt: skip
        if event.whole:
            acts = [{"name": act.name, "role": act.role, "acted_at": act.acted_at} for act in each.acts.all()]
            row |= {
                "number": each.number, "role": each.role, "corrects": each.corrects_id, "reason": each.reason,
                "reported_at": each.reported_at, "acts": acts,
            }  # fmt: skip
        found[each.match_id].append(row)
    return found


def _sheets(round_: Round) -> Mapping[int, list[dict[str, Any]]]:
    """The score sheets of a round as they were filed, by match, with what they add up to."""
    found = defaultdict[int, list[dict[str, Any]]](list)
    ids = dict(round_.matches.filter(score_sheet__isnull=False).values_list("score_sheet__sheet", "pk"))
    revisions = SheetRevision.objects.filter(sheet__in=ids).select_related("outcome").order_by("sheet_id", "number")
    for each in revisions:
        outcome = getattr(each, "outcome", None)
        row = {"number": each.number, "content": each.content, "filed_at": each.filed_at}
        found[ids[each.sheet_id]].append({**row, "tally": outcome and outcome.tally})
    return found


def standings_rows(tournament: Tournament) -> list[dict[str, Any]]:
    """The lines of the standings, computed from the rows: points and every tiebreaker as exact fractions."""
    numbers = dict(tournament.entries.values_list("pk", "number"))
    policy = tournament.scoring_policy
    return [_standing(numbers, policy, line) for line in compute_standings_of(tournament)]


def _standing(numbers: Mapping[int, int], policy: ScoringPolicy, line: Standing) -> dict[str, Any]:
    return {
        "rank": line.rank, "entry": numbers[line.contender], "points": line.match_points, "wins": line.wins,
        "draws": line.draws, "losses": line.losses,
        "values": {key: str(line.value(key)) for key in policy.tiebreakers},
    }  # fmt: skip


def _penalties(event: ExportedEvent) -> list[dict[str, Any]]:
    return [
        {
            "id": each.pk, "entry": event.numbers[each.entry_id], "round": each.round and each.round.number,
            "match": each.match_id, "report": each.report_id, "kind": each.kind, "infraction": each.infraction,
            "given_at": each.given_at, "taken_back_at": each.taken_back_at,
        }
        for each in Penalty.objects.filter(tournament=event.tournament).select_related("round").order_by("pk")
    ]  # fmt: skip


def _calls(event: ExportedEvent) -> list[dict[str, Any]]:
    """Who called a judge, about what, and when a person came; null for a caller who is staff or a table."""
    calls = JudgeCall.objects.filter(tournament=event.tournament).select_related("member").order_by("pk")
    return [
        {
            "id": each.pk, "match": each.match_id, "entry": each.member and event.numbers[each.member.entry_id],
            "kind": each.kind, "state": each.state, "called_at": each.called_at, "claimed_at": each.claimed_at,
            "escalated_at": each.escalated_at, "ended_at": each.ended_at,
        }
        for each in calls
    ]  # fmt: skip
