"""Tells players that they are paired, and what else cannot wait: by Web Push in their browsers, and by mail."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import Person
from accounts.notifications.messages import mailed_person, subscriptions_of
from journal.models import OutboxMessage
from journal.outbox.messages import enqueue
from tournaments.core.rounds import matches_of
from tournaments.models import Entry, EntryMember, JudgeCall, Match, Round, Seat, Tournament

TELL, PUSH, MAIL = "tournaments.tell_pairings", "tournaments.push_pairing", "tournaments.mail_pairing"
NEWS_FOR = timedelta(minutes=45)
"""How long after its publication a pairing is news: who reads of it later is led to an empty table."""


def ask_to_tell(tournament: Tournament, round_: Round, now: datetime) -> None:
    """Have the players of a published round told, where anybody wants that; a rehearsal tells nobody."""
    if tournament.rehearsal_of_id is None and _members_to_tell(tournament).exists():
        enqueue(TELL, [round_.pk], now, tournament.stream)


def _members_to_tell(tournament: Tournament) -> QuerySet[EntryMember]:
    """Everybody entered who wants to be told, as any person of the account."""
    wants = Q(mails_pairings=True) | Q(push_subscriptions__isnull=False)
    wants |= Q(user__persons__push_subscriptions__isnull=False) | Q(user__persons__mails_pairings=True)
    people = Person.objects.filter(wants, erased_at=None)
    return EntryMember.objects.filter(entry__tournament=tournament, person__in=people.values("pk"))


def notify_of_conflict(tournament: Tournament, match: Match, now: datetime) -> None:
    """Have those at a table told that their result is disputed."""
    _notify(tournament, Q(seats__match=match), "result", match.pk, now)


def notify_of_judge(tournament: Tournament, call: JudgeCall, now: datetime) -> None:
    """Have those at a table told that a judge is on the way."""
    _notify(tournament, Q(seats__match=call.match_id), "call", call.pk, now)


def notify_of_place(tournament: Tournament, entry: Entry, now: datetime) -> None:
    """Have somebody told who moved up from the waiting list."""
    _notify(tournament, Q(entry=entry), "place", entry.pk, now)


def _notify(tournament: Tournament, whom: Q, kind: str, about: int, now: datetime) -> None:
    """Ask for one message for each browser and mail of some members; a rehearsal tells nobody."""
    if tournament.rehearsal_of_id is not None:
        return
    for member in _members_to_tell(tournament).filter(whom).select_related("person"):
        for subscription in subscriptions_of(member.person):
            enqueue(PUSH, [subscription.pk, about, kind], now, tournament.stream)
        if (mailed := mailed_person(member.person)) is not None:
            enqueue(MAIL, [mailed.pk, about, kind], now, tournament.stream)


def tell_round(round_id: int, now: datetime) -> int:
    """Ask for one message for each browser and mail of a round's players; answers how many. Harmless when repeated."""
    round_ = Round.objects.select_related("stage__tournament").filter(pk=round_id).first()
    if round_ is None or not is_news(round_, now):
        return 0
    told, stream = 0, round_.stage.tournament.stream
    with transaction.atomic():
        for person, seat in _to_tell(round_):
            for subscription in subscriptions_of(person):
                told += _enqueue_once(PUSH, subscription.pk, seat, now, stream)
            if (mailed := mailed_person(person)) is not None:
                told += _enqueue_once(MAIL, mailed.pk, seat, now, stream)
    return told


def is_news(round_: Round, now: datetime) -> bool:
    """Whether a round is being played, by the latest pairings, and was published just now."""
    tournament, published = round_.stage.tournament, round_.published_at
    is_played = tournament.state == Tournament.State.RUNNING and tournament.rehearsal_of_id is None
    stands = round_.state == Round.State.PUBLISHED and round_.superseded_at is None
    return is_played and stands and published is not None and now - published < NEWS_FOR


def _to_tell(round_: Round) -> Iterator[tuple[Person, Seat]]:
    """Everybody who plays in a round and wants it, with the seat; not who left, nor whose pairing was told before."""
    told = {
        pairing for version in _old_versions(round_) for match in matches_of(version) for pairing in _pairings(match)
    }
    seats = {
        seat.entry_id: seat
        for match in matches_of(round_)
        for seat, pairing in zip(match.seats.all(), _pairings(match), strict=True)
        if pairing not in told and seat.entry.state == Entry.State.REGISTERED
    }
    for member in _members_to_tell(round_.stage.tournament).select_related("person"):
        if member.entry_id in seats:
            yield member.person, seats[member.entry_id]


def _old_versions(round_: Round) -> list[Round]:
    """Versions of a round that were published and taken back."""
    versions = Round.objects.filter(stage=round_.stage, number=round_.number, published_at__isnull=False)
    return list(versions.exclude(pk=round_.pk).exclude(superseded_at=None))


def _pairings(match: Match) -> list[tuple[int, int | None, frozenset[int]]]:
    """For each seat what its player is told: who, at which table, with whom."""
    everybody = frozenset(seat.entry_id for seat in match.seats.all())
    return [(seat.entry_id, match.table_number, everybody) for seat in match.seats.all()]


def _enqueue_once(task: str, who: int, seat: Seat, now: datetime, stream: str) -> bool:
    """Ask for a message unless that was done before; its id follows from what it is about."""
    message = once_id(task, who, seat)
    if OutboxMessage.objects.filter(pk=message).exists():
        return False
    enqueue(task, [who, seat.pk], now, stream, message)
    return True


def once_id(task: str, who: int, seat: Seat) -> UUID:
    """The id of the one message that tells `who` about a seat."""
    return uuid5(NAMESPACE_URL, f"doomdesk:{task}:{who}:{seat.pk}")
