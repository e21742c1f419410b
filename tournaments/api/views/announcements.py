"""What the room is told: read by everybody who sees the event, posted and withdrawn by officials."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.announcements import AnnouncementSerializer, NewAnnouncementSerializer
from tournaments.room.selectors.announcements import announcements_of, find_announcement
from tournaments.room.services.announcements import post_announcement, withdraw_announcement


class AnnouncementsViewSet(EventViewSet):
    """Announcements of an event."""

    resource = "announcements"
    access_rules: ClassVar = {"list": "event.see", "create": "announce", "withdraw": "announce"}

    @extend_schema(responses=AnnouncementSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """The announcements that stand, newest first."""
        return self.answer_page(AnnouncementSerializer, announcements_of(self.event))

    @extend_schema(request=NewAnnouncementSerializer, responses={201: AnnouncementSerializer})
    def create(self, request: Request, slug: str) -> Response:
        """Tell the room: it stands on every page and screen until it is withdrawn."""
        posted = post_announcement(self.actor, self.event, now=self.now, **self.read(NewAnnouncementSerializer))
        return self.answer(AnnouncementSerializer, posted, 201)

    @extend_schema(request=None, responses=AnnouncementSerializer)
    def withdraw(self, request: Request, slug: str, announcement_id: int) -> Response:
        """Take an announcement off every page and screen."""
        found = find_announcement(self.event, announcement_id)
        return self.answer(AnnouncementSerializer, withdraw_announcement(self.actor, found, self.now))
