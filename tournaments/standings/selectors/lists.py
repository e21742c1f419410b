"""Parts of the standings for those who read them: as they stood earlier, what was amended, who plays on."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from django.db.models import Min

from scoring.standings.points import places_of
from scoring.standings.records import ContenderFacts, MatchKind
from scoring.standings.standings import Standing
from tournaments.entries.selectors.entries import members_by_entry
from tournaments.models import Amendment, Entry, Match, ResultReport, Round, SeatResult, Stage, Tournament
from tournaments.standings.selectors.standings import StandingsGiven, standings_given
from tournaments.structure.selectors.stages import begun_stages, sections

Kind = Amendment.Kind
STANDING = "report__match__accepted_report"


def standings_after(tournament: Tournament, number: int) -> tuple[Standing, ...]:
    """The standings as the results of the rounds up to `number` make them, corrections since then counted."""
    return given_after(tournament, number).compute()


def given_after(tournament: Tournament, number: int) -> StandingsGiven:
    """What these standings depend on.

    Whoever came later is not in them; whoever dropped later still plays. Stages that began later change nothing.
    """
    starts = _first_rounds(tournament)
    stages = [stage for stage in begun_stages(tournament) if stage.number == 1 or starts.get(stage.pk, 99) <= number]
    given, begun = standings_given(tournament), sections(stages)
    for _later in range(len(_chain(given)) - len(begun)):
        given = given.before or given
    given = replace(given, stages=given.stages[: max(len(begun[-1]) - 1, 0)])
    bracket = given.bracket if stages[-1].is_bracket else None
    if bracket is not None:
        bracket = bracket.with_winners(dict.fromkeys(_played_later(stages[-1], number)))
    return replace(_until(given, number - given.first_round + 1), bracket=bracket)


def _first_rounds(tournament: Tournament) -> dict[int, int]:
    rounds = Round.objects.filter(stage__tournament=tournament, superseded_at=None)
    return dict(rounds.values("stage").annotate(first=Min("number")).values_list("stage", "first"))


def _chain(given: StandingsGiven | None) -> list[StandingsGiven]:
    return [] if given is None else [given, *_chain(given.before)]


def _played_later(stage: Stage, number: int) -> list[str]:
    later = Match.objects.filter(round__stage=stage, round__superseded_at=None, round__number__gt=number)
    return list(later.values_list("bracket", flat=True))


def _until(given: StandingsGiven, number: int) -> StandingsGiven:
    """A section with its first `number` rounds alone."""
    records = {match: each for match, each in given.records.items() if each.round_number <= number}
    seated = {seat.contender for record in records.values() for seat in record.seats}
    there = [each for each in given.contenders if each.entered_round <= number or each.id in seated]
    contenders = tuple(_then(each, number) for each in there)
    return replace(given, contenders=contenders, records=records)


def _then(facts: ContenderFacts, number: int) -> ContenderFacts:
    is_later = facts.dropped_after is not None and facts.dropped_after > number
    return replace(facts, dropped_after=None) if is_later else facts


def amendments_since(tournament: Tournament, number: int) -> list[Amendment]:
    """What moved lines since round `number` was published, newest first; with the entry or the match concerned."""
    found = tournament.amendments.filter(after_round__gte=number)
    found = found.select_related("entry", "report__corrects", "report__match__round__stage", STANDING)
    return list(found.prefetch_related("report__corrects__seat_results", f"{STANDING}__seat_results"))


def still_moving(amendments: Sequence[Amendment]) -> list[Amendment]:
    """Those of the amendments (newest first) that were not taken back since, so that no line is as it was before them.

    A result corrected back to what it was, or a player who left and came again, moves nothing any more. Of penalties
    all are kept: one may have moved several matches.
    """
    first = {each.report.match_id: each for each in amendments if each.kind == Kind.CORRECTION and each.report}
    undone = {match for match, each in first.items() if each.report and _is_as_it_was(each.report)}
    return [each for each in amendments if not _is_undone(each, undone)]


def _is_undone(amendment: Amendment, matches: Container[int]) -> bool:
    if amendment.kind == Kind.CORRECTION and amendment.report:
        return amendment.report.match_id in matches
    entry = amendment.entry
    return amendment.kind == Kind.DROP and entry is not None and entry.state == Entry.State.REGISTERED


def _is_as_it_was(correction: ResultReport) -> bool:
    """Whether the match's result is again the one that a first correction replaced."""
    old, now = correction.corrects, correction.match.accepted_report
    return old is not None and now is not None and _facts_of(old) == _facts_of(now)


def _facts_of(report: ResultReport) -> tuple[object, ...]:
    """All that standings read of a report."""
    rows = sorted(report.seat_results.all(), key=lambda row: row.seat_id)
    seats = [(row.outcome, row.games_won, row.placing, row.score) for row in rows]
    return (report.kind, report.games_drawn, report.games_lost, seats)


def tables_without_scores(tournament: Tournament) -> Counter[int]:
    """How many results of each entry lack the scores that the standings count; one query where they do."""
    if not tournament.counts_scores:
        return Counter()
    rounds = {"round__stage__tournament": tournament, "round__superseded_at": None}
    standing = Match.objects.filter(**rounds, kind=Match.Kind.PLAYED).values("accepted_report")
    rows = SeatResult.objects.filter(report__in=standing, report__kind=ResultReport.Kind.PLAYED, score=None)
    return Counter(rows.values_list("seat__entry_id", flat=True))


def places_taken(tournament: Tournament, number: int) -> dict[int, list[int]] | None:
    """By entry, its place at each table of the rounds up to `number`; None where other stages than tables began."""
    if any(stage.kind != Stage.Kind.TABLES for stage in begun_stages(tournament)):
        return None
    found: defaultdict[int, list[int]] = defaultdict(list)
    for given in reversed(_chain(given_after(tournament, number))):
        for record in given.records.values():
            for seat, place in zip(record.seats, places_of(record), strict=True):
                if record.kind is MatchKind.PLAYED:
                    found[seat.contender].append(place)
    return found


def entries_by_id(tournament: Tournament, ids: Iterable[int]) -> dict[int, Entry]:
    """Some entries of a tournament, as many as fit a page, by id; one query."""
    return {entry.pk: entry for entry in tournament.entries.filter(pk__in=list(ids))}


def entries_called(tournament: Tournament, words: str) -> set[int]:
    """The ids of entries whose name, or that of a team's member, contains `words`, or whose number they are."""
    rows, mates = tournament.entries.values_list("pk", "name", "number"), members_by_entry(tournament)
    return {
        pk
        for pk, name, number in rows
        if any(words.casefold() in each.casefold() for each in (name, *mates.get(pk, ())))
        or words.lstrip("#") == str(number)
    }


def stage_played_on(tournament: Tournament) -> Stage | None:
    """The latest stage that has begun after the first; its field plays on, or played."""
    stage = begun_stages(tournament)[-1]
    return stage if stage.number > 1 else None
