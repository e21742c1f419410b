"""What single entries need of the pairing, and who of the viewers may know."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from accounts.actors import Actor
from tournaments.kept_answers import keeps_answers, kept_answer
from tournaments.models import AwardedBye, Entry, EntryMember, KeptApart, Tournament
from tournaments.permissions import may_see_own_list


@dataclass(frozen=True, slots=True)
class Apart:
    """A person whom an entry never meets, and why, if anybody said."""

    entry: Entry
    reason: str


@dataclass(frozen=True, slots=True)
class OwnNeeds:
    """What a player sees of their own pairing constraints: never from whom staff keep them apart."""

    fixed_table: int | None
    byes: tuple[int, ...]


def apart_of(entry: Entry, other: Entry | None = None) -> QuerySet[KeptApart]:
    """The rows that keep an entry apart from others, or from that one alone."""
    if other is None:
        return KeptApart.objects.filter(Q(one=entry) | Q(other=entry))
    return KeptApart.objects.filter(Q(one=entry, other=other) | Q(one=other, other=entry))


def kept_apart_from(entry: Entry) -> list[Apart]:
    """From whom an entry is kept apart, by number; one query."""
    rows = apart_of(entry).select_related("one", "other")
    found = (Apart(row.other if row.one_id == entry.pk else row.one, row.reason) for row in rows)
    return sorted(found, key=lambda each: each.entry.number)


def byes_of(entry: Entry) -> tuple[int, ...]:
    """The rounds in which an entry was given a bye beforehand."""
    if keeps_answers(entry.tournament):
        return byes_by_entry(entry.tournament).get(entry.pk, ())
    return tuple(entry.awarded_byes.order_by("round_number").values_list("round_number", flat=True))


@kept_answer
def byes_by_entry(tournament: Tournament) -> dict[int, tuple[int, ...]]:
    """The same for everybody who was given one, by entry id; one query."""
    found: dict[int, tuple[int, ...]] = {}
    awarded = AwardedBye.objects.filter(entry__tournament=tournament)
    for pk, number in awarded.order_by("round_number").values_list("entry_id", "round_number"):
        found[pk] = (*found.get(pk, ()), number)
    return found


def own_needs(actor: Actor, member: EntryMember) -> OwnNeeds:
    """A player's own needs. A table fixed before the actor's link was made stays untold: staff make links."""
    entry = member.entry
    since = entry.fixed_table_set_at
    may_read = since is not None and may_see_own_list(actor, member, since)
    return OwnNeeds(entry.fixed_table if may_read else None, byes_of(entry))
