"""A site on the internet behind TLS; every secret and name comes from the environment or it does not start."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config.settings.base import *  # noqa: F403
from config.settings.base import VAR_DIR
from config.settings.values import number, switch


def required(name: str) -> str:
    """The value of an environment variable; raises ImproperlyConfigured when it is missing or empty."""
    value = os.environ.get(name, "").strip()
    if not value:
        raise ImproperlyConfigured(f"Set {name} in the environment: the production settings do not start without it.")
    return value


def listed(name: str) -> list[str]:
    """The comma-separated values of a required environment variable."""
    return [value.strip() for value in required(name).split(",") if value.strip()]


SECRET_KEY = required("SECRET_KEY")
if len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 5:
    raise ImproperlyConfigured("SECRET_KEY is too weak: use at least 50 random characters.")
ALLOWED_HOSTS = listed("ALLOWED_HOSTS")
if any(host in {"*", "."} for host in ALLOWED_HOSTS):
    raise ImproperlyConfigured("ALLOWED_HOSTS must name the site's hosts; a wide-open * is refused.")
CSRF_TRUSTED_ORIGINS = listed("CSRF_TRUSTED_ORIGINS")
if not all(origin.startswith("https://") for origin in CSRF_TRUSTED_ORIGINS):
    raise ImproperlyConfigured("CSRF_TRUSTED_ORIGINS must be https:// addresses.")
if "*" in os.environ.get("FORWARDED_ALLOW_IPS", ""):  # whoever reaches the port could name any address as the own
    raise ImproperlyConfigured("FORWARDED_ALLOW_IPS must name the proxy's addresses; a wide-open * is refused.")
required("DATABASE_URL")
required("REDIS_URL")

EVENTS_A_DAY = number("DOOMDESK_EVENTS_A_DAY", 20)
LISTS_CONFIRMED_ONLY = switch("DOOMDESK_LISTS_CONFIRMED_ONLY", default=True)

SECURE_SSL_REDIRECT = True
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
STATIC_ROOT = Path(os.environ.get("DOOMDESK_STATIC_ROOT") or VAR_DIR / "staticfiles")
"""The launcher gathers the files elsewhere first."""
