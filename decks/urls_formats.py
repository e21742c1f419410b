"""Addresses of formats: rules, card lists and the re-checks of decks under them."""

from django.urls import path

from decks.web import card_lists, clauses, house_formats, rechecks, rules

urlpatterns = [
    path("rules/<slug:game>/", rules.rules_page, name="rules"),
    path("rules/<slug:game>/search/", clauses.search_rules, name="search_rules"),
    path("rules/<slug:game>/<slug:format_slug>/", rules.format_page, name="rules_format"),
    path("formats/", house_formats.my_house_formats, name="house_formats"),
    path("formats/new/<slug:game>/<slug:base>/", house_formats.new_house_format, name="new_house_format"),
    path("formats/<slug:slug>/", house_formats.house_format, name="house_format"),
    path("formats/<slug:slug>/edit/", house_formats.edit_house_format, name="edit_house_format"),
    path("lists/", card_lists.lists_page, name="card_lists"),
    path("lists/new/<slug:game>/<slug:format_slug>/", card_lists.new_list, name="new_card_list"),
    path("lists/<int:pk>/", card_lists.list_page, name="card_list"),
    path("lists/<int:pk>/edit/", card_lists.edit_list, name="edit_card_list"),
    path("lists/<int:pk>/delete/", card_lists.delete_list, name="delete_card_list"),
    path("lists/<int:pk>/announce/", card_lists.announce, name="announce_card_list"),
    path("lists/<int:pk>/recheck/", card_lists.recheck_list, name="recheck_card_list"),
    path("rechecks/<slug:public_id>/", rechecks.recheck_page, name="recheck"),
    path("rechecks/<slug:public_id>/resume/", rechecks.resume, name="resume_recheck"),
    path("rechecks/<slug:public_id>/cancel/", rechecks.cancel, name="cancel_recheck"),
]
