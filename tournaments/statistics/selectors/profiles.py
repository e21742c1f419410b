"""What everybody may read of a player who wants it: final places, records against others, by game."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import Person
from rules_engine.errors import NotFound
from scoring.standings.ratings import rated
from scoring.standings.records import MatchKind, MatchRecord, SeatRecord
from scoring.standings.standings import Standing
from tournaments.core.names import name_key, plain_name
from tournaments.models import EntryMember, GameRating, Match, ResultReport, Tournament
from tournaments.rounds.selectors.histories import final_public_events, profiles_of, pseudonym, without_teams
from tournaments.standings.selectors.entry_records import entries_that_played
from tournaments.standings.selectors.standings import OUTCOMES, standings_of_each

SEAT = "accepted_report__seat_results__"
PERSON = f"{SEAT}seat__member__person"


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """One event of a player: the final rank among `players`, and matches won, drawn, lost (brackets left out).

    No rank: disqualified.
    """

    event: Tournament
    entry: int
    rank: int | None
    players: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Meeting:
    """All matches against one opponent, counted from the player's side; `profile` is a public id or ""."""

    name: str
    profile: str
    wins: int
    draws: int
    losses: int

    @property
    def matches(self) -> int:
        """How often they met."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class GameProfile:
    """A player in one game: events from the newest, opponents from the most met, the estimated strength."""

    game: str
    rating: GameRating | None
    events: tuple[PlayedLine, ...]
    meetings: tuple[Meeting, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """A player as everybody may see them."""

    person: Person
    games: tuple[GameProfile, ...]


def find_profile(public_id: str) -> Person:
    """The person of a profile that is shown; unknown, erased and hidden ones are the same NotFound "unknown_player"."""
    person = Person.objects.filter(public_id=public_id, user__isnull=False).first()
    found = profiles_of([person.user_id]).get(person.user_id) if person and person.user_id else None
    if person is None or found is None or person.erased_at is not None:
        raise NotFound("unknown_player", _("This profile doesn't exist or is hidden."))
    return found


def profile_of(person: Person) -> Profile:
    """The profile of an account's person, from public events that are over; the same number of queries always."""
    persons = set(Person.objects.filter(user=person.user_id, erased_at=None).values_list("pk", flat=True))
    members = list(
        EntryMember.objects.filter(person__in=persons, tournament__in=final_public_events())
        .select_related("tournament")
        .order_by("-tournament__starts_at", "-tournament")
    )
    standings = standings_of_each(member.tournament for member in members)
    ratings = {row.game: row for row in GameRating.objects.filter(person=person)}
    lines = [_played(member, standings[member.tournament_id]) for member in members]
    seated = entries_that_played(member.tournament for member in members)
    played = [line for line in lines if line.rank is None or line.entry in seated]
    meetings = _meetings(persons)
    games = dict.fromkeys(line.event.game for line in played)
    return Profile(
        person,
        tuple(
            GameProfile(
                game,
                ratings.get(game),
                tuple(line for line in played if line.event.game == game),
                meetings.get(game, ()),
            )
            for game in games
        ),
    )


def _played(member: EntryMember, standings: Sequence[Standing]) -> PlayedLine:
    own = next((line for line in standings if line.contender == member.entry_id), None)
    record = (own.rank, len(standings), own.wins, own.draws, own.losses) if own else (None, len(standings), 0, 0, 0)
    return PlayedLine(member.tournament, member.entry_id, *record)


def _meetings(persons: set[int]) -> dict[str, tuple[Meeting, ...]]:
    """Opponents by game, the most met first; four queries at most."""
    found: dict[str, dict[int | str, list[tuple[_Opponent, int]]]] = defaultdict(lambda: defaultdict(list))
    for game, opponent, outcome in _results(persons):
        found[game][opponent.key].append((opponent, outcome))
    users = {each[0].user for games in found.values() for met in games.values() for each in met}
    profiles = profiles_of(user for user in users if user is not None)
    return {game: _counted(met.values(), profiles) for game, met in found.items()}


@dataclass(frozen=True, slots=True)
class _Opponent:
    """A person met, under the name of one event."""

    person: int
    user: int | None
    name: str
    erased: bool

    @property
    def key(self) -> int | str:
        """Equal for who counts as one: an account; guests of one name; everybody erased alone."""
        if self.erased:
            return f"erased {self.person}"
        return self.user if self.user is not None else f"guest {plain_name(self.name)}"


def _results(persons: set[int]) -> Iterable[tuple[str, _Opponent, int]]:
    """For every opponent of every match: the game, who it was, and 1 for a win, 0 for a draw, -1 for a loss."""
    event = "round__stage__tournament"
    own = Match.objects.filter(
        seats__member__person__in=persons, round__superseded_at=None, kind=Match.Kind.PLAYED,
        accepted_report__kind__in=[ResultReport.Kind.PLAYED, ResultReport.Kind.INTENTIONAL_DRAW],
        **{f"{event}__in": without_teams(final_public_events())},
    )  # fmt: skip
    rows = (
        Match.objects.filter(pk__in=own.values("pk"))
        .order_by(f"{event}__starts_at", "pk", f"{SEAT}seat__order")
        .values_list(
            "pk", f"{event}__game", PERSON, f"{PERSON}__user", f"{SEAT}seat__entry__name", f"{PERSON}__erased_at",
            f"{PERSON}__public_id", f"{SEAT}outcome", f"{SEAT}placing",
        )
    )  # fmt: skip
    for (_match, game), seats in groupby(rows, key=itemgetter(0, 1)):
        table = list(seats)
        record = rated(MatchRecord(0, MatchKind.PLAYED, tuple(_seat(row) for row in table)))
        if record is None:
            continue
        mine = next(place for row, place in zip(table, record.places, strict=True) if row[2] in persons)
        for row, place in zip(table, record.places, strict=True):
            if row[2] not in persons:
                erased = row[5] is not None
                name = pseudonym(Person(public_id=row[6])) if erased else row[4]
                yield game, _Opponent(row[2], row[3], name, erased), (mine < place) - (mine > place)


def _seat(row: tuple[Any, ...]) -> SeatRecord:
    return SeatRecord(row[2], OUTCOMES[row[7]], placing=row[8])


def _counted(
    met: Iterable[Sequence[tuple[_Opponent, int]]], profiles: Mapping[int | None, Person]
) -> tuple[Meeting, ...]:
    """One line for each opponent under the newest name."""
    meetings = []
    for results in met:
        outcomes, last = [outcome for _opponent, outcome in results], results[-1][0]
        profile = profiles[last.user].public_id if last.user in profiles and not last.erased else ""
        meetings.append(Meeting(last.name, profile, outcomes.count(1), outcomes.count(0), outcomes.count(-1)))
    return tuple(sorted(meetings, key=lambda each: (-each.matches, name_key(each.name))))
