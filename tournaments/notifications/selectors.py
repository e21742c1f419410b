"""What open pages get from time to time: what happened since, and who may listen no longer.

See docs/how-it-works/trust.md#a4.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Q

from accounts.actors import Actor
from accounts.http.access import is_allowed
from accounts.identity.selectors import live_links
from accounts.models import User
from journal.live.notices import Audience
from journal.models import LedgerEntry, LedgerHead
from tournaments.core.audiences import ear_of
from tournaments.models import Tournament

RULE_OF: Mapping[Audience, str] = {"room": "event.see", "staff": "desk"}
"""Who may listen with which ear."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look found: streams that changed and for whom, the newest entry of each, who has to go."""

    changed: frozenset[tuple[str, Audience]]
    positions: Mapping[str, int]
    unwelcome: frozenset[tuple[Actor, int, Audience]]


def look_at(listening: Mapping[int, Collection[tuple[Actor, Audience]]], known: Mapping[str, int]) -> Seen:
    """Look after those who listen, by event id; `known` are positions of streams at the last look.

    Five queries for any number of visitors, accounts and links, some more for each of the staff, or of an event
    that not everybody sees.
    """
    events = Tournament.objects.in_bulk(list(listening))
    there = _still_there({actor for ears in listening.values() for actor, _ear in ears})
    unwelcome = frozenset(
        (actor, event, ear)
        for event, ears in listening.items()
        for actor, ear in ears
        if actor not in there or not _may_listen(actor, events.get(event), ear)
    )
    streams = {each.stream for each in events.values()}
    return Seen(_acts_since(known, streams), _positions(streams), unwelcome)


def _may_listen(actor: Actor, tournament: Tournament | None, ear: Audience) -> bool:
    return tournament is not None and all(is_allowed(of, actor, tournament) for of in ("event.see", RULE_OF[ear]))


def _still_there(actors: Collection[Actor]) -> set[Actor]:
    """Those of actors who came some time ago whose account or link still opens something, looked up anew."""
    users = {each.user.pk for each in actors if each.user is not None}
    active = set(User.objects.filter(pk__in=users, is_active=True).values_list("pk", flat=True)) if users else set()
    persons = {each.person.pk for each in actors if each.via == "link" and each.person is not None}
    links = live_links().filter(person__in=persons).order_by().values_list("person", "created_at") if persons else ()
    live = set(links)

    def is_there(actor: Actor) -> bool:
        if actor.user is not None:
            return actor.user.pk in active
        if actor.via == "link" and actor.person is not None and actor.link_issued_at is not None:
            return (actor.person.pk, actor.link_issued_at) in live
        return True

    return {each for each in actors if is_there(each)}


def _positions(streams: Collection[str]) -> dict[str, int]:
    found = dict(LedgerHead.objects.filter(pk__in=streams).values_list("pk", "sequence"))
    return {stream: found.get(stream, 0) for stream in streams}


def _acts_since(known: Mapping[str, int], streams: Collection[str]) -> frozenset[tuple[str, Audience]]:
    since = Q()
    for stream in streams & known.keys():
        since |= Q(stream=stream, sequence__gt=known[stream])
    if not since:
        return frozenset()
    acts = LedgerEntry.objects.filter(since).order_by().values_list("stream", "act", "subjects")
    return frozenset((stream, ear_of(act, subjects)) for stream, act, subjects in acts)
