"""Players without an account who turn out to have one."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import link_person_to_user
from accounts.models import Person, PersonalLink, User
from journal.transactions import in_transaction
from rules_engine.errors import Conflict
from tournaments.core.ledger import lock_tournament_of
from tournaments.entries.selectors.entries import plays_elsewhere
from tournaments.models import Entry, EntryMember
from tournaments.permissions import OVER


@in_transaction
def take_over_person(person: Person, user: User, actor: Actor, now: datetime, *, link: PersonalLink) -> Person:
    """What a person plays becomes the account's, see `link_person_to_user`.

    Conflict "entered_already" where the account has another entry in an event that isn't over and goes on here: nobody
    plays twice. Those events are locked first, as by whoever enters them.
    """
    playing = EntryMember.objects.filter(person=person).exclude(entry__state=Entry.State.WITHDRAWN)
    playing = playing.exclude(tournament__state__in=OVER).filter(tournament__moved_at=None)
    for tournament_id in sorted(playing.values_list("tournament", flat=True)):
        lock_tournament_of(tournament_id, even_moved=True)
    linked = link_person_to_user(person, user, actor, now, link=link)
    if twice := plays_elsewhere(playing).select_related("tournament").first():
        text = _("You play at %(event)s already, and nobody plays twice. Ask the organisers which entry to withdraw.")
        raise Conflict("entered_already", text % {"event": twice.tournament.name})
    return linked
