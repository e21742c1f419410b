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
    """Notify the players of a published round who were not yet notified of their seats, where they want it.

    A rehearsal tells nobody.
    """
    if tournament.rehearsal_of_id is None and _members_to_tell(tournament).exists():
        enqueue(TELL, [round_.pk], now, tournament.stream)


def _members_to_tell(tournament: Tournament) -> QuerySet[EntryMember]:
    """Everybody entered who wants notifications, as any person of the account."""
    wants = Q(mails_pairings=True) | Q(push_subscriptions__isnull=False)
    wants |= Q(user__persons__push_subscriptions__isnull=False) | Q(user__persons__mails_pairings=True)
    people = Person.objects.filter(wants, erased_at=None)
    return EntryMember.objects.filter(entry__tournament=tournament, person__in=people.values("pk"))


def notify_of_conflict(tournament: Tournament, match: Match, now: datetime) -> None:
    """Notify those at a table that their result is disputed."""
    _notify(tournament, Q(seats__match=match), "result", match.pk, now)


def notify_of_judge(tournament: Tournament, call: JudgeCall, now: datetime) -> None:
    """Notify those at a table that a judge is on the way."""
    _notify(tournament, Q(seats__match=call.match_id), "call", call.pk, now)


def notify_of_place(tournament: Tournament, entry: Entry, now: datetime) -> None:
    """Notify a person who moved up from the waiting list."""
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
    count, stream, earlier = 0, round_.stage.tournament.stream, _Earlier(round_)
    with transaction.atomic():
        for person, seat in _to_tell(round_):
            ways = [(PUSH, each.pk) for each in subscriptions_of(person)]
            if (mailed := mailed_person(person)) is not None:
                ways.append((MAIL, mailed.pk))
            for task, who in ways:
                if not earlier.notified_last(task, who, seat):
                    count += _enqueue_once(task, who, seat, now, stream)
    return count


def is_news(round_: Round, now: datetime) -> bool:
    """Whether a round is being played, by the latest pairings, and was published just now."""
    tournament, published = round_.stage.tournament, round_.published_at
    is_played = tournament.state == Tournament.State.RUNNING and tournament.rehearsal_of_id is None
    stands = round_.state == Round.State.PUBLISHED and round_.superseded_at is None
    return is_played and stands and published is not None and now - published < NEWS_FOR


def _to_tell(round_: Round) -> Iterator[tuple[Person, Seat]]:
    """Everybody who plays in a round and wants it, with the seat; not who left."""
    seats = {pk: seat for pk, seat in _seats(round_).items() if seat.entry.state == Entry.State.REGISTERED}
    for member in _members_to_tell(round_.stage.tournament).select_related("person"):
        if member.entry_id in seats:
            yield member.person, seats[member.entry_id]


def _seats(round_: Round) -> dict[int, Seat]:
    return {seat.entry_id: seat for match in matches_of(round_) for seat in match.seats.all()}


class _Earlier:
    """What was sent of a round's versions that were published and taken back."""

    def __init__(self, round_: Round) -> None:
        versions = Round.objects.filter(stage=round_.stage, number=round_.number, published_at__isnull=False)
        old = list(versions.exclude(pk=round_.pk).exclude(superseded_at=None).order_by("-pk"))
        self.seats = [(each.superseded_at, _seats(each)) for each in old]
        sent = OutboxMessage.objects.filter(stream=round_.stage.tournament.stream, task__in=(PUSH, MAIL))
        self.sent = dict(sent.exclude(done_at=None).values_list("pk", "done_at")) if old else {}

    def notified_last(self, task: str, who: int, seat: Seat) -> bool:
        """Whether this table with these people is the last that `who` was notified of while that version counted."""
        for until, seats in self.seats:
            before = seats.get(seat.entry_id)
            sent = self.sent.get(once_id(task, who, before)) if before is not None else None
            if before is not None and sent is not None and until is not None and sent <= until:
                return _pairing(before) == _pairing(seat)
        return False


def _pairing(seat: Seat) -> tuple[int | None, frozenset[int]]:
    """What a player is notified of: at which table, with whom."""
    return seat.match.table_number, frozenset(each.entry_id for each in seat.match.seats.all())


def _enqueue_once(task: str, who: int, seat: Seat, now: datetime, stream: str) -> bool:
    """Ask for a message unless that was done before; its id follows from what it is about."""
    message = once_id(task, who, seat)
    if OutboxMessage.objects.filter(pk=message).exists():
        return False
    enqueue(task, [who, seat.pk], now, stream, message)
    return True


def once_id(task: str, who: int, seat: Seat) -> UUID:
    """The id of the one message that tells `who` about a seat at its table."""
    return uuid5(NAMESPACE_URL, f"doomdesk:{task}:{who}:{seat.pk}:{seat.match.table_number or 0}")
