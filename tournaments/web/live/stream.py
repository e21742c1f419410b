"""The stream that tells an open page to ask again: one word, never what happened."""

import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse, StreamingHttpResponse

from accounts.http.access import is_allowed
from accounts.http.numbers import read_number
from accounts.http.requests import ActorRequest
from journal.live.notices import Audience
from tournaments.models import Tournament
from tournaments.web.frame.event_view import event_view
from tournaments.web.live.hub import BEAT, Listener, hub_here

LIFE = 900.0
"""Seconds after which a stream ends and the page comes again: a session that ended since opens no other."""
GAP_LEAST = 1.0
"""Seconds from one word "changed" to the next, else a quarter of those over which pages spread their questions: however
much happens, a page hears of it once in that time, but at once of its own match and of what it is to ask for sooner."""
MAX_AT_AN_ADDRESS = 1000
"""Streams that one address may have open in one process: a hall behind one router has hundreds."""
_open_at: Counter[str] = Counter()


@event_view("event.see", "GET")
def live(request: ActorRequest, tournament: Tournament) -> HttpResponse | StreamingHttpResponse:
    """GET …/live/?match=N: a stream of events `changed` and `beat` (Server-Sent Events) with the server's time in ms.

    `match` is that of a page about one match, which asks later after results of others. 204 where the server cannot
    stream, 503 where an address has too many open: the page asks by itself then.
    """
    address = request.META.get("REMOTE_ADDR", "")
    if not isinstance(request, ASGIRequest):
        return HttpResponse(status=204)
    if _open_at[address] >= MAX_AT_AN_ADDRESS:
        return HttpResponse(status=503, headers={"Retry-After": "60"})
    ear: Audience = "staff" if is_allowed("desk", request.actor, tournament) else "room"
    match = read_number(request.GET.get("match", ""))
    events = _events(Listener(request.actor, tournament.pk, tournament.stream, ear, match), address)
    headers = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)


async def _events(listener: Listener, address: str) -> AsyncIterator[str]:
    """What one page hears, until it closes, may not listen any more, or has listened for long enough."""
    hub, ends_at = hub_here(), time.monotonic() + LIFE * random.uniform(0.8, 1)  # noqa: S311 - jitter, no secret
    hub.join(listener)
    _open_at[address] += 1
    try:
        yield f"retry: {random.randint(2000, 6000)}\n\n"  # noqa: S311 - jitter, no secret
        while not listener.sent_away and time.monotonic() < ends_at:
            if not await listener.has_news(BEAT * 1.5):
                yield ": still here\n\n"
                continue
            words, (apart, looked_at) = "", listener.take()
            if apart is not None:
                spread = hub.spread(listener.stream, apart)
                words = _event("changed", time.time(), spread=spread)
            if looked_at is not None and not listener.sent_away:
                words += _event("beat", looked_at, spread=hub.spread(listener.stream))
            if words:
                yield words
            if apart is not None:
                await listener.has_news(max(GAP_LEAST, spread / 4000), sooner_than=apart)
    finally:
        hub.leave(listener)
        _open_at[address] -= 1
        if not _open_at[address]:
            del _open_at[address]


def _event(name: str, at: float, **more: int) -> str:
    return f"event: {name}\ndata: {json.dumps({'at': round(at * 1000), **more})}\n\n"
