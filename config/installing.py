"""What a phone asks for to install the site: its service worker and its manifest."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.utils.translation import gettext as _

from accounts.http.access import page_view


@page_view("public")
def service_worker(request: HttpRequest) -> HttpResponse:
    """GET /sw.js: static/sw.js from the root, so that it may stand before every page; never from a cache."""
    code = (settings.BASE_DIR / "static" / "sw.js").read_bytes()
    return HttpResponse(code, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


@page_view("public")
def manifest(request: HttpRequest) -> HttpResponse:
    """GET /manifest.webmanifest: name, mark and first page of the installed site."""
    icons = [
        {"src": static("favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
        {"src": static("icons/app-192.png"), "sizes": "192x192", "type": "image/png"},
        {"src": static("icons/app-512.png"), "sizes": "512x512", "type": "image/png"},
        {"src": static("icons/app-maskable.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ]
    content = {
        "id": "/",
        "name": "Doomdesk",
        "short_name": "Doomdesk",
        "description": _("Your table, your opponent, your result."),
        "start_url": "/my/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#131417",
        "theme_color": "#1b1d21",
        "icons": icons,
    }
    response = JsonResponse(content, content_type="application/manifest+json")
    response["Cache-Control"] = "max-age=3600"
    return response
