"""Addresses of accounts in the API."""

from django.urls import path

from accounts.identity.tokens_api import TokensViewSet

urlpatterns = [path("tokens/", TokensViewSet.as_view({"post": "create", "delete": "revoke"}), name="tokens")]
