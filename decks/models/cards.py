"""The cards a site knows, and the dated lists that ban and limit them."""

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from rules_engine.cards import MAX_NAME_LENGTH, CardFacts

MAX_SLUG_LENGTH = 60


def new_catalogue_version() -> str:
    """A token that no catalogue had before: whoever cached cards under another one reads them again."""
    return secrets.token_hex(8)


class CardSet(models.Model):
    """Cards that came together; `sample` marks cards of our own invention.

    A set hidden at some time keeps its row, so that loading what ships does not bring it back, and none of its cards.
    """

    game = models.SlugField(_("game system"), max_length=MAX_SLUG_LENGTH)
    slug = models.SlugField(_("slug"), max_length=MAX_SLUG_LENGTH)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    sample = models.BooleanField(_("sample set"), default=False)
    digest = models.CharField(_("digest of the cards as read"), max_length=64)
    catalogue_version = models.CharField(_("version of the game's cards"), max_length=16, default=new_catalogue_version)
    loaded_at = models.DateTimeField(_("loaded at"))
    hidden_at = models.DateTimeField(_("hidden at"), null=True, blank=True)

    class Meta:
        verbose_name = _("card set")
        verbose_name_plural = _("card sets")
        ordering = ("game", "name")
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="one_card_set_per_slug")]

    def __str__(self) -> str:
        return self.name


class Card(models.Model):
    """A card of a game; its name is unique there, in whatever spelling."""

    card_set = models.ForeignKey(CardSet, models.CASCADE, related_name="cards", verbose_name=_("card set"))
    game = models.SlugField(_("game system"), max_length=MAX_SLUG_LENGTH)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    normalised_name = models.CharField(_("name for comparison"), max_length=4 * MAX_NAME_LENGTH)
    card_type = models.CharField(_("type"), max_length=MAX_SLUG_LENGTH)
    facts = models.JSONField(_("facts"), default=dict)

    class Meta:
        verbose_name = _("card")
        verbose_name_plural = _("cards")
        ordering = ("normalised_name",)
        constraints = [models.UniqueConstraint(fields=["game", "normalised_name"], name="one_card_per_name")]

    def __str__(self) -> str:
        return self.name

    def as_facts(self) -> CardFacts:
        """The card as the rules engine knows it; wants `card_set` fetched along."""
        return CardFacts(self.name, self.card_type, self.card_set.slug, self.facts)


class CardList(models.Model):
    """One version of a dated list of banned and limited cards, in force until a newer one of the same slug.

    A draft is in force nowhere; once announced a version is never changed.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        ANNOUNCED = "announced", _("announced")

    game = models.SlugField(_("game system"), max_length=MAX_SLUG_LENGTH)
    format = models.SlugField(_("format"), max_length=MAX_SLUG_LENGTH)
    slug = models.SlugField(_("slug"), max_length=MAX_SLUG_LENGTH)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    valid_from = models.DateField(_("valid from"))
    digest = models.CharField(_("digest of the entries"), max_length=64)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.ANNOUNCED)
    announced_at = models.DateTimeField(_("announced at"), null=True, blank=True)
    announced_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("announced by"),
    )

    class Meta:
        verbose_name = _("card list")
        verbose_name_plural = _("card lists")
        ordering = ("game", "format", "slug", "valid_from")
        constraints = [
            models.UniqueConstraint(fields=["game", "format", "slug", "valid_from"], name="one_card_list_per_day")
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.valid_from}"


class CardListEntry(models.Model):
    """What a list says of one card: at most `max_copies`; 0 is banned, null any number. `variant` "" means all."""

    card_list = models.ForeignKey(CardList, models.CASCADE, related_name="entries", verbose_name=_("card list"))
    name = models.CharField(_("card"), max_length=MAX_NAME_LENGTH)
    normalised_name = models.CharField(_("name for comparison"), max_length=4 * MAX_NAME_LENGTH)
    variant = models.SlugField(_("variant"), max_length=MAX_SLUG_LENGTH, blank=True, default="")
    max_copies = models.PositiveSmallIntegerField(_("copies allowed"), null=True, blank=True)

    class Meta:
        verbose_name = _("entry of a card list")
        verbose_name_plural = _("entries of card lists")
        ordering = ("normalised_name",)
        constraints = [
            models.UniqueConstraint(fields=["card_list", "normalised_name", "variant"], name="one_entry_per_card")
        ]

    def __str__(self) -> str:
        return self.name
