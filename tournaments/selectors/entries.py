"""Questions about who takes part."""

from collections import Counter

from django.db.models import Max, Prefetch, QuerySet

from tournaments.models import Entry, EntryMember, Seat, Tournament


def active_entries(tournament: Tournament) -> QuerySet[Entry]:
    """Entries that will be paired next."""
    return tournament.entries.filter(state=Entry.State.REGISTERED)


def entries_of(tournament: Tournament) -> list[Entry]:
    """Every entry with its members and their persons, by name; two queries (decks are known by their id alone)."""
    members = EntryMember.objects.select_related("person")
    entries = tournament.entries.prefetch_related(Prefetch("members", members))
    return sorted(entries, key=lambda entry: (entry.name.casefold(), entry.number))


def shared_names(tournament: Tournament) -> frozenset[str]:
    """Names that more than one entry bears: shown with the entry's number, so that two people stay apart."""
    counts = Counter(name.casefold() for name in tournament.entries.values_list("name", flat=True))
    return frozenset(name for name, count in counts.items() if count > 1)


def last_round_seated(entry: Entry) -> int:
    """The number of the last round in which an entry has a seat; 0 before any."""
    seated = Seat.objects.filter(entry=entry, round__superseded_at=None).aggregate(last=Max("round__number"))
    return seated["last"] or 0
