"""Settings shared by every way of running Doomdesk."""

import os
from pathlib import Path

from config.settings.api import *  # noqa: F403 (settings of the API)
from config.settings.servers import broker_url, cache_url, database
from config.settings.values import log_level, number, refuse_unknown, switch
from journal.live.breaker import PATIENCE
from launch.places import ROOT, embedded_redis_url, var_dir

refuse_unknown(os.environ)

BASE_DIR = ROOT
VAR_DIR = var_dir()

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "corsheaders",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "rest_framework",
    "csp",
    "config.apps.DoomdeskConfig",
    "accounts",
    "journal",
    "decks",
    "scoring",
    "tournaments",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "config.compression.CompressionMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.static_files.StaticFilesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.http.middleware.ActorMiddleware",
    "tournaments.web.table_page.table_session.TableCodeMiddleware",
    "config.access.DefaultDenyMiddleware",
    "config.errors.DomainErrorMiddleware",
    "config.fetched.FetchedFormMiddleware",
    "journal.idempotency.middleware.IdempotencyMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [  # what pages may say without loading it: translations, files, and every tag of ours
                "django.templatetags.i18n",
                "django.templatetags.static",
                "accounts.templatetags.own_link",
                "accounts.templatetags.qr",
                "accounts.templatetags.notifications",
                "decks.templatetags.charts",
                "decks.templatetags.decks",
                "decks.templatetags.rulebook",
                "journal.templatetags.keys",
                "tournaments.templatetags.live",
                "tournaments.templatetags.names",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.encryption.is_unencrypted",
            ],
        },
    },
]

DATABASES = {"default": database(os.environ.get("DATABASE_URL", ""), VAR_DIR)}

DURABLE_COMMITS = not switch("DOOMDESK_UNSAFE_POSTGRES")
"""Whether a PostgreSQL that may lose a commit is refused (`config.checks`): that of tests writes to no disk."""

REDIS_URL = os.environ.get("REDIS_URL") or embedded_redis_url(VAR_DIR)
"""The queue and the messages between processes; the cache takes the next database number."""
CACHES = {
    "default": {
        "BACKEND": "config.cache.SturdyCache",
        "LOCATION": cache_url(REDIS_URL),
        "KEY_PREFIX": "cache",
        "KEY_FUNCTION": "config.cache.key_of_this_code",
        "OPTIONS": {"SOCKET_CONNECT_TIMEOUT": PATIENCE, "SOCKET_TIMEOUT": PATIENCE},
    }
}

CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 300,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 2,
    "socket_connect_timeout": 2,
    "health_check_interval": 25,
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 120
CELERY_TASK_ROUTES = {
    "tournaments.push_pairing": {"queue": "pushes"},
    "tournaments.call_webhook": {"queue": "pushes"},
}
"""What goes to servers of others has workers of its own: they may take their time on purpose."""
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_RESULT_EXPIRES = 3600
LOST_AFTER = number("DOOMDESK_LOST_AFTER", 15.0)
"""Seconds after which background work may be taken for lost: short work begun, any work delivered and not begun."""
STAND_IN_AFTER = number("DOOMDESK_STAND_IN_AFTER", 15.0)
"""Seconds without a worker after which a web process does short background work itself; 0: never."""

LEDGER_CONTENTS = ("decks.selectors.contents", "scoring.sheets.contents", "tournaments.core.contents")
"""Modules that know the rows to whose contents the entries of the ledger commit (`journal.ledger.contents`)."""

STORED_CARDS = "decks.selectors.cards.cards_of"
"""What answers the cards of a game that this site keeps, for sheets (scoring/sheets/forms/stored_cards.py)."""

OWN_EVENTS = "tournaments.events.selectors.events.own_event_names"
"""What answers the events of an account, which an API token can be for (`accounts.identity.selectors.own_events`)."""

LIVE_BEAT = number("DOOMDESK_LIVE_BEAT", 10.0)
"""Seconds between two looks at the database for all open pages: for what Redis did not tell, and who may not listen."""

PAGE_HOLD_SECONDS = 2.0
"""For how long what many read is shown again before it is built anew (`tournaments.web.live.shelf`); 0: never."""

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_REDIRECT_URL = "/"
LOGIN_URL = "account_login"
ACCOUNT_USER_DISPLAY = "accounts.identity.selectors.name_of"
ACCOUNT_ADAPTER = "accounts.identity.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.identity.forms.SignInForm",
    "signup": "accounts.identity.forms.SignUpForm",
    "change_password": "accounts.identity.forms.PasswordForm",
    "reset_password_from_key": "accounts.identity.forms.ForgottenPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}  # our adapter also knows mail addresses that were proved
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_PREVENT_ENUMERATION = "strict"  # an address that a person merely claims is not taken for its owner
# Tries to sign in are counted by accounts.identity.guesses; "login_failed" is left for the codes of a second factor,
# which only whoever typed the right password is asked for.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": "10/15m/key"}
MFA_ADAPTER = "accounts.identity.adapter.FactorAdapter"
MFA_FORMS = {
    "authenticate": "accounts.identity.forms.CodeForm",
    "reauthenticate": "accounts.identity.forms.CodeAgainForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an address that nobody proved signs nobody in, and keeps nobody from anything
MFA_TOTP_ISSUER = "Doomdesk"
MFA_TOTP_TOLERANCE = 1  # phones and laptops in a shop are half a minute apart; a code works once all the same
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_SESSION_REMEMBER = True
DOOMDESK_MAIL = switch("DOOMDESK_MAIL")
"""Whether this site can send mail; without it a new password comes by a link that a person hands out."""
ACCOUNT_EMAIL_VERIFICATION = "optional" if DOOMDESK_MAIL else "none"
EMAIL_TIMEOUT = 10
if not DOOMDESK_MAIL:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

WEBHOOKS_INSIDE = switch("DOOMDESK_WEBHOOKS_INSIDE")
"""Whether webhooks may call this machine and private networks, also without TLS: for a laptop, never where strangers
organise."""
PUSH_TO_LOOPBACK = False
"""Whether Web Push may go to this very machine: for tests with a push service of their own, never elsewhere."""

SHEET_VERSIONS = number("DOOMDESK_SHEET_VERSIONS", 30)
"""How often an hour a score sheet without an event may be filed; 0: without limit."""
SHEETS_KEPT = number("DOOMDESK_SHEETS_KEPT", 180)
"""Days after its last change for which a filed score sheet without an event is kept; 0: for good."""

COPIES = os.environ.get("DOOMDESK_COPIES", "")
REGULAR_WORK = {"tournaments.remove_contacts": 86400, **({"tournaments.write_copies": 120} if COPIES else {})}
"""A second folder for copies of events; tasks that the clock asks for, each every so many seconds."""

EVENTS_A_DAY = number("DOOMDESK_EVENTS_A_DAY", 0)
"""How many events and rehearsals an account may create a day, unless it is a site admin's; 0: without limit."""
LISTS_CONFIRMED_ONLY = switch("DOOMDESK_LISTS_CONFIRMED_ONLY")
"""Whether events of accounts that no site admin confirmed are left out of the start page and the API's list."""

HEAD_SECONDS = number("DOOMDESK_HEAD_SECONDS", 15.0)
"""For the head of a request, from the connection or its first byte on."""
BODY_SECONDS = number("DOOMDESK_BODY_SECONDS", 120.0)
"""For its body: 4 MiB over a poor phone line."""

PUBLIC_ADDRESS = ""
"""Where other devices reach a site that is opened as localhost; the launcher knows it."""

LANGUAGE_CODE = "en"
LANGUAGES = [("de", "Deutsch"), ("en", "English"), ("fr", "Français")]
"""Each by its own name; texts stand in locale/, checked against the code by tests/config/test_languages.py."""
TIME_ZONE = "UTC"
USE_TZ = True
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"

STATIC_URL = "/static/"
STATIC_ROOT: Path | None = None
STATICFILES_DIRS = [BASE_DIR / "static"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
SESSION_ENGINE = "accounts.identity.sessions"
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "object-src": ["'none'"],
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "config.logs.ScrubbingFormatter", "fmt": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": log_level("DOOMDESK_LOG")},
    "loggers": {"django": {"handlers": ["console"], "propagate": False}},
}
