"""The journal in the admin site: to look at, and to retry failed messages."""

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from journal.clock import database_now
from journal.models import LedgerEntry, OutboxMessage
from journal.outbox.leases import is_free, retry_failed


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


class StateFilter(admin.SimpleListFilter):
    """How far background work is, with how many there are of each."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: "admin.ModelAdmin[OutboxMessage]") -> list[tuple[str, str]]:
        """The states, each with its count."""
        counted = {name: Count("pk", filter=condition) for name, condition in self._states().items()}
        counts = OutboxMessage.objects.filter(done_at=None).aggregate(**counted)
        return [*((name, f"{words} ({counts[name]})") for name, words in STATES.items()), ("done", str(_("done")))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[OutboxMessage]) -> QuerySet[OutboxMessage]:
        """Those of the chosen state."""
        conditions = {**self._states(), "done": Q(done_at__isnull=False)}
        return queryset.filter(conditions.get(str(self.value()), Q()))

    def _states(self) -> dict[str, Q]:
        now = database_now()
        return {
            "waiting": is_free(now),
            "held": Q(done_at=None, parked_at=None, leased_until__gt=now),
            "parked": Q(done_at=None, parked_at__isnull=False),
        }


STATES = {"waiting": _("waiting"), "held": _("being done, or tried again soon"), "parked": _("parked")}


@admin.register(OutboxMessage)
class OutboxMessageAdmin(ReadOnlyAdmin):
    """Background work that waits, is done, or failed."""

    list_display = ("created_at", "task", "stream", "worker", "starts", "done_at", "parked_at", "last_error")
    list_filter = (StateFilter, "task")
    actions = ("try_again",)

    @admin.action(description=_("Retry failed messages"), permissions=["view"])
    def try_again(self, request: HttpRequest, chosen: QuerySet[OutboxMessage]) -> None:
        """Unpark the chosen messages."""
        count = retry_failed(list(chosen.values_list("pk", flat=True)))
        messages.success(request, _("Messages to retry: %(count)s") % {"count": count})
