"""What may be said of a registered deck: legal, not legal or missing, and to whom (docs/how-it-works/trust.md#access).

A verdict is its player's and the judges' to read. Everybody else on the staff sees that a deck is registered; so is
a player's link or account that came after the deck, which is not shown the list either.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from accounts.actors import Actor
from accounts.http.access import is_allowed
from accounts.identity.selectors import persons_of
from rules_engine.legality_report import Severity
from rules_engine.messages import Message
from tournaments.decks.selectors.decks import checks_decks, has_deck, may_register, newest_check, newest_verdicts
from tournaments.decks.selectors.drafts import decks_since
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.permissions import is_in_scope, may_see_own_list

ASKED = (Entry.State.REGISTERED, Entry.State.WAITING)
"""Whose deck still matters."""
OPEN = (Tournament.State.REGISTRATION, Tournament.State.RUNNING)


class DeckState(StrEnum):
    """How a deck is; REGISTERED to those who may not see more, UNCHECKED where nothing was there to judge it by."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    MISSING = "missing"
    REGISTERED = "registered"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class DeckAtEvent:
    """The viewer's own deck at an event: how it is, the first thing wrong with it, and what can be done about that.

    `is_allowed` says that a judge lets it be played although it is not legal.
    """

    state: DeckState
    reason: Message | None
    can_register: bool
    is_allowed: bool

    @property
    def is_wrong(self) -> bool:
        """Whether it is not legal, and no judge settled that."""
        return self.state == DeckState.ILLEGAL and not self.is_allowed


def own_deck(actor: Actor, tournament: Tournament, member: EntryMember | None, now: datetime) -> DeckAtEvent | None:
    """How the viewer's own deck is; None without a place that may still play, or where there are no decklists.

    One query where a deck is registered.
    """
    if member is None or member.entry.state not in ASKED or not checks_decks(tournament):
        return None
    shows_verdict = may_see_own_list(actor, member)
    since = decks_since(tournament)
    check = newest_check(member) if has_deck(member, since) and shows_verdict else None
    broken = check.as_verdict().report.violations if check else ()
    return DeckAtEvent(
        state_of(member, check.legal if check else None, shows_verdict=shows_verdict, since=since),
        next((each.message for each in broken if each.severity is Severity.ERROR), None),
        may_register(tournament, member, now),
        member.deck_allowed_at is not None,
    )


def deck_states(actor: Actor, tournament: Tournament, members: Iterable[EntryMember]) -> dict[int, DeckState]:
    """How the decks of some members are, by the id of the member, as far as the actor may see; one query for judges."""
    shows_verdict, found = is_allowed("deck.read", actor, tournament), list(members)
    verdicts = (
        newest_verdicts([each.deck_version_id for each in found if each.deck_version_id]) if shows_verdict else {}
    )
    since = decks_since(tournament)
    return {
        each.pk: state_of(each, verdicts.get(each.deck_version_id or 0), shows_verdict=shows_verdict, since=since)
        for each in found
    }


def own_deck_states(actor: Actor, tournaments: Iterable[Tournament]) -> dict[int, DeckState]:
    """How the viewer's decks are at events that are not over, by the id of the event; two queries."""
    open_ = {each.pk: each for each in tournaments if each.state in OPEN and is_in_scope(actor, each)}
    mine = EntryMember.objects.filter(tournament__in=open_, person__in=persons_of(actor), entry__state__in=ASKED)
    members = [each for each in mine.select_related("person") if checks_decks(open_[each.tournament_id])]
    verdicts = newest_verdicts([each.deck_version_id for each in members if each.deck_version_id])
    return {
        each.tournament_id: state_of(
            each,
            verdicts.get(each.deck_version_id or 0),
            shows_verdict=may_see_own_list(actor, each),
            since=decks_since(open_[each.tournament_id]),
        )
        for each in members
    }


def state_of(
    member: EntryMember, legal: bool | None, *, shows_verdict: bool = True, since: datetime | None = None
) -> DeckState:
    """How a member's deck is, with the newest verdict on it, shown to the viewer where `shows_verdict`.

    A deck registered before `since` (`decks_since`) was another round's, so that of now is missing.
    """
    if not has_deck(member, since):
        return DeckState.MISSING
    if not shows_verdict:
        return DeckState.REGISTERED
    return {True: DeckState.LEGAL, False: DeckState.ILLEGAL, None: DeckState.UNCHECKED}[legal]
