"""Addresses of accounts in the API."""

from django.urls import path

from accounts.identity.tokens_api import TokensViewSet

urlpatterns = [
    path("tokens/", TokensViewSet.as_view({"get": "list", "post": "create", "delete": "revoke"}), name="tokens"),
    path("tokens/<slug:token_id>/", TokensViewSet.as_view({"delete": "revoke_one"})),
]
