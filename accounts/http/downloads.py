"""Files that a browser or a program saves."""

from django.http import HttpResponse


def csv_download(name: str, text: str, *, marked: bool = True) -> HttpResponse:
    """A table as a CSV file of this name; `marked` in front as UTF-8 for spreadsheets, programs need no mark."""
    encoded = text.encode("utf-8-sig" if marked else "utf-8")
    response = HttpResponse(encoded, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
