"""Entries in bulk, personal links and teams as JSON."""

from typing import Any

from rest_framework import serializers

from tournaments.entries.services.entries import MAX_MEMBERS

MAX_NUMBER, MAX_NUMBERS = 2**31 - 1, 500
MAX_TOKEN = 200


def numbers_field(help_text: str) -> serializers.ListField:
    """Numbers of entries, all of them unless given."""
    number = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER)
    return serializers.ListField(
        child=number, min_length=1, max_length=MAX_NUMBERS, required=False, help_text=help_text
    )


class CheckInSeveralSerializer(serializers.Serializer[Any]):
    """Who is there."""

    numbers = numbers_field("Numbers of entries; without them everybody is checked in.")


class CheckedInSerializer(serializers.Serializer[Any]):
    """How many were checked in, those not counted who were already."""

    checked_in = serializers.IntegerField()


class IssueLinksSerializer(serializers.Serializer[Any]):
    """Who is to get a personal link."""

    numbers = numbers_field("Numbers of entries; without them every entry.")


class IssuedLinkSerializer(serializers.Serializer[Any]):
    """A new personal link of one person of an entry."""

    number = serializers.IntegerField(help_text="The number of the entry.")
    member = serializers.IntegerField(help_text="The person's place in the entry, from 1.")
    name = serializers.CharField()
    path = serializers.CharField(help_text="The path of the personal link; shown once.")


class IssuedLinksSerializer(serializers.Serializer[Any]):
    """New personal links by name of the person; none for people with an account or a link."""

    links = IssuedLinkSerializer(many=True)


class LinkOfMemberSerializer(serializers.Serializer[Any]):
    """Whose link it is to be."""

    member = serializers.IntegerField(
        min_value=1, max_value=MAX_MEMBERS, default=1, help_text="The person's place in the entry, from 1."
    )


class RevokedLinksSerializer(serializers.Serializer[Any]):
    """How many links were revoked."""

    revoked = serializers.IntegerField()


class LinkMailsSerializer(serializers.Serializer[Any]):
    """Personal links by mail: who can get one, by numbers of entries, and what became of the mails of the last days."""

    can_mail = serializers.BooleanField(help_text="Whether this site sends mail at all.")
    linkless = serializers.ListField(
        child=serializers.IntegerField(), help_text="Entries with a mail address and no link: a mail goes to them."
    )
    linked = serializers.ListField(
        child=serializers.IntegerField(), help_text="Entries with a link already: they get a new one if you `renew`."
    )
    unreachable = serializers.IntegerField(help_text="How many have neither link nor mail address.")
    sent = serializers.IntegerField()
    waiting = serializers.IntegerField()
    failed = serializers.IntegerField()


class MailLinksSerializer(serializers.Serializer[Any]):
    """Who gets a mail."""

    renew = serializers.BooleanField(
        default=False, help_text="Also mail a new link to those who have one; the old one ends."
    )


class MailedLinksSerializer(serializers.Serializer[Any]):
    """How many mails are on their way."""

    mailed = serializers.IntegerField()


class NewMemberSerializer(serializers.Serializer[Any]):
    """One more member of a team."""

    name = serializers.CharField(max_length=120)


class ChangeMemberSerializer(serializers.Serializer[Any]):
    """What can be corrected of a member; whatever is left out stays."""

    name = serializers.CharField(max_length=120, required=False)
    email = serializers.EmailField(max_length=254, required=False, allow_blank=True)


class RemoveMemberSerializer(serializers.Serializer[Any]):
    """Who is meant: by now the place can be another member's."""

    name = serializers.CharField(max_length=120, help_text="The member's name, as the entry lists it.")


class TeamLinkSerializer(serializers.Serializer[Any]):
    """The link by which others join your team; both empty where nobody can now."""

    token = serializers.CharField(allow_blank=True, help_text="What others send to join.")
    path = serializers.CharField(allow_blank=True, help_text="The path of its page for a browser.")


class JoinTeamSerializer(serializers.Serializer[Any]):
    """The link of a team."""

    token = serializers.CharField(max_length=MAX_TOKEN, help_text="The end of the team's link.")
