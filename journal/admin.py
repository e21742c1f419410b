"""The journal in the admin site: to look at, and to give parked messages another try."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from journal.leases import unpark
from journal.models import LedgerEntry, OutboxMessage


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that nobody adds, changes or deletes by hand."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody."""
        return False


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    """What happened."""

    list_display = ("at", "stream", "sequence", "actor", "role", "act")
    search_fields = ("stream", "actor", "act")


@admin.register(OutboxMessage)
class OutboxMessageAdmin(ReadOnlyAdmin):
    """Background work that waits, is done, or is parked."""

    list_display = ("created_at", "task", "delivered_at", "attempts", "parked_at", "last_error")
    list_filter = ("task", ("parked_at", admin.EmptyFieldListFilter), ("delivered_at", admin.EmptyFieldListFilter))
    actions = ("try_again",)

    @admin.action(description=_("Try parked messages again"), permissions=["view"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[OutboxMessage]) -> None:
        """Unpark the chosen messages."""
        count = unpark(list(chosen.values_list("pk", flat=True)))
        messages.success(request, _("Messages to be tried again: %(count)s") % {"count": count})
