"""What a person is or was called, wherever that was stored: what an erasure looks for."""

from collections.abc import Iterator

from django.db.models import QuerySet

from accounts.identity.selectors import STREAM
from accounts.models import Person
from journal.models import PersonalValue
from tournaments.decks.selectors.registered import acts_about
from tournaments.models import Entry, EntryMember
from tournaments.privacy.selectors import Holder


def names_of(holder: Holder) -> frozenset[str]:
    """What the holder is or was called anywhere; of a team only its members' names, and of no single letter."""
    user = holder.user
    found = {*_earlier_names(holder), *((user.name, user.username, user.first_name, user.last_name) if user else ())}
    found |= set(Person.objects.filter(pk__in=holder.persons).values_list("name", flat=True))
    alone = Entry.objects.filter(pk__in=holder.entries).exclude(members__order__gt=1)
    for name, number, stream in alone.values_list("name", "number", "tournament__stream"):
        for each in {name, *_corrected(stream, "entry.renamed", entry=number)}:
            found |= {each, f"{each} #{number}"}
    return frozenset(name for name in found if len(name) > 1)


def _earlier_names(holder: Holder) -> Iterator[str]:
    """What the account, and the holder's places in teams, were called before a person corrected it."""
    if holder.user is not None:
        yield from _corrected(STREAM, "account_renamed", user=holder.user.pk)
    places = EntryMember.objects.filter(pk__in=holder.members).select_related("tournament", "entry")
    for place in places:
        changes = PersonalValue.objects.filter(entry__in=acts_about(place.tournament, place, ["entry.member_changed"]))
        yield from _but_of_others(changes, place.tournament.stream, place.entry.number)


def _corrected(stream: str, act: str, **subjects: int) -> set[str]:
    """Names before and after corrections."""
    about = {f"entry__subjects__{name}": value for name, value in subjects.items()}
    values = PersonalValue.objects.filter(entry__stream=stream, entry__act=act, **about)
    return _but_of_others(values, stream, subjects.get("entry", 0))


def _but_of_others(values: QuerySet[PersonalValue], stream: str, number: int) -> set[str]:
    """The values but for names of other entries of the same event now: the first word was of another."""
    names = values.values_list("value", flat=True)
    others = Entry.objects.filter(tournament__stream=stream).exclude(number=number)
    return set(names).difference(others.filter(name__in=names).values_list("name", flat=True))
