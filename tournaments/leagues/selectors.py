"""Leagues: their events, standings and players."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import or_
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.models import Person
from rules_engine.errors import NotFound, needed
from scoring.standings.league_points import Finish, LeagueRules, LeagueStanding, compute_league
from tournaments.core.names import plain_name
from tournaments.models import EntryMember, GameRating, League, LeagueEvent, Role, Tournament
from tournaments.permissions import ORGANISER, is_league_visible
from tournaments.rounds.selectors.histories import profiles_of, pseudonym
from tournaments.standings.selectors.entry_records import entries_that_played
from tournaments.standings.selectors.standings import standings_of_each


@dataclass(frozen=True, slots=True)
class Appearance:
    """A person at one event, under the name of the entry there; `user` is the account, None for a guest."""

    person: int
    user: int | None
    event: int
    name: str
    erased: bool = False


State, Visibility = Tournament.State, Tournament.Visibility

AS_OPEN_AS: dict[str, tuple[str, ...]] = {
    Visibility.PUBLIC: (Visibility.PUBLIC,),
    Visibility.UNLISTED: (Visibility.PUBLIC, Visibility.UNLISTED),
    Visibility.PRIVATE: (Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE),
}
"""The events that a league may hold: none that fewer people may see than the league itself."""


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """An event of a league as its page shows it; `counts` once it is over, `players` had a rank in it."""

    event: Tournament
    weight: int
    counts: bool
    players: int


@dataclass(frozen=True, slots=True)
class LeagueLine:
    """A line of a league's standings. `profile` is the public id of a profile everybody may see, "" without one.

    `persons` are all who count as this player, with the name they had at each event.
    """

    standing: LeagueStanding[int]
    name: str
    profile: str
    rating: GameRating | None
    persons: tuple[Appearance, ...]


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """The standings of a league with the events they come from, in the order of play."""

    events: tuple[PlayedEvent, ...]
    lines: tuple[LeagueLine, ...]


def find_league(actor: Actor, slug: str) -> League:
    """The league at an address; unknown and hidden ones are the same NotFound "unknown_league"."""
    league = League.objects.filter(slug=slug).first()
    if league is None or not is_league_visible(actor, league):
        raise NotFound("unknown_league", _("This league doesn't exist or isn't open to you."))
    return league


def find_league_event(league: League, **wanted: int | str) -> Tournament:
    """The event of the league with this `pk` or `slug`; NotFound "unknown_event"."""
    event = Tournament.objects.filter(league_events__league=league, **wanted).first()
    return needed(event, NotFound("unknown_event", _("This event is not in the league.")))


def find_person(pk: int) -> Person:
    """A person of this id, whether or not of the league; NotFound "unknown_player"."""
    person = Person.objects.filter(pk=pk).first()
    return needed(person, NotFound("unknown_player", _("Nobody like that played in this league.")))


def listed_leagues(actor: Actor) -> QuerySet[League]:
    """Public leagues and those the actor runs, newest first, with the number of their events as `held`.

    `zone` is the name of the time zone that `time_zone_of` gives each.
    """
    wanted = Q(visibility=Visibility.PUBLIC)
    if actor.user is not None:
        wanted |= Q(organisers=actor.user)
    leagues = League.objects.filter(pk__in=League.objects.filter(wanted).values("pk"))
    zones = _shown_events(OuterRef("pk")).reverse().values("tournament__time_zone")[:1]
    zone = Coalesce(Subquery(zones), Value(settings.TIME_ZONE))
    return leagues.annotate(held=Count("events"), zone=zone).order_by("-created_at", "-pk")


def may_organise_too(league: League) -> QuerySet[Role]:
    """Roles of the accounts that may be added as organisers of a league: active staff of its events."""
    return Role.objects.filter(tournament__league_events__league=league, user__is_active=True)


def rules_of(league: League) -> LeagueRules:
    return LeagueRules(tuple(league.points), league.points_for_playing, league.best_of_events)


def shown_events(league: League) -> QuerySet[LeagueEvent]:
    """The events of a league that everybody may see who sees the league, in the order of play."""
    return _shown_events(league).select_related("tournament")


def _shown_events(league: League | OuterRef) -> QuerySet[LeagueEvent]:
    as_open = (Q(league__visibility=each, tournament__visibility__in=open_) for each, open_ in AS_OPEN_AS.items())
    shown = LeagueEvent.objects.filter(reduce(or_, as_open), league=league, tournament__rehearsal_of=None)
    return shown.exclude(tournament__state=State.DRAFT).order_by("tournament__starts_at", "tournament")


def time_zone_of(league: League) -> ZoneInfo:
    """Where a league is played: the zone of its last event that is shown, the site's before there is one."""
    last = shown_events(league).last()
    return ZoneInfo(last.tournament.time_zone if last else settings.TIME_ZONE)


def hidden_events(league: League) -> QuerySet[LeagueEvent]:
    """The other ones: for the league's organisers."""
    shown = shown_events(league).order_by().values("pk")
    return LeagueEvent.objects.filter(league=league).exclude(pk__in=shown).select_related("tournament")


def events_to_add(actor: Actor, league: League) -> QuerySet[Tournament]:
    """The events that the actor organises and this league may hold, newest first."""
    mine = Tournament.objects.filter(
        pk__in=Tournament.objects.filter(roles__user=actor.user, roles__name=ORGANISER).values("pk"),
        visibility__in=AS_OPEN_AS[league.visibility],
        rehearsal_of=None,
    )
    mine = mine.exclude(state=State.CANCELLED).exclude(league_events__league=league)
    return mine.filter(game=league.game) if league.game else mine


def league_table(league: League) -> LeagueTable:
    """The standings of a league after its finished events; the same number of queries however many there are."""
    held = list(shown_events(league))
    over = [each for each in held if each.tournament.state == State.FINISHED]
    standings = standings_of_each(each.tournament for each in over)
    played = entries_that_played(each.tournament for each in over)
    ranks = {
        (event, line.contender): line.rank
        for event, lines in standings.items()
        for line in lines
        if line.contender in played
    }
    events = tuple(
        PlayedEvent(each.tournament, each.weight, each in over, sum(event == each.tournament_id for event, _e in ranks))
        for each in held
    )
    return LeagueTable(events, _lines(league, events, ranks))


def _lines(league: League, events: Sequence[PlayedEvent], ranks: dict[tuple[int, int], int]) -> tuple[LeagueLine, ...]:
    order = {each.event.pk: place for place, each in enumerate(events)}
    weights = {place: each.weight for place, each in enumerate(events)}
    members = [
        each
        for each in EntryMember.objects.filter(tournament__in=[each.event.pk for each in events if each.counts])
        .select_related("entry", "person")
        .order_by("tournament", "entry__number", "order")
        if (each.tournament_id, each.entry_id) in ranks
    ]
    teams = {each.entry_id for each in members if each.order > 1}
    seen = {each.pk: _appearance(each, order, each.entry_id in teams) for each in members}
    same = who_is_who(seen.values(), dict(league.players.values_list("person", "counts_as")))
    finishes = [
        Finish(same[each.person_id], order[each.tournament_id], ranks[each.tournament_id, each.entry_id])
        for each in members
    ]
    persons: dict[int, list[Appearance]] = defaultdict(list)
    for each in sorted(seen.values(), key=lambda appearance: appearance.event):
        persons[same[each.person]].append(each)
    found = compute_league(finishes, weights, rules_of(league))
    games = {each.event.game for each in events}
    profiles = profiles_of(each.user for each in seen.values() if each.user is not None)
    ratings = _ratings([row.pk for row in profiles.values()], games.pop() if len(games) == 1 else "")
    lines = []
    for standing in found:
        mine = persons[standing.player]
        profile = next((profiles[each.user] for each in mine if each.user in profiles), None)
        rating = ratings.get(profile.pk) if profile else None
        lines.append(LeagueLine(standing, mine[-1].name, profile.public_id if profile else "", rating, tuple(mine)))
    return tuple(lines)


def _appearance(member: EntryMember, order: dict[int, int], in_team: bool) -> Appearance:
    person = member.person
    erased = person.erased_at is not None
    name = person.name if in_team else member.entry.name
    user = None if erased else person.user_id
    return Appearance(
        person.pk, user, order[member.tournament_id], pseudonym(person) if erased else name, erased=erased
    )


def _ratings(persons: Sequence[int], game: str) -> dict[int, GameRating]:
    return {row.person_id: row for row in GameRating.objects.filter(person__in=persons, game=game)}


def who_is_who(appearances: Iterable[Appearance], words: Mapping[int, int]) -> dict[int, int]:
    """For each person the one that stands for the player, the lowest id of all who are the same.

    Persons of one account are one player, and so are guests of equal name, unless two of that name were at one event.
    `words` are the organiser's: person by person whom they count as; whoever counts as oneself stands apart. Two who
    count as a third are one, although that one does not appear.
    """
    seen = list(appearances)
    apart = {person for person, other in words.items() if person == other}
    same = _Sets()
    for person in {each.person for each in seen}.union(*words.items()):
        same.add(person)
    free = [each for each in seen if each.person not in apart and not each.erased]
    for group in chain(_by_account(free), _by_name(free), words.items()):
        same.join(group)
    lowest: dict[int, int] = {}
    for person in sorted({each.person for each in seen}):
        lowest.setdefault(same.root(person), person)
    return {each.person: lowest[same.root(each.person)] for each in seen}


def _by_account(appearances: Iterable[Appearance]) -> Iterable[list[int]]:
    groups: dict[int, list[int]] = defaultdict(list)
    for each in appearances:
        if each.user is not None:
            groups[each.user].append(each.person)
    return groups.values()


def _by_name(appearances: Iterable[Appearance]) -> Iterable[list[int]]:
    groups: dict[str, dict[tuple[int, int], None]] = defaultdict(dict)
    for each in appearances:
        if each.user is None:
            groups[plain_name(each.name)][each.event, each.person] = None
    for found in groups.values():
        if len({event for event, _person in found}) == len(found):
            yield [person for _event, person in found]


class _Sets(dict[int, int]):
    """Disjoint sets of persons, each known by its lowest id."""

    def add(self, person: int) -> None:
        self.setdefault(person, person)

    def root(self, person: int) -> int:
        while self[person] != person:
            self[person] = self[self[person]]
            person = self[person]
        return person

    def join(self, persons: Iterable[int]) -> None:
        roots = sorted({self.root(person) for person in persons})
        for root in roots[1:]:
            self[root] = roots[0]
