"""Every address of the site: the API, public pages, accounts, the admin."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView
from django.views.i18n import set_language

from accounts.http.access import access
from config.health import alive, ready
from config.installing import manifest, service_worker

handler400 = "config.errors.bad_request"
handler403 = "config.errors.permission_denied"
handler404 = "config.errors.page_not_found"
handler429 = "config.errors.too_many"
handler500 = "config.errors.server_error"

# The admin's own page for a password would write it past the ledger, and leave API tokens alive.
own_password = RedirectView.as_view(pattern_name="account_change_password")

# The form that chooses a language stands in the foot of every page. It may do without a token, which would keep public
# pages from being cached: all that the form does is to set the cookie of the language.
urlpatterns = [
    path("health/", alive, name="health"),
    path("health/ready/", ready, name="health_ready"),
    path("sw.js", service_worker, name="service_worker"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("api/v1/", include("tournaments.api.urls")),
    path("", include("tournaments.web.urls")),  # what everybody asks for at once is found first
    path("", include("accounts.urls")),
    path("", include("decks.urls")),
    path("", include("scoring.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("i18n/setlang/", csrf_exempt(set_language), name="set_language"),
    path("admin/password_change/", access("proved_site_admin")(require_safe(own_password)), name="admin_own_password"),
    path("admin/", admin.site.urls),
]
