"""Many entries at once: check-in, personal links on paper and by mail, a table of all."""

from typing import ClassVar

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.downloads import table_download
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.entry_links import (
    CheckedInSerializer,
    CheckInSeveralSerializer,
    IssuedLinksSerializer,
    IssueLinksSerializer,
    LinkMailsSerializer,
    MailedLinksSerializer,
    MailLinksSerializer,
    RevokedLinksSerializer,
)
from tournaments.entries.selectors.entries import entries_of, members_by_entry
from tournaments.entries.selectors.pairing_constraints import byes_by_entry
from tournaments.entries.services import desk_entries as services
from tournaments.entries.services.link_mails import can_mail_links, link_mail_counts, link_recipients, mail_links
from tournaments.events.exports import entries_table


class ManyEntriesViewSet(EventViewSet):
    """Entries in bulk."""

    resource = "entries"
    access_rules: ClassVar = {
        "csv": "entries.manage",
        "check_in_several": "entries.check_in",
        **dict.fromkeys(("personal_links", "link_mails", "mail_links"), "entries.links"),
    }

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def csv(self, request: Request, slug: str) -> HttpResponse:
        """Everybody entered as a CSV file, with club, team, byes and members."""
        table = entries_table(entries_of(self.event), byes_by_entry(self.event), members_by_entry(self.event))
        return table_download(f"{slug}-entries", table, marked=False)

    @extend_schema(request=CheckInSeveralSerializer, responses=CheckedInSerializer)
    def check_in_several(self, request: Request, slug: str) -> Response:
        """Check in several entries before the start, all or none of them; or everybody."""
        numbers = self.read(CheckInSeveralSerializer).get("numbers")
        count = services.check_in_all(self.actor, self.event, self.now, numbers=numbers)
        return self.answer(CheckedInSerializer, {"checked_in": count})

    @extend_schema(request=IssueLinksSerializer, responses={201: IssuedLinksSerializer})
    def personal_links(self, request: Request, slug: str) -> Response:
        """New personal links for everybody who has neither one nor an account, or for some of them; shown once."""
        numbers = self.read(IssueLinksSerializer).get("numbers")
        issued = services.issue_missing_links(self.actor, self.event, self.now, numbers=numbers)
        links = [
            {
                "number": member.entry.number,
                "member": member.order,
                "name": member.person.name,
                "path": reverse("personal_link", args=[token]),
            }
            for member, token in issued
        ]
        return self.answer_secret(IssuedLinksSerializer, {"links": links}, 201)

    @extend_schema(responses=LinkMailsSerializer)
    def link_mails(self, request: Request, slug: str) -> Response:
        """Who can get a personal link by mail, and which mails were sent."""
        found = link_recipients(self.actor, self.event)
        value = {
            "can_mail": can_mail_links(self.event),
            "linkless": sorted({member.entry.number for member in found.linkless}),
            "linked": sorted({member.entry.number for member in found.linked}),
            "unreachable": found.unreachable,
            **link_mail_counts(self.event),
        }
        return self.answer(LinkMailsSerializer, value)

    @extend_schema(request=MailLinksSerializer, responses=MailedLinksSerializer)
    def mail_links(self, request: Request, slug: str) -> Response:
        """Email a new personal link to everybody with an address and no link."""
        renew = self.read(MailLinksSerializer)["renew"]
        count = mail_links(self.actor, self.event, self.now, renew=renew)
        return self.answer(MailedLinksSerializer, {"mailed": count})


class EntryLinksViewSet(EventViewSet):
    """The personal links of one entry."""

    resource = "entries"
    access_rules: ClassVar = {"revoke_links": "entries.links"}

    @extend_schema(request=None, responses=RevokedLinksSerializer)
    def revoke_links(self, request: Request, slug: str, number: int) -> Response:
        """Revoke every personal link of the entry's people to this event."""
        count = services.revoke_entry_links(self.actor, self.find_entry(), self.now)
        return self.answer(RevokedLinksSerializer, {"revoked": count})
