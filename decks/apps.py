"""The decks app: the cards a site knows and the decks players bring."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DecksConfig(AppConfig):
    """Names the app for Django."""

    name = "decks"
    verbose_name = _("decks")
