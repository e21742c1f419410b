"""Who acted by the code on a table, for work that an allowed act left for later."""

from accounts.actors import ANONYMOUS, Actor
from accounts.identity.selectors import actor_by_key
from tournaments.models import TableCode


def actor_of_code(code: TableCode, phone: str, device: str = "") -> Actor:
    """Who acts by a code on one device."""
    return Actor(
        None, None, "table", code.created_at, code.tournament.stream, code.pk, code.table_number, phone,
        issuer=code.issued_by_id or 0, device=device,
    )  # fmt: skip


def actor_of_key(key: str) -> Actor:
    """Whoever acted under an `Actor.key`, the code of a table included: for work that an allowed act left for later."""
    if not key.startswith("table:"):
        return actor_by_key(key)
    _kind, code_id, phone = key.split(":")
    code = TableCode.objects.select_related("tournament").filter(pk=code_id).first()
    return actor_of_code(code, phone) if code else ANONYMOUS
