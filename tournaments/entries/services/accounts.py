"""Players without an account who turn out to have one, or not to."""

from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import link_person_to_user, unlink_person
from accounts.models import Person, PersonalLink, User
from decks.models import Deck
from journal.transactions import in_transaction
from rules_engine.errors import Conflict
from tournaments.core.ledger import lock_tournament_of
from tournaments.entries.selectors.entries import plays_elsewhere
from tournaments.models import Entry, EntryMember, Role, Tournament
from tournaments.permissions import OVER


@in_transaction
def take_over_person(person: Person, user: User, actor: Actor, now: datetime, *, link: PersonalLink) -> Person:
    """What a person plays becomes the account's, see `link_person_to_user`.

    Conflict "entered_already" where the account has another entry in an event that isn't over and goes on here: nobody
    plays twice. Those events are locked first, as by whoever enters them.
    """
    playing = _lock_where_playing(person)
    linked = link_person_to_user(person, user, actor, now, link=link)
    if twice := plays_elsewhere(playing).select_related("tournament").first():
        text = _("You play at %(event)s already, and nobody plays twice. Ask the organisers which entry to withdraw.")
        raise Conflict("entered_already", text % {"event": twice.tournament.name})
    return linked


@in_transaction
def give_person_back(person: Person, user: User, actor: Actor, now: datetime) -> Person:
    """Undo `take_over_person`: what the guest plays is not the account's any more, see `unlink_person`.

    Conflict "staff_who_plays" where the account is on the staff of an event that has begun and isn't over, and in which
    the guest plays: who plays there stays known. Conflict "made_since" where the account made entries or decks as this
    guest.
    """
    playing = _lock_where_playing(person)
    begun = playing.exclude(tournament__state__in=(Tournament.State.DRAFT, Tournament.State.REGISTRATION))
    helping = Role.objects.filter(user=user, tournament__in=begun.values("tournament"))
    if (role := helping.select_related("tournament").first()) is not None:
        busy = _("You are on the staff of %(event)s, where %(name)s plays. Do it once the event is over.")
        raise Conflict("staff_who_plays", busy % {"event": role.tournament.name, "name": person.name})
    if person.linked_at is not None and _made_since(person, person.linked_at):
        text = _("You entered events or saved decks as %(name)s since. %(name)s has to stay.")
        raise Conflict("made_since", text % {"name": person.name})
    return unlink_person(person, user, actor, now)


def _made_since(person: Person, since: datetime) -> bool:
    """Whether somebody entered or saved a deck as this person after that moment, but for events entered before."""
    places = EntryMember.objects.filter(person=person)
    decks = Deck.objects.filter(owner=person, created_at__gt=since, hidden_at=None)
    used = places.exclude(deck_version=None).values("deck_version__deck")
    return places.filter(entry__registered_at__gt=since).exists() or decks.exclude(pk__in=used).exists()


def _lock_where_playing(person: Person) -> QuerySet[EntryMember]:
    """A person's places at events that aren't over and go on here, whose rows are locked as by whoever enters them."""
    playing = EntryMember.objects.filter(person=person).exclude(entry__state=Entry.State.WITHDRAWN)
    playing = playing.exclude(tournament__state__in=OVER).filter(tournament__moved_at=None)
    for tournament_id in sorted(playing.values_list("tournament", flat=True)):
        lock_tournament_of(tournament_id, even_moved=True)
    return playing
