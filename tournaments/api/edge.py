"""What every view of the API about one event does: find the event, its entries, the caller's own place."""

from functools import cached_property
from typing import cast

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.http.viewsets import ApiViewSet
from accounts.identity.services import person_of
from accounts.models import Person
from rules_engine.errors import NotFound, needed
from tournaments.core.events import find_event
from tournaments.entries.selectors.entries import with_people
from tournaments.kept_answers import ask_once
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.permissions import is_on_staff, member_of


class EventViewSet(ApiViewSet):
    """A resource within one event, addressed by `slug`; its rules are asked about the event."""

    @cached_property
    def event(self) -> Tournament:
        """The event of the address; NotFound "unknown_event" for an unknown or hidden one alike."""
        found = find_event(self.actor, self.kwargs["slug"])
        return ask_once(found) if self.request.method == "GET" else found

    def get_access_object(self) -> Tournament:
        """What the access rules are asked about."""
        return self.event

    @property
    def is_staff(self) -> bool:
        """Whether the actor holds a staff role at this event."""
        return is_on_staff(self.actor, self.event)

    def visible_entries(self) -> QuerySet[Entry]:
        """The event's entries by number; only staff see who withdrew before the start and, but oneself, who waits."""
        entries = Entry.objects.filter(tournament=self.event).select_related("tournament")
        entries = entries.prefetch_related(with_people())
        if self.is_staff:
            return entries
        member, hidden = member_of(self.actor, self.event), (Entry.State.WITHDRAWN, Entry.State.WAITING)
        return entries.filter(~Q(state__in=hidden) | Q(pk=member.entry_id if member else None))

    def find_entry(self, number: int | None = None) -> Entry:
        """The entry of this number, else of the address; NotFound "unknown_entry"."""
        wanted = self.kwargs["number"] if number is None else number
        entry = self.visible_entries().filter(number=wanted).first()
        return needed(entry, NotFound("unknown_entry", _("This event has no such entry.")))

    def own_person(self) -> Person:
        """Who acts, by account or by personal link, where the rule asked for a person known."""
        user = self.actor.user
        return person_of(user, self.now) if user is not None else cast(Person, self.actor.person)

    def own_member(self) -> EntryMember:
        """The caller's own place in the event; NotFound "unknown_entry"."""
        member = member_of(self.actor, self.event)
        return needed(member, NotFound("unknown_entry", _("You are not entered in this event.")))
