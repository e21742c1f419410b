"""Settings of the test suite; ./test hands over real servers through DATABASE_URL and REDIS_URL."""

import os

from config.settings.base import *  # noqa: F403
from config.settings.base import CACHES, DATABASES, REDIS_URL, VAR_DIR
from config.settings.servers import broker_url, cache_url, database_number, with_database

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's second thread would be copied by tests that fork

SECRET_KEY = "tests-only"  # noqa: S105
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
REGULAR_WORK = {}
DURABLE_COMMITS = False
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
if folder := os.environ.get("DOOMDESK_MAIL_FOLDER"):  # for processes of their own, whose memory no test reads
    EMAIL_BACKEND, EMAIL_FILE_PATH = "django.core.mail.backends.filebased.EmailBackend", folder
    PUBLIC_ADDRESS = "http://shop.test"
PAGE_HOLD_SECONDS = float(os.environ.get("DOOMDESK_PAGE_HOLD") or 0)
PUSH_TO_LOOPBACK = bool(os.environ.get("DOOMDESK_PUSH_TO_LOOPBACK"))

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # a real file: an in-memory database knows no WAL
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    if DATABASES["default"]["NAME"] == ":memory:":
        DATABASES["default"]["NAME"] = str(VAR_DIR / "memory.sqlite3")
    DATABASES["default"]["TEST"] = {"NAME": f"{DATABASES['default']['NAME']}-test"}

worker = int((os.environ.get("PYTEST_XDIST_WORKER") or os.environ.get("DOOMDESK_WORKER", "gw0")).removeprefix("gw"))
REDIS_URL = with_database(REDIS_URL, database_number(REDIS_URL) + 2 * worker)
CACHES["default"]["LOCATION"] = cache_url(REDIS_URL)
CELERY_BROKER_URL = broker_url(REDIS_URL)
