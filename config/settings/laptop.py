"""One laptop in a shop: SQLite and an embedded Valkey under var/, on the shop's own network, with HTTPS on request."""

import os

from config.settings.base import *  # noqa: F403
from config.settings.base import VAR_DIR
from launch.signing import own_secret

SECRET_KEY = os.environ.get("SECRET_KEY") or own_secret(VAR_DIR)
ALLOWED_HOSTS = os.environ.get("DOOMDESK_HOSTS", "localhost,127.0.0.1,[::1]").split(",")
WHITENOISE_USE_FINDERS = True
PUBLIC_ADDRESS = os.environ.get("DOOMDESK_ADDRESS", "")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = os.environ.get("DOOMDESK_TLS") == "1"
