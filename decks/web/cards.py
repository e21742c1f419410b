"""The public page of a game's cards: search, filters, pages."""

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.access import access
from decks.selectors.cards import find_cards
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.catalogue import CardSchema
from rules_engine.errors import NotFound
from rules_engine.systems import get_system

CARDS_A_PAGE = 50


class CardSearchForm(forms.Form):
    """What to look for among the cards of a game."""

    q = forms.CharField(label=_("Name"), max_length=MAX_NAME_LENGTH, required=False)

    def __init__(self, data: QueryDict | None, schema: CardSchema) -> None:
        """Offer the card types of `schema`."""
        super().__init__(data)
        names = [(each.name, _(each.name)) for each in schema.types]
        self.fields["type"] = forms.ChoiceField(label=_("Type"), required=False, choices=[("", _("All types")), *names])


@access("public")
@require_safe
def cards_page(request: HttpRequest, game: str) -> HttpResponse:
    """GET /cards/<game>/?q=…&type=…&page=…: the game's cards by name. NotFound "unknown_game", "no_cards"."""
    system = get_system(game)
    if not system.card_schema.types:
        raise NotFound("no_cards", _("This game has no cards here."))
    form = CardSearchForm(request.GET or None, system.card_schema)
    wanted = form.cleaned_data if form.is_valid() else {}
    found = find_cards(game, wanted.get("q", ""), wanted.get("type", ""))
    page = Paginator(found, CARDS_A_PAGE).get_page(request.GET.get("page"))
    rows = [
        (card, [(field, card.facts.get(field.key, "")) for field in system.card_schema.fields])
        for card in page.object_list
    ]
    sample = any(card.card_set.sample for card in page.object_list)
    context = {"system": system, "form": form, "page": page, "rows": rows, "sample": sample}
    return render(request, "decks/cards.html", context)
