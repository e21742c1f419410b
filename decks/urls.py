"""Addresses of the public pages about games."""

from django.urls import path

from decks.web import card_import, cards, rules

urlpatterns = [
    path("rules/<slug:game>/", rules.rules_page, name="rules"),
    path("cards/<slug:game>/", cards.cards_page, name="cards"),
    path("cards/<slug:game>/names/", cards.names_page, name="card_names"),
    path("cards/<slug:game>/cards.csv", cards.cards_csv, name="cards_csv"),
    path("cards/<slug:game>/import/", card_import.import_page, name="import_cards"),
    path("cards/<slug:game>/template.csv", card_import.template_csv, name="card_template"),
    path("cards/<slug:game>/samples/", card_import.switch_samples, name="switch_samples"),
    path("cards/<slug:game>/sets/<slug:slug>/remove/", card_import.remove_own_set, name="remove_card_set"),
    path("cards/<slug:game>/card/<path:key>/", cards.card_page, name="card"),
]
