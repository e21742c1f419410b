"""The ASGI application that uvicorn serves, behind the limit of bodies and the queue of requests; its process hears of
every act, and does short background work itself while no worker does.
"""

import gc
import os
import sys

import django

gc.disable()  # until all is loaded, of which nothing goes: to look for what is left over took a seventh of the start
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.laptop")
django.setup(set_prefix=False)

from django.db import connection  # noqa: E402 (models are there once Django is set up)

import config.urls  # noqa: E402, F401 (all views are there before gc.freeze below)
from config.bodies import BodyLimit  # noqa: E402
from config.celery import app  # noqa: E402
from config.one_thread import SWITCH_SECONDS, OneThreadHandler  # noqa: E402
from config.request_queue import ACTS_ON_SQLITE, MAX_OF, RequestQueue, Worth  # noqa: E402
from journal.live.redis_listener import start_listening  # noqa: E402
from journal.outbox.fallback_worker import start_stand_ins  # noqa: E402

sys.setswitchinterval(SWITCH_SECONDS)
gc.collect()
gc.freeze()  # what is there once the site is loaded stays: Python need not look through it for what is left over
gc.enable()
acts = ACTS_ON_SQLITE if connection.vendor == "sqlite" else MAX_OF[Worth.ACT]
application = BodyLimit(RequestQueue(OneThreadHandler(), acts))
start_stand_ins(app)  # first: loading the tasks sets Django up again, which must not meet another thread's log handler
start_listening()
