"""Teams: members added and removed by staff, and the link by which players join a team."""

from typing import ClassVar

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.access import check_access
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.entries import EntrySerializer
from tournaments.api.serializers.entry_links import (
    ChangeMemberSerializer,
    JoinTeamSerializer,
    NewMemberSerializer,
    RemoveMemberSerializer,
    TeamLinkSerializer,
)
from tournaments.entries.selectors.teams import team_token
from tournaments.entries.services.members import add_member, change_member, join_team, remove_member
from tournaments.models import EntryMember


class TeamsViewSet(EventViewSet):
    """Members of teams."""

    resource = "entries"
    access_rules: ClassVar = {
        **dict.fromkeys(("add_member", "change_member", "remove_member"), "entries.manage"),
        "join": "entries.sign_up",
    }

    @extend_schema(request=NewMemberSerializer, responses={201: EntrySerializer})
    def add_member(self, request: Request, slug: str, number: int) -> Response:
        """Add a member to a team before the start: a new person, who sits last."""
        member = add_member(self.actor, self.find_entry(), self.read(NewMemberSerializer)["name"], self.now)
        return self._answer(member)

    @extend_schema(request=ChangeMemberSerializer, responses=EntrySerializer)
    def change_member(self, request: Request, slug: str, number: int, place: int) -> Response:
        """Correct the name of a member without an account or, for those who create links, the email."""
        entry, values = self.find_entry(), self.read(ChangeMemberSerializer)
        if "email" in values:
            check_access("entries.links", self.actor, self.event)
        change_member(self.actor, entry, place, self.now, **values)
        return self.answer(EntrySerializer, entry)

    @extend_schema(request=RemoveMemberSerializer, responses=EntrySerializer)
    def remove_member(self, request: Request, slug: str, number: int, place: int) -> Response:
        """Take a member out of a team before the start; those behind move up by a place."""
        name = self.read(RemoveMemberSerializer)["name"]
        return self.answer(EntrySerializer, remove_member(self.actor, self.find_entry(), place, name, self.now))

    @extend_schema(request=JoinTeamSerializer, responses={201: EntrySerializer})
    def join(self, request: Request, slug: str) -> Response:
        """Join a team by its link while registration is open."""
        token = self.read(JoinTeamSerializer)["token"]
        return self._answer(join_team(self.actor, self.event, token, self.own_person(), self.now))

    def _answer(self, member: EntryMember) -> Response:
        return self.answer(EntrySerializer, member.entry, 201)


class OwnTeamViewSet(EventViewSet):
    """The caller's own team."""

    resource = "my_team"
    access_rules: ClassVar = {"retrieve": "entry.own"}

    @extend_schema(responses=TeamLinkSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """The link by which others join your team while registration is open."""
        token = team_token(self.event, self.own_member())
        path = reverse("join_team", args=[slug, token]) if token else ""
        return self.answer_secret(TeamLinkSerializer, {"token": token, "path": path})
