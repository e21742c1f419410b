"""What open pages are told from time to time: what happened since, and who may listen no longer.

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

    Three queries for any number of visitors, some more for each account or link.
    """
    events = Tournament.objects.in_bulk(list(listening))
    unwelcome = frozenset(
        (actor, event, ear)
        for event, ears in listening.items()
        for actor, ear in ears
        if not may_listen(actor, events.get(event), ear)
    )
    streams = {each.stream for each in events.values()}
    return Seen(_acts_since(known, streams), _positions(streams), unwelcome)


def may_listen(actor: Actor, tournament: Tournament | None, ear: Audience) -> bool:
    """Whether an actor who came some time ago may still listen; links and accounts are looked up anew."""
    if tournament is None or not _is_still_there(actor):
        return False
    return is_allowed("event.see", actor, tournament) and is_allowed(RULE_OF[ear], actor, tournament)


def _is_still_there(actor: Actor) -> bool:
    if actor.user is not None:
        return User.objects.filter(pk=actor.user.pk, is_active=True).exists()
    if actor.via == "link" and actor.person is not None and actor.link_issued_at is not None:
        return live_links().filter(person=actor.person, created_at=actor.link_issued_at).exists()
    return True


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
