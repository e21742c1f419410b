"""The addresses of all pages of events and leagues, by audience."""

from django.urls import include, path

AUDIENCES = ("public", "player", "table_page", "desk", "judge", "screens", "organiser", "leagues", "shared", "live")

urlpatterns = [path("", include(f"tournaments.web.{audience}.urls")) for audience in AUDIENCES]
