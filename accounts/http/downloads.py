"""Files that a browser or a program saves."""

from typing import Literal, TypeAlias

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from rules_engine.tables import Table, csv_text, xlsx_file


def file_response(content: str | bytes, media_type: str, name: str, *, saved: bool = True) -> HttpResponse:
    """A file of this name, to be `saved`, else shown where the browser can."""
    headers = {"Content-Disposition": content_disposition_header(saved, name) or ""}
    return HttpResponse(content, content_type=media_type, headers=headers)


Kind: TypeAlias = Literal["csv", "xlsx"]
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def table_download(name: str, table: Table, kind: Kind = "csv", *, marked: bool = True) -> HttpResponse:
    """A table as a file of this name; `marked` as for `csv_download`."""
    if kind == "xlsx":
        return file_response(xlsx_file(*table), XLSX, f"{name}.xlsx")
    return csv_download(name, csv_text(*table), marked=marked)


def csv_download(name: str, text: str, *, marked: bool = True) -> HttpResponse:
    """A table as a CSV file of this name; `marked` in front as UTF-8 for spreadsheets, programs need no mark."""
    encoded = text.encode("utf-8-sig" if marked else "utf-8")
    return file_response(encoded, "text/csv; charset=utf-8", f"{name}.csv")
