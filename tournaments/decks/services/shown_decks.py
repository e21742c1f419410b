"""Lists that are shown to an opponent alone: who read one stands in the log."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from decks.models import DeckVersion
from journal.transactions import in_transaction
from rules_engine.errors import NotFound
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.decks.selectors.deck_checks import is_noted
from tournaments.decks.selectors.deck_view import deck_view
from tournaments.decks.selectors.decks import members_with_decks
from tournaments.decks.selectors.registered import about_member
from tournaments.models import EntryMember, Match, Tournament
from tournaments.permissions import member_of


def read_shown_deck(
    actor: Actor, tournament: Tournament, number: int, now: datetime, place: int = 1
) -> tuple[EntryMember, DeckVersion]:
    """A registered deck that the actor is shown; NotFound "unknown_deck" for hidden ones and none alike.

    `place` is that of its player in a team. That an opponent reads it stands in the log, and its owner is notified.
    """
    view = deck_view(actor, tournament, now)
    member = members_with_decks(tournament).filter(entry__number=number, order=place).first()
    if member is None or member.deck_version is None or not view.shows(member):
        raise NotFound("unknown_deck", _("This list doesn't exist or isn't open to you yet."))
    note_reading(actor, tournament, member, now)
    return member, member.deck_version


def note_reading(actor: Actor, tournament: Tournament, member: EntryMember, now: datetime) -> None:
    """Write down that an opponent is shown a member's list, once for each match, reader and version of the list.

    Nothing for one's own list, nor for one that everybody is shown.
    """
    own = member_of(actor, tournament)
    if (
        own is None
        or own.entry_id == member.entry_id
        or member.deck_version_id is None
        or tournament.decks_published_at
    ):
        return
    matches = Match.objects.filter(kind=Match.Kind.PLAYED, round__superseded_at=None, seats__entry=own.entry_id)
    match = matches.filter(seats__entry=member.entry_id).order_by("round__number").last()
    if match is None:
        return
    subjects = {
        **about_member(member),
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
