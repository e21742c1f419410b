"""Addresses that the code on a table opens."""

from django.urls import URLPattern, include, path

from tournaments.web.table_page import sheets, table

of_event: list[URLPattern] = [
    path("", table.table, name="table"),
    path("sheet/begin/", sheets.begin_sheet, name="begin_table_sheet"),
    *(
        path(f"sheet/{route}", page, name=f"table_sheet_{name}" if route else "table_sheet")
        for route, name, page in sheets.sheet_pages
    ),
]
urlpatterns = [
    path("t/<str:token>/", table.open_table, name="open_table"),
    path("e/<slug:slug>/table/", include(of_event)),
]
