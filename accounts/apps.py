"""Accounts as an app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Takes notes of second factors."""

    name = "accounts"

    def ready(self) -> None:
        """Begin, once the models are there."""
        from accounts.identity.factor_log import watch  # noqa: PLC0415 - models

        watch()
