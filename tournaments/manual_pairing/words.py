"""What changes by hand refuse, in words."""

from django.utils.translation import gettext as _

from rules_engine.errors import Conflict, DomainError
from tournaments.pairing.manual.round_draft import Refused

MAX_NAMES = 20


def fixed_pairings() -> str:
    """Why the places of a round robin or a bracket can't be changed."""
    return _("In round robins and brackets, seeds and results decide who meets: you can't change these tables.")


def refusal_in_words(refusal: Refused) -> DomainError:
    """What the places refuse, as an error of the same code."""
    tables = ", ".join(str(each) for each in refusal.params.get("tables", ())[:MAX_NAMES])
    if refusal.code == "has_begun":
        text = _("Table %(tables)s can't change: results, ready decks, a draft or a score sheet are in.")
        return Conflict("has_begun", text % {"tables": tables}, tables=refusal.params["tables"])
    if refusal.code == "moved_on":
        return Conflict("pairings_changed", _("The tables have changed. Check them again."))
    if refusal.code == "table_full":
        text = _("Table %(table)s is full: %(most)d players. Swap two players, or choose another table.")
        return DomainError("table_full", text % refusal.params)
    if refusal.code == "too_few_entries":
        text = _("A table needs at least %(least)d players.")
        return DomainError("too_few_entries", text % refusal.params)
    words = {
        "not_swiss": _("Only Swiss rounds of two at a table are re-paired for changed results."),
        "unknown_table": _("No such table in this round. Use 1 to 9999."),
        "unknown_entry": _("One of these players can't play in this round."),
        "same_entry": _("Name two different players."),
        "same_place": _("Nothing would change."),
        "not_free": _("Break up both players' tables first."),
        "which_bye": _("Several players have a bye. Choose one to swap."),
        "bye_already": _("This player has the bye already."),
        "table_taken": _("This table number is taken."),
        "nothing_to_pair": _("No table to re-pair: all are locked or have begun."),
    }
    return DomainError(refusal.code, words[refusal.code])
