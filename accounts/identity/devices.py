"""Which browser at which address acts, as a word that tells neither: the same on one day, another on the next."""

from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

LENGTH = 16


def device_of(request: HttpRequest) -> str:
    """16 hexadecimal digits; equal ones came from one address (that of the trusted proxy's client) and one browser."""
    values = (
        timezone.now().date().isoformat(),
        request.META.get("REMOTE_ADDR", ""),
        request.headers.get("User-Agent", ""),
    )
    return salted_hmac("accounts.identity.devices", "\n".join(values), algorithm="sha256").hexdigest()[:LENGTH]
