"""Addresses of the pages of those who play."""

from django.urls import include, path

from tournaments.web.player import door, link_person, my_data, my_deck, my_match, my_stack, registration, teams
from tournaments.web.shared import deck_ready

of_event = [
    path("register/", registration.register, name="register"),
    path("join/<str:token>/", teams.join, name="join_team"),
    path("my/", my_match.my_match, name="my_match"),
    path("my/check-in/", registration.check_in, name="my_check_in"),
    path("my/drop/", registration.my_drop, name="my_drop"),
    path("my/deck/", my_deck.my_deck, name="my_deck"),
    path("my/deck/sheet/", my_deck.my_sheet, name="my_sheet"),
    path("my/stack/", my_stack.my_stack, name="my_stack"),
    path("my/placed/", deck_ready.place, name="mark_deck_ready"),
]
at_door = [
    path("", door.door, name="door", kwargs={"is_kiosk": False}),
    path("claim/<str:claim>/", door.claim, name="door_claim", kwargs={"is_kiosk": False}),
    path("kiosk/", door.door, name="kiosk", kwargs={"is_kiosk": True}),
    path("kiosk/claim/<str:claim>/", door.claim, name="kiosk_claim", kwargs={"is_kiosk": True}),
]
urlpatterns = [
    path("d/<str:token>/", include(at_door)),
    path("accounts/link-person/", link_person.link_person, name="link_person"),
    path("my/", registration.my_events, name="my_events"),
    path("my/data/", my_data.my_data, name="my_data"),
    path("my/data/export.zip", my_data.export, name="export_my_data"),
    path("my/data/guests/<str:public_id>/back/", my_data.give_guest_back, name="give_guest_back"),
    path("my/data/erase/", my_data.erase, name="erase_my_data"),
    path("e/<slug:slug>/", include(of_event)),
]
