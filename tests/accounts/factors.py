"""A site admin's session after the code of a second factor, without the way there."""

import time

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User


def prove(client: Client, user: User) -> Client:
    """Give a signed-in browser what signing in with a code leaves in its session; the account gets a factor for it."""
    factor = Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "A" * 32})
    session = client.session
    proof = {"method": "mfa", "at": time.time(), "id": factor.pk, "type": "totp"}
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [proof]
    session[f"{AUTHENTICATION_METHODS_SESSION_KEY}_user"] = str(user.pk)
    session.save()
    return client
