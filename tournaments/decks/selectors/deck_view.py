"""Whose lists a reader is shown: nobody's but the own, until the event's policy publishes them.

See docs/how-it-works/trust.md#d1 and #d3.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from decks.models import DeckVersion
from rules_engine.errors import NotAllowed, NotFound
from tournaments.core.rounds import rounds_of
from tournaments.decks.selectors.deck_ready import is_revealed, stacking_rule
from tournaments.decks.selectors.decks import PLAYING, has_deck
from tournaments.decks.selectors.drafts import makes_decks_at_tables, table_draft
from tournaments.models import EntryMember, Match, Round, Tournament
from tournaments.permissions import access_since, is_visible, issuer_plays, may_see_own_list, member_of

Publish = Tournament.DeckPublish


@dataclass(frozen=True, slots=True)
class DeckView:
    """The lists one reader is shown at one instant: everybody's, or those of some members."""

    everybody: bool = False
    members: frozenset[int] = frozenset()

    def shows(self, member: EntryMember) -> bool:
        """Whether this member's list is shown; a member without a deck has none to show."""
        playing = member.deck_version_id is not None and member.entry.state in PLAYING
        return playing and (self.everybody or member.pk in self.members)


def own_list(actor: Actor, member: EntryMember) -> DeckVersion:
    """Your registered list; NotFound "no_deck", NotAllowed "later_link" for who came after it was registered."""
    if member.deck_version is None:
        raise NotFound("no_deck", _("You have not registered a deck."))
    if not may_see_own_list(actor, member):
        raise NotAllowed(
            "later_link",
            _("Your link or account is newer than this deck, so its list is hidden."),
        )
    return member.deck_version


def may_see_deck(actor: Actor, tournament: Tournament, member: EntryMember, now: datetime) -> bool:
    """Whether the actor is shown a member's registered list at `now`, the database's time; denied unless allowed here.

    Judges get no more here than everybody else: they read by `services.deck_checks.read_deck`, which is logged.
    """
    return member.tournament_id == tournament.pk and deck_view(actor, tournament, now).shows(member)


def deck_view(actor: Actor, tournament: Tournament, now: datetime) -> DeckView:
    """Whose lists the actor is shown at `now`; a constant number of queries.

    What was published once is shown for good, whatever becomes of the event and its settings.
    """
    if not is_visible(actor, tournament):
        return DeckView()
    published_at = tournament.decks_published_at
    if published_at is not None and published_at <= now:
        return DeckView(everybody=True)
    own, policy = member_of(actor, tournament), tournament.deck_publish
    if own is None:
        return DeckView()
    members = _shown_opponents(actor, tournament, own, now) if policy == Publish.TO_OPPONENT else set()
    is_own_shown = may_see_own_list(actor, own)
    return DeckView(members=frozenset(members | {own.pk} if is_own_shown else members))


def shown_to_opponents(tournament: Tournament, round_: Round, only: Collection[int] | None = None) -> int:
    """In how many matches of a round players are shown each other's list, or how many of some matches by id.

    Three queries, none under other policies.
    """
    if tournament.deck_publish != Publish.TO_OPPONENT or round_.published_at is None:
        return 0
    matches = round_.matches.filter(
        kind=Match.Kind.PLAYED, seats__entry__members__deck_version__isnull=False
    ).distinct()
    matches = matches if only is None else matches.filter(pk__in=only)
    return sum(
        _has_begun(tournament, match)
        for match in matches.select_related("round").prefetch_related("placements", "seats")
    )


def _shown_opponents(actor: Actor, tournament: Tournament, own: EntryMember, now: datetime) -> set[int]:
    """Opponents in matches that have started, of a team every member, with the list they had then; three queries.

    Team-mates are no opponents: each shows their list or keeps it.
    """
    if tournament.state not in (Tournament.State.RUNNING, Tournament.State.FINISHED):
        return set()
    rounds = rounds_of(tournament).exclude(state=Round.State.PAIRED).filter(published_at__lte=now)
    matches = Match.objects.filter(kind=Match.Kind.PLAYED, round__in=rounds, seats__entry=own.entry_id)
    loaded = matches.select_related("round").prefetch_related("placements", "seats__entry__members")
    came = access_since(actor, own)
    begun = [match for match in loaded if _has_begun(tournament, match) and _came_before(came, match.round)]
    begun = [match for match in begun if not issuer_plays(actor, match)]
    drafted = makes_decks_at_tables(tournament)
    return {
        member.pk
        for match in begun
        for seat in match.seats.all()
        if seat.entry_id != own.entry_id
        for member in seat.entry.members.all()
        if _had_list(member, match.round, made_there=drafted)
    }


def _has_begun(tournament: Tournament, match: Match) -> bool:
    """A match begins with its round; where decks are stacked, once all are revealed, where they are drafted, once they
    are locked; a closed round was played.
    """
    if match.round.state == Round.State.CLOSED:
        return True
    draft = table_draft(tournament, match)
    return (draft is None or draft.is_over) and (stacking_rule(tournament) is None or is_revealed(match))


def _came_before(came: datetime | None, round_: Round) -> bool:
    return came is None or (round_.published_at is not None and came <= round_.published_at)


def _had_list(member: EntryMember, round_: Round, *, made_there: bool) -> bool:
    """Whether the list of now is the one of that round: registered before it was closed; one drafted there, in it."""
    if made_there and not has_deck(member, round_.published_at):
        return False
    if round_.closed_at is None:
        return True
    return member.deck_registered_at is not None and member.deck_registered_at <= round_.closed_at
