"""Players who let everybody see a profile, and the account of whoever asks."""

from typing import ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.link_throttle import count_miss
from accounts.http.requests import acting, own_account
from accounts.http.viewsets import ApiViewSet
from accounts.identity.services import find_personal_link, person_of, rename_account, set_profile_shown
from accounts.models import User
from journal.transactions import in_transaction
from rules_engine.errors import DomainError, NotFound
from tournaments.api.serializers.facts import (
    AccountSerializer,
    EraseSerializer,
    GuestSerializer,
    ProfileSerializer,
    TakeGuestSerializer,
)
from tournaments.entries.selectors.entries import find_guest, guests_of
from tournaments.entries.services.accounts import give_person_back, take_over_person
from tournaments.privacy.selectors import held_on
from tournaments.privacy.services import erase_own, own_name
from tournaments.statistics.selectors.profiles import find_profile, profile_of


class ProfilesViewSet(ApiViewSet):
    """Players over all events."""

    resource = "players"
    access_rules: ClassVar = {"retrieve": "public"}

    @extend_schema(responses=ProfileSerializer)
    def retrieve(self, request: Request, player_id: str) -> Response:
        """Public events that are over, records against others, the estimated strength: of who lets everybody see it."""
        return self.answer(ProfileSerializer, profile_of(find_profile(player_id)))


class AccountViewSet(ApiViewSet):
    """The caller's own account."""

    resource = "me"
    access_rules: ClassVar = {
        "retrieve": "signed_in",
        "partial_update": "signed_in",
        "data": "known",
        "erase": "known",
    }

    @property
    def account(self) -> User:
        """The account that calls."""
        return own_account(acting(self.request._request))

    @extend_schema(responses=AccountSerializer)
    def retrieve(self, request: Request) -> Response:
        """Your account."""
        return self._answer(self.account)

    @extend_schema(request=AccountSerializer, responses=AccountSerializer)
    def partial_update(self, request: Request) -> Response:
        """Correct the name that others read; show your profile or hide it."""
        return self._answer(self._change(**self.read(AccountSerializer, partial=True)))

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def data(self, request: Request) -> Response:
        """Everything that is held on you, by part, and what was left out and why; by personal link, too."""
        return Response(held_on(self.actor))

    @extend_schema(request=EraseSerializer, responses={204: None})
    def erase(self, request: Request) -> Response:
        """Erase yourself for good; your results stay under a pseudonym. Asks for the name once more.

        A player without an account does it by personal link, which ends with it.
        """
        if self.read(EraseSerializer)["username"] != own_name(self.actor):
            raise DomainError("wrong_name", _("Type your name to erase your data."), field="username")
        erase_own(self.actor, self.now)
        return Response(status=204)

    @in_transaction
    def _change(self, name: str | None = None, *, shows_profile: bool | None = None) -> User:
        user = self.account
        if name is not None:
            user = rename_account(user, name, self.actor, self.now)
        if shows_profile is not None:
            user = set_profile_shown(user, self.actor, self.now, shown=shows_profile)
        return user

    def _answer(self, user: User) -> Response:
        return self.answer(AccountSerializer, user, player=person_of(user, self.now).public_id)


class GuestsViewSet(ApiViewSet):
    """Players without an account who turned out to be the caller."""

    resource = "guests"
    access_rules: ClassVar = dict.fromkeys(("list", "take_over", "give_back"), "signed_in")

    @extend_schema(responses=GuestSerializer(many=True))
    def list(self, request: Request) -> Response:
        """The guests whom your account took over, with what they are entered in."""
        return self.answer_page(GuestSerializer, guests_of(own_account(acting(request._request))))

    @extend_schema(request=TakeGuestSerializer, responses={201: GuestSerializer})
    def take_over(self, request: Request) -> Response:
        """Make a guest's events yours, by the guest's personal link, which ends with it."""
        user = own_account(acting(request._request))
        try:
            link = find_personal_link(self.read(TakeGuestSerializer)["link"], self.now)
        except NotFound:
            count_miss(request._request)
            raise
        take_over_person(link.person, user, self.actor, self.now, link=link)
        return self.answer(GuestSerializer, find_guest(user, link.person.public_id), 201)

    @extend_schema(responses={204: None})
    def give_back(self, request: Request, player_id: str) -> Response:
        """Undo that your account took a guest over: a player without an account again, with the guest's events."""
        user = own_account(acting(request._request))
        give_person_back(find_guest(user, player_id).person, user, self.actor, self.now)
        return Response(status=204)
