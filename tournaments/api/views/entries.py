"""Entries: walk-ins, sign-up, check-in, drop and return, personal links; clubs, byes, and what entries need."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.db.models import prefetch_related_objects
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.entries import (
    ByeSerializer,
    ByesSerializer,
    ChangeEntrySerializer,
    EnteredSerializer,
    EntrySerializer,
    FixedTableSerializer,
    GivenByesSerializer,
    KeepApartSerializer,
    NeedsSerializer,
    OtherSerializer,
    OwnNeedsSerializer,
    PersonalLinkSerializer,
    PrivateNeedsSerializer,
    SignUpSerializer,
    WalkInsSerializer,
)
from tournaments.api.serializers.entry_links import LinkOfMemberSerializer
from tournaments.api.serializers.queries import AskedEntriesSerializer, given
from tournaments.entries.selectors.entries import called, know_as_single, with_people
from tournaments.entries.selectors.pairing_constraints import byes_of, kept_apart_from, own_needs
from tournaments.entries.services import attendance
from tournaments.entries.services import entries as services
from tournaments.entries.services import pairing_constraints as needs_services
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.models import Entry
from tournaments.permissions import check_scope


class EntriesViewSet(EventViewSet):
    """The entries of an event."""

    resource = "entries"
    access_rules: ClassVar = {"list": "event.see", "create": "entries.manage", "sign_up": "entries.sign_up"}
    queries: ClassVar = {"list": AskedEntriesSerializer}

    @extend_schema(responses=EntrySerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Who takes part, by number."""
        asked = self.query
        found = self.visible_entries().filter(**given(asked, "state"))
        if asked["q"]:
            found = found.filter(called(self.event, asked["q"]))
        if asked["checked_in"] is not None:
            found = found.filter(checked_in_at__isnull=not asked["checked_in"])
        return self.answer_page(EntrySerializer, found.order_by(asked["order"], "number") if asked["order"] else found)

    @extend_schema(request=WalkInsSerializer, responses={201: EnteredSerializer})
    def create(self, request: Request, slug: str) -> Response:
        """Enter one or many walk-ins, each a new person; above the capacity they wait."""
        drafts = [services.EntryDraft(**values) for values in self.read(WalkInsSerializer)["entries"]]
        entries = services.register_walk_ins(self.actor, self.event, drafts, self.now)
        teams = [entry for entry, draft in zip(entries, drafts, strict=True) if draft.members]
        prefetch_related_objects(teams, with_people())
        know_as_single(set(entries).difference(teams))
        return self.answer(EnteredSerializer, {"entries": entries}, 201)

    @extend_schema(request=SignUpSerializer, responses={201: EntrySerializer})
    def sign_up(self, request: Request, slug: str) -> Response:
        """Enter yourself while registration is open; not by the personal link of another event."""
        check_scope(self.actor, self.event)
        values = self.read(SignUpSerializer)
        entry = services.sign_up(self.actor, self.event, self.own_person(), self.now, **values)
        return self.answer(EntrySerializer, entry, 201)


class EntryViewSet(EventViewSet):
    """One entry."""

    resource = "entries"
    access_rules: ClassVar = {
        "retrieve": "event.see",
        **dict.fromkeys(("check_in", "undo_check_in"), "entries.check_in"),
        **dict.fromkeys(("seen", "drop", "return_"), "entries.manage"),
        "personal_link": "entries.links",
        "partial_update": "entries.manage",
    }

    @extend_schema(responses=EntrySerializer)
    def retrieve(self, request: Request, slug: str, number: int) -> Response:
        """One entry."""
        return self.answer(EntrySerializer, self.find_entry())

    @extend_schema(request=ChangeEntrySerializer, responses=EntrySerializer)
    def partial_update(self, request: Request, slug: str, number: int) -> Response:
        """Correct the name, at once, or change club or team, from the next round that is paired."""
        return self._act(services.change_entry, **self.read(ChangeEntrySerializer))

    @extend_schema(request=None, responses=EntrySerializer)
    def check_in(self, request: Request, slug: str, number: int) -> Response:
        """Mark an entry as there, before the start."""
        return self._act(attendance.check_in_entry)

    @extend_schema(request=None, responses=EntrySerializer)
    def undo_check_in(self, request: Request, slug: str, number: int) -> Response:
        """Take a check-in back."""
        return self._act(attendance.check_in_entry, present=False)

    @extend_schema(request=None, responses=EntrySerializer)
    def seen(self, request: Request, slug: str, number: int) -> Response:
        """Log that you saw the player, while the event runs: *not seen* lists them no more this round."""
        return self._act(attendance.note_seen)

    @extend_schema(request=None, responses=EntrySerializer)
    def drop(self, request: Request, slug: str, number: int) -> Response:
        """Take an entry out: withdrawn before the start, dropped afterwards; its results stay."""
        return self._act(attendance.drop_entry)

    @extend_schema(request=None, responses=EntrySerializer)
    def return_(self, request: Request, slug: str, number: int) -> Response:
        """Take a dropped or withdrawn entry back, or one in from the waiting list."""
        return self._act(attendance.return_entry)

    @extend_schema(request=LinkOfMemberSerializer, responses={201: PersonalLinkSerializer})
    def personal_link(self, request: Request, slug: str, number: int) -> Response:
        """A new personal link for the entry's player; shown once. Players with an account sign in instead."""
        member = self.read(LinkOfMemberSerializer)["member"]
        token = issue_entry_link(self.actor, self.find_entry(), self.now, member=member)
        return self.answer_secret(PersonalLinkSerializer, {"path": reverse("personal_link", args=[token])}, 201)

    def _act(self, service: Callable[..., Entry], **options: Any) -> Response:
        return self.answer(EntrySerializer, service(self.actor, self.find_entry(), self.now, **options))


class EntryByesViewSet(EventViewSet):
    """Byes given to an entry in rounds to come; the organiser gives them."""

    resource = "entry_byes"
    access_rules: ClassVar = {"retrieve": "entries.manage", **dict.fromkeys(("award", "take_back"), "entry.byes")}

    @extend_schema(responses=GivenByesSerializer)
    def retrieve(self, request: Request, slug: str, number: int) -> Response:
        """The rounds in which the entry was given a bye."""
        return self._answer(self.find_entry())

    @extend_schema(request=ByesSerializer, responses={201: GivenByesSerializer})
    def award(self, request: Request, slug: str, number: int) -> Response:
        """Give byes in rounds that are not paired yet."""
        entry = self.find_entry()
        needs_services.award_byes(self.actor, entry, self.read(ByesSerializer)["rounds"], self.now)
        return self._answer(entry, 201)

    @extend_schema(request=ByeSerializer, responses=GivenByesSerializer)
    def take_back(self, request: Request, slug: str, number: int) -> Response:
        """Take a bye back before its round is paired."""
        entry = self.find_entry()
        needs_services.take_bye_back(self.actor, entry, self.read(ByeSerializer)["round"], self.now)
        return self._answer(entry)

    def _answer(self, entry: Entry, status: int = 200) -> Response:
        return self.answer(GivenByesSerializer, {"rounds": byes_of(entry)}, status)


class EntryNeedsViewSet(EventViewSet):
    """What an entry needs: read and changed by officials alone, and in no other answer."""

    resource = "entry_needs"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "fix_table", "note", "keep_apart", "let_meet"), "entry.needs")

    @extend_schema(responses=NeedsSerializer)
    def retrieve(self, request: Request, slug: str, number: int) -> Response:
        """The fixed table, the private needs, and whom the entry never meets."""
        return self._answer(self.find_entry())

    @extend_schema(request=FixedTableSerializer, responses=NeedsSerializer)
    def fix_table(self, request: Request, slug: str, number: int) -> Response:
        """Give the entry a fixed table, or take it away."""
        table = self.read(FixedTableSerializer)["fixed_table"]
        return self._answer(needs_services.fix_table(self.actor, self.find_entry(), table, self.now))

    @extend_schema(request=PrivateNeedsSerializer, responses=NeedsSerializer)
    def note(self, request: Request, slug: str, number: int) -> Response:
        """Note what the entry needs of its place, its slips and the clock."""
        values = self.read(PrivateNeedsSerializer)
        return self._answer(needs_services.note_needs(self.actor, self.find_entry(), now=self.now, **values))

    @extend_schema(request=KeepApartSerializer, responses={201: NeedsSerializer})
    def keep_apart(self, request: Request, slug: str, number: int) -> Response:
        """Never pair the entry with another one."""
        entry, values = self.find_entry(), self.read(KeepApartSerializer)
        other = self.find_entry(values["other"])
        needs_services.keep_apart(self.actor, entry, other, values.get("reason", ""), self.now)
        return self._answer(entry, 201)

    @extend_schema(request=OtherSerializer, responses=NeedsSerializer)
    def let_meet(self, request: Request, slug: str, number: int) -> Response:
        """Let the entry meet another one again."""
        entry = self.find_entry()
        needs_services.let_meet(self.actor, entry, self.find_entry(self.read(OtherSerializer)["other"]), self.now)
        return self._answer(entry)

    def _answer(self, entry: Entry, status: int = 200) -> Response:
        needs = {
            "fixed_table": entry.fixed_table, "needs": entry.needs, "extra_minutes": entry.extra_minutes,
            "kept_apart": kept_apart_from(entry),
        }  # fmt: skip
        return self.answer_secret(NeedsSerializer, needs, status)


class OwnEntryViewSet(EventViewSet):
    """The caller's own entry."""

    resource = "my_entry"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "check_in", "drop", "needs"), "entry.own")

    @extend_schema(responses=EntrySerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """Your entry."""
        return self.answer(EntrySerializer, self.own_member().entry)

    @extend_schema(responses=OwnNeedsSerializer)
    def needs(self, request: Request, slug: str) -> Response:
        """Your fixed table and the byes given to you."""
        return self.answer(OwnNeedsSerializer, own_needs(self.actor, self.own_member()))

    @extend_schema(request=None, responses=EntrySerializer)
    def check_in(self, request: Request, slug: str) -> Response:
        """Check yourself in, from the event's opening time to its start."""
        entry = attendance.check_in_oneself(self.actor, self.own_member().entry, self.now)
        return self.answer(EntrySerializer, entry)

    @extend_schema(request=None, responses=EntrySerializer)
    def drop(self, request: Request, slug: str) -> Response:
        """Leave the event: before the start the place goes to the first in waiting; later your results stay."""
        return self.answer(EntrySerializer, attendance.drop_entry(self.actor, self.own_member().entry, self.now))
