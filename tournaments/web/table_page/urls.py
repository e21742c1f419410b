"""Addresses that the code on a table opens, and where staff issue these codes."""

from django.urls import URLPattern, include, path

from tournaments.web.organiser import table_codes
from tournaments.web.table_page import sheets, table

of_event: list[URLPattern] = [
    path("table/", table.table, name="table"),
    path("table/sheet/begin/", sheets.begin_sheet, name="begin_table_sheet"),
    *(
        path(f"table/sheet/{route}", page, name=f"table_sheet_{name}" if route else "table_sheet")
        for route, name, page in sheets.sheet_pages
    ),
    path("manage/tables/", table_codes.table_codes, name="table_codes"),
    path("manage/tables/renew/", table_codes.renew_table_codes, name="renew_table_codes"),
    path("manage/tables/revoke/", table_codes.revoke_table_codes, name="revoke_table_codes"),
]

urlpatterns = [
    path("t/<str:token>/", table.open_table, name="open_table"),
    path("e/<slug:slug>/", include(of_event)),
]
