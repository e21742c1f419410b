"""Who acts: users with an account, persons (players with or without one), and their personal links."""

import secrets
from unicodedata import normalize

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken


def new_public_id() -> str:
    """An id for addresses: 96 random bits, 16 characters."""
    return secrets.token_urlsafe(12)


def single_spaced(name: str) -> str:
    """A name as stored and looked up: compatible forms of letters are one (NFKC), single spaces."""
    return " ".join(normalize("NFKC", name).split())


def check_name(name: str) -> None:
    """Pass for what people are called in any script; ValidationError for invisible signs, or no letter or digit."""
    if not name.isprintable() or not any(letter.isalnum() for letter in name):
        raise ValidationError(_("Use letters, digits, spaces and signs that can be seen."), "bad_name")


class User(AbstractUser):
    """An account; `is_staff` marks a site admin. With `shows_profile` everybody may see the page about its play.

    `username` is the name typed when signing up, which signs in for good and is one account's; `name` is the one that
    others read, which its owner may correct and others may have too.
    `is_confirmed`: a site admin agreed to the account, whose events a site with LISTS_CONFIRMED_ONLY lists.
    """

    username = models.CharField(_("name to sign in with"), max_length=150, unique=True, validators=[check_name])
    name = models.CharField(_("name as others read it"), max_length=120, blank=True, default="")
    shows_profile = models.BooleanField(_("everybody may see my profile"), default=False)
    is_confirmed = models.BooleanField(_("confirmed by a site admin"), default=False, editable=False)

    class Meta(AbstractUser.Meta):
        pass

    def __str__(self) -> str:
        return self.get_full_name()

    def get_full_name(self) -> str:
        """The name that others read."""
        return self.name or self.get_username()


class Person(models.Model):
    """A person who plays or helps, with an account or without; can be erased.

    `linked_by` issued the personal link by which an account took the person over.
    """

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
    linked_by = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by the link of")
    )

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("persons")
        ordering = ("created_at", "id")

    def __str__(self) -> str:
        return self.name


class PersonalLink(models.Model):
    """A secret address that lets a person act without an account; only the hash of its token is kept.

    `scope` says where it holds, in words of whoever issued it; "" is everywhere. `issued_by` knows the token too: who
    acts by a link may be its issuer.
    """

    person = models.ForeignKey(Person, models.CASCADE, related_name="links", verbose_name=_("person"))
    token_hash = models.CharField(_("hash of the token"), max_length=64, unique=True)
    scope = models.CharField(_("scope"), max_length=40, blank=True, default="")
    issued_by = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("issued by")
    )
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("expires at"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    class Meta:
        verbose_name = _("personal link")
        verbose_name_plural = _("personal links")

    def __str__(self) -> str:
        return f"{self.person_id}:{self.pk}"


class PushSubscription(models.Model):
    """A browser in which a person wants notifications (Web Push, RFC 8030): its address, and its keys."""

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


class TokenScope(models.TextChoices):
    """How much of what its account may do an API token may; each includes the one before."""

    READ = "read", _("Read: see what you see, change nothing")
    REPORT = "report", _("Report: also what players do, such as results, decks and judge calls")
    DESK = "desk", _("Desk: also what judges and scorekeepers do")
    ORGANISE = "organise", _("Organise: also everything else you may do")


class TokenNote(models.Model):
    """What its owner chose for an API token and sees of it; of the token itself only a hash is kept.

    `event` is the slug of the only event it works at; "" is everywhere. `last_used_at` is right to ten minutes.
    """

    token = models.OneToOneField(AuthToken, models.CASCADE, primary_key=True, related_name="note")
    name = models.CharField(_("name"), max_length=100, blank=True, default="")
    ends_with = models.CharField(_("last letters"), max_length=4)
    scope = models.CharField(_("scope"), max_length=10, choices=TokenScope.choices, default=TokenScope.ORGANISE)
    event = models.CharField(_("event"), max_length=80, blank=True, default="")
    last_used_at = models.DateTimeField(_("last used at"), null=True, blank=True)

    class Meta:
        verbose_name = _("note on an API token")
        verbose_name_plural = _("notes on API tokens")

    def __str__(self) -> str:
        return f"{self.name} …{self.ends_with}"
