"""Lists that are shown to an opponent alone: who read one stands in the log."""

from datetime import datetime

from accounts.actors import Actor
from journal.transactions import in_transaction
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.decks.selectors.deck_checks import is_noted
from tournaments.models import EntryMember, Match, Tournament
from tournaments.permissions import member_of


def note_reading(actor: Actor, tournament: Tournament, member: EntryMember, now: datetime) -> None:
    """Write down that an opponent is shown a member's list, once for each match, reader and version of the list.

    Nothing for the own list, nor for one that everybody is shown.
    """
    own = member_of(actor, tournament)
    if own is None or own.pk == member.pk or member.deck_version_id is None or tournament.decks_published_at:
        return
    matches = Match.objects.filter(kind=Match.Kind.PLAYED, round__superseded_at=None, seats__member=own)
    match = matches.filter(seats__member=member).order_by("round__number").last()
    if match is None:
        return
    subjects = {
        "entry": member.entry.number,
        "reader": own.entry.number,
        "match": match.pk,
        "version": member.deck_version_id,
    }
    if not is_noted(tournament, subjects):
        _note(actor, tournament, subjects, now)


@in_transaction
def _note(actor: Actor, tournament: Tournament, subjects: dict[str, int], now: datetime) -> None:
    tournament = lock_tournament(tournament)
    if not is_noted(tournament, subjects):
        log_act(tournament, "deck.shown_to_opponent", actor, now, subjects)
