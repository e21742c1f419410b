"""Files that a browser or a program saves."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header


def file_response(content: str | bytes, media_type: str, name: str, *, saved: bool = True) -> HttpResponse:
    """A file of this name, to be `saved`, else shown where the browser can."""
    headers = {"Content-Disposition": content_disposition_header(saved, name) or ""}
    return HttpResponse(content, content_type=media_type, headers=headers)


def csv_download(name: str, text: str, *, marked: bool = True) -> HttpResponse:
    """A table as a CSV file of this name; `marked` in front as UTF-8 for spreadsheets, programs need no mark."""
    encoded = text.encode("utf-8-sig" if marked else "utf-8")
    return file_response(encoded, "text/csv; charset=utf-8", f"{name}.csv")
