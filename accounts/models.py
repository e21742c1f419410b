"""Who acts: users with an account, persons (players with or without one), and their personal links."""

import secrets

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


def new_public_id() -> str:
    """An id for addresses: 96 random bits, 16 characters."""
    return secrets.token_urlsafe(12)


class User(AbstractUser):
    """An account; `is_staff` marks a site admin. With `shows_profile` everybody may see the page about its play."""

    shows_profile = models.BooleanField(_("everybody may see my profile"), default=False)

    class Meta(AbstractUser.Meta):
        pass


class Person(models.Model):
    """Somebody who plays or helps, with an account or without; can be erased."""

    public_id = models.CharField(_("public id"), max_length=16, unique=True, default=new_public_id, editable=False)
    name = models.CharField(_("name"), max_length=200)
    user = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="persons", verbose_name=_("account")
    )
    email = models.EmailField(_("email"), blank=True, default="")
    mails_pairings = models.BooleanField(_("a mail when a round is paired"), default=False)
    language = models.CharField(_("language of mails"), max_length=10, blank=True, default="")
    erased_at = models.DateTimeField(_("erased at"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"))
    linked_at = models.DateTimeField(_("taken into an account at"), null=True, blank=True)

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("persons")
        ordering = ("created_at", "id")

    def __str__(self) -> str:
        return self.name


class PersonalLink(models.Model):
    """A secret address that lets a person act without an account; only the hash of its token is kept.

    `scope` says where it holds, in words of whoever issued it; "" is everywhere.
    """

    person = models.ForeignKey(Person, models.CASCADE, related_name="links", verbose_name=_("person"))
    token_hash = models.CharField(_("hash of the token"), max_length=64, unique=True)
    scope = models.CharField(_("scope"), max_length=40, blank=True, default="")
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("expires at"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    class Meta:
        verbose_name = _("personal link")
        verbose_name_plural = _("personal links")

    def __str__(self) -> str:
        return f"{self.person_id}:{self.pk}"


class PushSubscription(models.Model):
    """A browser that a person asked to be told in (Web Push, RFC 8030): where to, and the keys its messages need."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="push_subscriptions", verbose_name=_("person"))
    endpoint = models.URLField(_("endpoint"), max_length=500, unique=True)
    p256dh = models.CharField(_("public key"), max_length=120)
    auth = models.CharField(_("shared secret"), max_length=40)
    language = models.CharField(_("language"), max_length=10, blank=True, default="")
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("push subscription")
        verbose_name_plural = _("push subscriptions")

    def __str__(self) -> str:
        return f"{self.person_id}:{self.pk}"
