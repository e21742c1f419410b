"""Accounts in the admin site; persons and links are changed by services only."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from accounts.models import Person, User

admin.site.register(User, UserAdmin)


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Persons, to look at."""

    list_display = ("name", "user", "created_at", "erased_at")
    search_fields = ("name", "user__username")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody: `create_person` does."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        """Nobody."""
        return False
