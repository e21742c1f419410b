"""API tokens, read strictly: what is no token at all never reaches the database."""

import logging
from datetime import timedelta

from django.db import DatabaseError
from django.db.models.functions import Now
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import TokenNote

logger = logging.getLogger(__name__)

SCHEME = b"token"
USE_NOTED_EVERY = timedelta(minutes=10)
"""A token's last use is written down this often: a read of the API is not to cost a write each time."""


class StrictTokenAuthentication(TokenAuthentication):  # type: ignore[misc]
    """knox's `Authorization: Token …`, refusing any other header of that name, and anything but letters and digits."""

    def authenticate(self, request: Request | HttpRequest) -> tuple[object, object] | None:
        """(user, token row), None without the header; AuthenticationFailed "unknown_scheme", "authentication_failed".

        Whoever shows something means to be known: taken for a visitor, they would read 404 for a private event.
        """
        said = get_authorization_header(request).split()  # type: ignore[arg-type]
        if said and said[0].lower() != SCHEME:
            text = _("Invalid “Authorization” header. Send “Authorization: Token …” with an API token.")
            raise AuthenticationFailed(text, "unknown_scheme")
        pair: tuple[object, object] | None = super().authenticate(request)
        return pair

    def authenticate_credentials(self, token: bytes) -> tuple[object, object]:
        """(user, token row) of a raw token; AuthenticationFailed for one that is malformed, unknown or expired.

        So is one without a note, of which nobody said what it may do.
        """
        if not token.isalnum():
            raise AuthenticationFailed
        user, row = super().authenticate_credentials(token)
        try:
            _note_use(row.note)
        except TokenNote.DoesNotExist:
            raise AuthenticationFailed from None
        return user, row


def _note_use(note: TokenNote) -> None:
    used_at, now = note.last_used_at, timezone.now()
    if used_at is None or now - used_at > USE_NOTED_EVERY:
        try:
            TokenNote.objects.filter(pk=note.pk).update(last_used_at=Now())
        except DatabaseError as error:  # busy: whoever reads waits for nobody's write
            logger.info("the use of an API token is not noted: %s", error)
