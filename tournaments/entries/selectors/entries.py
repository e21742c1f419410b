"""Who takes part: lists, teams, and who can't act for themselves."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import NamedTuple

from django.db.models import Exists, Max, OuterRef, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.identity.selectors import live_links
from accounts.models import Person, User
from rules_engine.errors import NotFound, needed
from tournaments.core.members import no_member
from tournaments.core.names import name_key
from tournaments.kept_answers import kept_answer
from tournaments.models import Entry, EntryMember, Seat, Tournament


def active_entries(tournament: Tournament) -> QuerySet[Entry]:
    """Entries that will be paired next."""
    return tournament.entries.filter(state=Entry.State.REGISTERED)


def with_people() -> "Prefetch[str]":
    """For entries: their members with their persons.

    Joined, for a forward prefetch asks for each row by an OR of its own on SQLite, which refuses more than 1,000.
    """
    return Prefetch("members", EntryMember.objects.select_related("person"))


def know_as_single(entries: Iterable[Entry]) -> None:
    """Have new entries of one player each tell that nobody else belongs to them, without asking for each.

    What an answer says of their members is empty; they are asked for nothing else.
    """
    nobody = EntryMember.objects.none()
    for entry in entries:  # as a prefetch would leave it: of five thousand new ones that takes half a second
        entry.__dict__["_prefetched_objects_cache"] = {"members": nobody}


def entries_of(tournament: Tournament) -> list[Entry]:
    """Every entry with its members and their persons, by name; two queries (decks are known by their id alone)."""
    return sorted(
        tournament.entries.prefetch_related(with_people()), key=lambda entry: (name_key(entry.name), entry.number)
    )


def entries_numbered(tournament: Tournament, numbers: Collection[int]) -> list[Entry]:
    """The entries of these numbers, by number; NotFound "unknown_entry" names one that the event has not."""
    found = list(tournament.entries.filter(number__in=numbers).order_by("number"))
    missing = set(numbers).difference(entry.number for entry in found)
    if missing:
        raise NotFound("unknown_entry", _("This event has no such entry."), number=min(missing))
    return found


def find_member(entry: Entry, order: int) -> EntryMember:
    """The member of an entry in a place, from 1, with the person; NotFound "no_member"."""
    member = entry.members.select_related("person").filter(order=order).first()
    return needed(member, no_member())


def plays_elsewhere(members: QuerySet[EntryMember]) -> QuerySet[EntryMember]:
    """Those of the members of whose account a person is in another entry of the event that isn't withdrawn."""
    others = EntryMember.objects.filter(tournament=OuterRef("tournament")).exclude(entry=OuterRef("entry"))
    same = Q(person=OuterRef("person")) | Q(person__user=OuterRef("person__user"))
    return members.filter(Exists(others.exclude(entry__state=Entry.State.WITHDRAWN).filter(same)))


@kept_answer
def shared_names(tournament: Tournament) -> frozenset[str]:
    """Names that more than one entry bears: shown with the entry's number, so that two people stay apart."""
    counts = Counter(name.casefold() for name in tournament.entries.values_list("name", flat=True))
    return frozenset(name for name, count in counts.items() if count > 1)


def waits_for_check_in(entry: Entry) -> bool:
    """Whether an event that asks for it has not checked in this player yet, who has a place."""
    tournament = entry.tournament
    opens = tournament.check_in and tournament.state == Tournament.State.REGISTRATION
    return opens and entry.state == Entry.State.REGISTERED and entry.checked_in_at is None


def own_check_in_opens(tournament: Tournament) -> datetime | None:
    """From when on players may check themselves in, None where only staff do."""
    minutes = tournament.check_in_minutes
    return None if minutes is None else tournament.starts_at - timedelta(minutes=minutes)


def may_check_in(entry: Entry, now: datetime) -> bool:
    """Whether a player who is not checked in may do it now, wherever they are."""
    opens = own_check_in_opens(entry.tournament)
    return waits_for_check_in(entry) and opens is not None and opens <= now


def last_round_seated(entry: Entry) -> int:
    """The number of the last round in which an entry has a seat; 0 before any."""
    seated = Seat.objects.filter(entry=entry, round__superseded_at=None).aggregate(last=Max("round__number"))
    return seated["last"] or 0


TEAMS = ("mode", "teams")
"""What an event agrees on whose entries are teams (`scoring.games`)."""


def plays_in_teams(tournament: Tournament) -> bool:
    """Whether the entries of an event are teams of several members."""
    return bool(tournament.sheet_options.get(TEAMS[0]) == TEAMS[1])


def free_places(tournament: Tournament) -> int | None:
    """How many more may play; None without a limit."""
    if tournament.capacity is None:
        return None
    return max(0, tournament.capacity - tournament.entries.filter(state=Entry.State.REGISTERED).count())


def takes_sign_ups(tournament: Tournament) -> bool:
    """Whether players may enter the event themselves now."""
    return tournament.state == Tournament.State.REGISTRATION and tournament.self_sign_up


@kept_answer
def members_by_entry(tournament: Tournament) -> Mapping[int, tuple[str, ...]]:
    """The names of the members of every team by its id, in their order; empty where nobody plays in teams."""
    if not plays_in_teams(tournament):
        return {}
    found: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
    for member in EntryMember.objects.filter(tournament=tournament).select_related("person").order_by("order"):
        found[member.entry_id] += (member.person.name,)
    return {entry: names for entry, names in found.items() if len(names) > 1}


def called(tournament: Tournament, words: str) -> Q:
    """For entries: those whose name, or that of a member of a team, contains the words."""
    asked = words.casefold()
    teams = [pk for pk, names in members_by_entry(tournament).items() if any(asked in n.casefold() for n in names)]
    return Q(name__icontains=words) | Q(pk__in=teams)


def player_named(member: EntryMember) -> str:
    """The name of a player among decks: of a team each member's, otherwise that of the entry."""
    return member.person.name if plays_in_teams(member.tournament) else member.entry.name


def around_the_table(tournament: Tournament, teams: Sequence[Entry]) -> list[tuple[str, Entry]]:
    """The people of the teams at a table as they sit, in turn order, each with the team; [] where none plays there.

    The first member of every team, then the second of every one: so mates sit opposite each other.
    """
    members = members_by_entry(tournament)
    if not any(team.pk in members for team in teams):
        return []
    rows: Iterable[tuple[str | None, ...]] = zip_longest(*(members.get(team.pk, (team.name,)) for team in teams))
    return [(name, team) for row in rows for name, team in zip(row, teams, strict=True) if name is not None]


def members_without_account(tournament: Tournament) -> QuerySet[EntryMember]:
    """The members of registered entries who have no account, with person and entry."""
    members = EntryMember.objects.filter(tournament=tournament, entry__state=Entry.State.REGISTERED)
    return members.filter(person__user=None, person__erased_at=None).select_related("person", "entry")


def members_without_a_way_in(tournament: Tournament) -> QuerySet[EntryMember]:
    """The members of registered entries who have neither an account nor a live link, with person and entry."""
    links = live_links().filter(scope__in=("", tournament.stream))
    return members_without_account(tournament).exclude(person__in=links.values("person"))


class Guest(NamedTuple):
    """A player without an account whom an account took over, and the events the guest is entered in by their start."""

    person: Person
    events: list[Tournament]


def guests_of(user: User) -> list[Guest]:
    """The guests whom an account took over, in that order; three queries at most."""
    guests = Person.objects.filter(user=user, erased_at=None).exclude(linked_at=None).order_by("linked_at", "pk")
    places = EntryMember.objects.exclude(entry__state=Entry.State.WITHDRAWN).select_related("tournament")
    found = guests.prefetch_related(Prefetch("memberships", places.order_by("tournament__starts_at", "pk"), "places"))
    return [Guest(person, [each.tournament for each in person.places]) for person in found]


def find_guest(user: User, public_id: str) -> Guest:
    """One of the guests of an account, by public id; NotFound "unknown_guest"."""
    found = next((each for each in guests_of(user) if each.person.public_id == public_id), None)
    return needed(found, NotFound("unknown_guest", _("Your account holds no such guest.")))
