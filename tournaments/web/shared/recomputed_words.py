"""What computing a round again showed, in words."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.models import Tournament
from tournaments.rounds.selectors.recomputed import Fault, Places, Recomputed, Verdict, by_number

MAX_PLACES = 5
VERDICTS: Mapping[Verdict, Promise | str] = {
    Verdict.SAME: gettext_lazy("Round %(number)d, recomputed: all tables match."),
    Verdict.DIFFERENT: gettext_lazy("Round %(number)d, recomputed: it differs."),
    Verdict.OTHER_ENGINE: gettext_lazy(
        "Round %(number)d was paired by engine %(theirs)s, this is %(ours)s. It can't be recomputed here."
    ),
    Verdict.BY_HAND: gettext_lazy("Round %(number)d was entered by hand or has no stored input. Nothing to compute."),
}
FAULTS: Mapping[Fault, Promise | str] = {
    Fault.INPUT: gettext_lazy("The stored input is missing or differs."),
    Fault.PAIRING: gettext_lazy("The engine now gives another pairing."),
    Fault.PLACES: gettext_lazy("The tables differ from the engine's."),
    Fault.CERTIFICATE: gettext_lazy("The stored cost or proof is wrong."),
    Fault.REPAIR: gettext_lazy("Re-paired tables come out differently."),
}


def recomputed_in_words(tournament: Tournament, found: Recomputed) -> str:
    """Equal, or what differs, and what was left aside."""
    facts = {"number": found.round.number, "theirs": found.round.engine, "ours": found.engine}
    sentences = [str(VERDICTS[found.verdict]) % facts, *(str(FAULTS[each]) for each in found.faults)]
    if found.computed:
        sentences.append(_("Computed: %(places)s.") % {"places": _places(tournament, found.computed)})
    if found.stored:
        sentences.append(_("Stored: %(places)s.") % {"places": _places(tournament, found.stored)})
    if found.changes:
        text = ngettext("Ignored: %(count)d change by hand.", "Ignored: %(count)d changes by hand.", found.changes)
        sentences.append(text % {"count": found.changes})
    return " ".join(sentences)


def _places(tournament: Tournament, places: Places) -> str:
    """The first few places by table and entry numbers, and how many more there are."""
    texts = [_place(table, entries) for table, *entries in by_number(tournament, places)]
    more = len(texts) - MAX_PLACES
    if more > 0:
        texts[MAX_PLACES:] = [ngettext("%(count)d more", "%(count)d more", more) % {"count": more}]
    return ", ".join(texts)


def _place(table: int, entries: list[int]) -> str:
    people = " – ".join(_("no. %(number)d") % {"number": number} for number in entries)
    if not table:
        return _("%(people)s without a table") % {"people": people}
    return _("table %(table)d: %(people)s") % {"table": table, "people": people}
