"""The WSGI application, for servers without ASGI."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.laptop")
application = get_wsgi_application()
