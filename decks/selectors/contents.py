"""What the ledger's entries commit to of decks."""

from collections.abc import Collection, Mapping

from decks.models import DeckVersion
from journal.ledger.contents import Kind

_VERSION = ("deck_id", "number", "entries", "digest", "created_at")


def _versions(keys: Collection[str]) -> Mapping[str, object]:
    """Versions of decks by id: the cards, not the text they were entered as."""
    rows = DeckVersion.objects.filter(pk__in=keys).values_list("pk", *_VERSION)
    return {str(pk): held for pk, *held in rows}


KINDS = {"deck_version": Kind(_versions, may_go=True)}
"""A deck goes with its versions as long as no event relies on them; an entry tells which one it has."""
