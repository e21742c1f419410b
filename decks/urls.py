"""Addresses of the public pages about games."""

from django.urls import include, path

from decks.web import card_import, cards, decks, editor, sheets

urlpatterns = [
    path("decks/", decks.my_decks, name="my_decks"),
    path("decks/new/", decks.new_deck, name="new_deck"),
    path("decks/<slug:public_id>/", editor.deck, name="deck"),
    path("decks/<slug:public_id>/history/", decks.deck_history, name="deck_history"),
    path("decks/<slug:public_id>/more/", decks.deck_more, name="deck_more"),
    path("decks/<slug:public_id>/versions/<int:number>/<slug:key>/", decks.deck_export, name="deck_export"),
    path("", include("decks.urls_formats")),
    path("cards/<slug:game>/", cards.cards_page, name="cards"),
    path("sheets/<slug:game>/<slug:game_format>/", sheets.blank_sheet, name="blank_sheet"),
    path("cards/<slug:game>/names/", cards.names_page, name="card_names"),
    path("cards/<slug:game>/cards.csv", cards.cards_csv, name="cards_csv"),
    path("cards/<slug:game>/import/", card_import.import_page, name="import_cards"),
    path("cards/<slug:game>/template.csv", card_import.template_csv, name="card_template"),
    path("cards/<slug:game>/samples/", card_import.switch_samples, name="switch_samples"),
    path("cards/<slug:game>/sets/<slug:slug>/remove/", card_import.remove_own_set, name="remove_card_set"),
    path("cards/<slug:game>/card/<path:key>/", cards.card_page, name="card"),
]
