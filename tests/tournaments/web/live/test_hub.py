"""Which open pages are told of what, how often, and how far apart they are to ask."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from accounts.actors import ANONYMOUS
from journal.live.notices import ChangeNotice
from tests.coroutines import run_coroutine
from tests.tournaments.factories import NOW, account, next_round, running, score, table
from tests.tournaments.web.visitors import browser, guest, url
from tournaments.results.services.reports import report_result
from tournaments.room.services.announcements import post_announcement
from tournaments.web.live import hub, stream
from tournaments.web.live.hub import ELSEWHERE, OWN, SPREAD_EACH, Hub, Listener

EVENT = "event:1"


@pytest.fixture
def play(monkeypatch) -> Callable[[Callable[[Hub], Awaitable[None]]], None]:
    """Runs a script with a hub that hears and looks at nothing by itself."""

    class Deaf:
        is_connected = True

        def follow(self, tell: object) -> None:
            pass

        leave = follow

    def run(script: Callable[[Hub], Awaitable[None]]) -> None:
        async def whole() -> None:
            monkeypatch.setattr(hub, "start_listening", Deaf)
            monkeypatch.setattr(hub.Hub, "_look", lambda self: asyncio.sleep(60))
            await script(hub.hub_here())

        run_coroutine(whole())

    return run


def page(match: int | None = None) -> Listener:
    return Listener(ANONYMOUS, 1, EVENT, "room", match)


@pytest.mark.parametrize(
    ("told", "of_own", "of_other", "of_event"),
    [
        ([None], 1, 1, 1),
        ([7], OWN, ELSEWHERE, 1),
        ([7, 8], OWN, OWN, 1),
        ([9, 9], ELSEWHERE, ELSEWHERE, 1),
        ([9, None], 1, 1, 1),
    ],
)
def test_results_of_others_are_told_at_leisure(told, of_own, of_other, of_event, play):
    async def script(here: Hub) -> None:
        pages = [page(7), page(8), page()]
        for each in pages:
            here.join(each)
        for about in told:
            here.tell(EVENT, "room", about)
        assert [each.take()[0] for each in pages] == [of_own, of_other, of_event]
        assert [each.take()[0] for each in pages] == [None, None, None]
        assert here.spread(EVENT, ELSEWHERE) == ELSEWHERE * here.spread(EVENT) == ELSEWHERE * 3 * SPREAD_EACH
        for each in pages:
            here.leave(each)

    play(script)


def words_heard(play: Callable[..., None], gap: float, monkeypatch: pytest.MonkeyPatch) -> list[dict]:
    """What one stream says of twenty changes within half a second: one is of the event, the last of the own match."""
    monkeypatch.setattr(stream, "GAP_LEAST", gap)
    heard = []

    async def script(here: Hub) -> None:
        follower = page(7)

        async def follow() -> None:
            async for word in stream._events(follower, "192.0.2.1"):
                if word.startswith("event: changed"):
                    heard.append(json.loads(word.partition("data: ")[2]))

        task = asyncio.create_task(follow())
        while not here.count(EVENT):
            await asyncio.sleep(0.01)
        for number in range(20):
            here.tell(EVENT, "room", {10: None, 19: 7}.get(number, 9))
            await asyncio.sleep(0.025)
        await asyncio.sleep(0.2)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    play(script)
    return heard


def test_a_page_hears_of_changes_once_in_a_while(play, monkeypatch):
    """But at once of what all are to see, and of the own match; with its control."""
    heard = words_heard(play, 60, monkeypatch)
    assert [each["spread"] for each in heard] == [ELSEWHERE * SPREAD_EACH, SPREAD_EACH, OWN]
    assert len(words_heard(play, 0, monkeypatch)) > 5


@pytest.mark.django_db
def test_only_results_are_about_a_match(django_capture_on_commit_callbacks):
    held = running(4)
    match = table(next_round(held), 2)
    with django_capture_on_commit_callbacks() as told:
        report_result(account("olive"), match, score(2, 0), NOW)
    assert ChangeNotice(held.stream, "room", match.pk) in told
    with django_capture_on_commit_callbacks() as told:
        post_announcement(account("olive"), held, "Lunch at one", NOW)
    assert ChangeNotice(held.stream, "room") in told


@pytest.mark.django_db
def test_the_page_of_the_own_match_follows_it():
    held = running(2)
    match = table(next_round(held))
    ada = guest(held, match.seats.first().entry.name)
    assert f'/live/?match={match.pk}"' in ada.get(url(held, "my/")).content.decode()
    assert '/live/"' in browser(account("olive")).get(url(held, "pairings/")).content.decode()
