"""What the pages share on which a decklist is pasted, by its player or by a judge."""

from collections.abc import Sequence

from django.contrib import messages
from django.utils.translation import gettext as _

from accounts.http.numbers import read_number
from accounts.http.requests import ActorRequest
from decks.formats.correcting import apply_suggestion
from decks.formats.reading import Notice
from decks.templatetags.decks import in_words

MOST_SAID = 5


def typed_values(request: ActorRequest, *fields: str) -> dict[str, str] | None:
    """What was typed, with the suggestion taken whose button was pressed; None for a page just opened."""
    if request.method != "POST":
        return None
    values = {name: request.POST.get(name, "") for name in fields}
    act, _space, replacement = request.POST.get("act", "").partition(" ")
    line, _space, card = replacement.partition(" ")
    number = read_number(line)
    if act == "replace" and card and number is not None:
        values["text"] = apply_suggestion(values["text"], number, card)
    return values


def say_assumed(request: ActorRequest, notices: Sequence[Notice]) -> None:
    """Say what was assumed of a list that is registered, left out of it or put elsewhere, line by line."""
    said = [f"{_('Line %(number)s') % {'number': each.line}} · {in_words(each.message)}" for each in notices]
    if said:
        more = " …" if len(said) > MOST_SAID else ""
        messages.warning(request, " ".join(said[:MOST_SAID]) + more)
