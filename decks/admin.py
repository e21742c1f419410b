"""Decks in the admin site: what readers of the rules did not find."""

from django.contrib import admin

from decks.models import MissedSearch
from journal.admin import ReadOnlyAdmin


@admin.register(MissedSearch)
class MissedSearchAdmin(ReadOnlyAdmin):
    """Words that no clause has, those looked up most often first: what the index or a clause should say."""

    list_display = ("words", "game", "count", "last_on")
    list_filter = ("game",)
    search_fields = ("words",)
