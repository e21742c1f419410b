"""The statistics of an event from its results, and from its decklists once everybody may read them.

See docs/how-it-works/trust.md#d2.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Min, Prefetch

from decks.selectors.cards import cards_of
from decks.selectors.legality import format_at
from journal.ledger.selectors import head_of
from rules_engine.cards import CardFacts, normalise_name
from rules_engine.decklist import Decklist
from scoring.standings.results import TELLS_NO_ROLE
from tournaments.decks.selectors.decks import members_with_decks
from tournaments.models import Entry, Match, ResultReport, Round, SeatResult, Tournament
from tournaments.statistics.figures import (
    UNPLAYED,
    WIN,
    Bin,
    GamePlayed,
    MatchPlayed,
    Rate,
    SeatPlayed,
    Share,
    Spread,
    closest_tables,
    count_draws,
    count_kinds,
    count_mirrors,
    count_rates,
    count_roles,
    count_seats,
    count_shares,
    longest_runs,
    spread_margins,
    spread_scores,
)

CACHE_SECONDS = 24 * 3600
AFFILIATION, NO_SIDE, MIXED = "affiliation", "General", "–"


@dataclass(frozen=True, slots=True)
class RoundTime:
    """How long a round took: minutes from publishing until its last match was first reported, over so many matches."""

    number: int
    minutes: int
    matches: int


@dataclass(frozen=True, slots=True)
class DeckStatistics:
    """What was played: shares and win rates by what marks a deck in its game, and the matches of equals."""

    shares: tuple[Share, ...]
    rates: tuple[Rate, ...]
    mirrors: int


class Named(NamedTuple):
    """An entry: its name, and its number at the event."""

    name: str
    number: int


class WinningRun(NamedTuple):
    """Matches won in a row, and by whom."""

    who: Named
    wins: int


class CloseMatch(NamedTuple):
    """The best two of a table and their scores, the best first."""

    who: tuple[Named, Named]
    scores: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class EventStatistics:
    """All figures of an event; `decks` None where its lists are not public, or nothing in them marks a deck.

    `runs` are the longest winning runs, the longest first, and `closest` the closest matches where scores are counted.
    """

    matches: int
    draws: int
    seats: tuple[Rate, ...]
    roles: tuple[Rate, ...]
    kinds: tuple[Share, ...]
    scores: tuple[Bin, ...]
    margins: Spread | None
    rounds: tuple[RoundTime, ...]
    reporters: tuple[Share, ...]
    decks: DeckStatistics | None
    runs: tuple[WinningRun, ...]
    closest: tuple[CloseMatch, ...]


def statistics_of(tournament: Tournament, now: datetime) -> EventStatistics:
    """The figures after everything that happened so far, kept for this very position of the log."""
    published_at = tournament.decks_published_at
    shows_decks = published_at is not None and published_at <= now
    key = f"statistics:{tournament.stream}:{head_of(tournament.stream)}:{int(shows_decks)}"
    found: EventStatistics | None = cache.get(key)
    if found is None:
        found = compute_statistics(tournament, shows_decks=shows_decks)
        cache.set(key, found, CACHE_SECONDS)
    return found


def compute_statistics(tournament: Tournament, *, shows_decks: bool) -> EventStatistics:
    """The same from the database; six queries at most, and no decklist is read unless they are public."""
    ended = _ended_of(tournament)
    matches = [_as_match(report) for report in ended if report.kind == ResultReport.Kind.PLAYED]
    games = [game for match in matches for game in match.games]
    runs, closest = longest_runs(_as_run(report) for report in ended), closest_tables(matches)
    told = {entry for entry, _wins in runs} | {each.entry for table in closest for each in table}
    who = {entry.pk: Named(entry.name, entry.number) for entry in Entry.objects.filter(pk__in=told)}
    return EventStatistics(
        matches=len(matches),
        draws=count_draws(matches),
        seats=count_seats(matches),
        roles=count_roles(games, TELLS_NO_ROLE),
        kinds=count_kinds(game for game in games if game.kind != "unknown"),
        scores=spread_scores(matches),
        margins=spread_margins(matches),
        rounds=tuple(_round_times(tournament)),
        reporters=count_shares(_reports(tournament).values_list("role", flat=True)),
        decks=_decks_of(tournament, matches) if shows_decks else None,
        runs=tuple(WinningRun(who[entry], wins) for entry, wins in runs),
        closest=tuple(
            CloseMatch((who[best.entry], who[second.entry]), (best.score, second.score)) for best, second in closest
        ),
    )


def _reports(tournament: Tournament) -> Any:
    """The reports that count, of matches played in rounds that everybody sees."""
    shown = Round.objects.filter(stage__tournament=tournament, superseded_at=None).exclude(state=Round.State.PAIRED)
    counting = ResultReport.objects.filter(match__round__in=shown, match__kind=Match.Kind.PLAYED)
    return counting.filter(pk__in=Match.objects.filter(round__in=shown).values("accepted_report"))


def _ended_of(tournament: Tournament) -> list[ResultReport]:
    """The reports that count in the order of play, those by agreement or penalty among them."""
    # joined, for a forward prefetch asks for each seat by an OR of its own on SQLite, which refuses more than 1,000
    results = Prefetch("seat_results", SeatResult.objects.select_related("seat"))
    return list(_reports(tournament).order_by("match__round__number", "match_id").prefetch_related(results))


def _as_run(report: ResultReport) -> MatchPlayed:
    """What a report is for a winning run."""
    is_played = report.kind == ResultReport.Kind.PLAYED
    rows = report.seat_results.all()
    return MatchPlayed(
        tuple(
            SeatPlayed(row.seat.entry_id, UNPLAYED if row.outcome == WIN and not is_played else row.outcome)
            for row in rows
        )
    )


def _as_match(report: ResultReport) -> MatchPlayed:
    rows = sorted(report.seat_results.all(), key=lambda row: row.seat.order)
    seats = tuple(
        SeatPlayed(row.seat.entry_id, row.outcome, None if row.score is None else Fraction(row.score)) for row in rows
    )
    games = (
        GamePlayed(each["winner"], each.get("win_kind", ""), tuple(each.get("roles") or ())) for each in report.games
    )
    return MatchPlayed(seats, tuple(games))


def _round_times(tournament: Tournament) -> Iterable[RoundTime]:
    """The rounds whose every match has a result, by number; a correction later on makes none longer."""
    rounds = Round.objects.filter(stage__tournament=tournament, superseded_at=None, published_at__isnull=False)
    played = Match.objects.filter(round__in=rounds, kind=Match.Kind.PLAYED)
    firsts = played.annotate(first=Min("reports__reported_at")).values_list("round__number", "state", "first")
    ends: dict[int, list[datetime | None]] = {}
    for number, state, first in firsts:
        ends.setdefault(number, []).append(first if state == Match.State.DONE else None)
    for number, published_at in rounds.order_by("number").values_list("number", "published_at"):
        times = [each for each in ends.get(number, []) if each is not None]
        if published_at is not None and times and len(times) == len(ends[number]):
            yield RoundTime(number, max(0, round((max(times) - published_at).total_seconds() / 60)), len(times))


def _decks_of(tournament: Tournament, matches: Sequence[MatchPlayed]) -> DeckStatistics | None:
    """By the secret section where the format has one, else by affiliation where the game's cards have any.

    Every deck of a team counts with the results of its team.
    """
    secret = format_at(tournament.game, tournament.game_format).secret_section
    cards = {} if secret else cards_of(tournament.game)
    label_of: dict[int, str] = {}
    decks_of = defaultdict[int, list[int]](list)
    for member in members_with_decks(tournament):
        if member.deck_version is None:
            continue
        decklist = member.deck_version.decklist
        label = _secret_of(decklist, secret) if secret else _affiliation_of(decklist, cards)
        if label:
            label_of[member.pk] = label
            decks_of[member.entry_id].append(member.pk)
    if not label_of:
        return None
    played = [
        MatchPlayed(
            tuple(SeatPlayed(deck, seat.outcome) for seat in match.seats for deck in decks_of.get(seat.entry, (0,)))
        )
        for match in matches
    ]
    rates, mirrors = count_rates(played, label_of), count_mirrors(played, label_of)
    return DeckStatistics(count_shares(label_of.values()), rates, mirrors)


def _secret_of(decklist: Decklist, section: str) -> str:
    return " + ".join(entry.name for entry in decklist.entries if entry.section == section)


def _affiliation_of(decklist: Decklist, cards: Mapping[str, CardFacts]) -> str:
    """What most copies are of, "–" where two are level; general cards have no side, and "" has no card of any."""
    sides = Counter[str]()
    for entry in decklist.entries:
        facts = cards.get(normalise_name(entry.name))
        side = str(facts.fields.get(AFFILIATION, "")) if facts else ""
        if side and side != NO_SIDE:
            sides[side] += entry.count
    best = sides.most_common(2)
    if not best:
        return ""
    return MIXED if len(best) == 2 and best[0][1] == best[1][1] else best[0][0]
