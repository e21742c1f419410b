"""What the open page of a player's match announces: the same sentences as notifications and mails."""

from collections.abc import Iterator

from tournaments.decks.selectors.deck_states import DeckAtEvent
from tournaments.models import Entry, EntryMember, JudgeCall, Match, Tournament
from tournaments.notifications.words import (
    Notice,
    notice_for_seat,
    notice_of_conflict,
    notice_of_deck,
    notice_of_judge,
    notice_of_place,
)
from tournaments.web.shared.match_reporting import SeatReporting


def own_notices(
    tournament: Tournament,
    member: EntryMember,
    table: SeatReporting | None,
    call: JudgeCall | None,
    deck: DeckAtEvent | None,
) -> Iterator[Notice]:
    """All that is so now; the script of the page announces what was not so before (static/notices.js)."""
    if member.entry.state == Entry.State.REGISTERED:
        yield notice_of_place(tournament, member.entry)
    if deck is not None and deck.is_wrong:
        yield notice_of_deck(tournament, member)
    if table is None or table.seat is None or tournament.state != Tournament.State.RUNNING:
        return
    yield notice_for_seat(table.seat)
    if table.match.state == Match.State.CONFLICT:
        yield notice_of_conflict(tournament, table.match)
    if call is not None and call.state == JudgeCall.State.CLAIMED:
        yield notice_of_judge(tournament, call.pk)
