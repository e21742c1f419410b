"""Cards, dated card lists, and the decks of players: a deck is a name, its versions are what it held."""

import secrets
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Person, new_public_id
from rules_engine.cards import MAX_NAME_LENGTH, CardFacts
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.errors import Conflict
from rules_engine.legality import LegalityReport

MAX_SLUG_LENGTH = 60


def new_catalogue_version() -> str:
    """A token that no catalogue had before: whoever cached cards under another one reads them again."""
    return secrets.token_hex(8)


class CardSet(models.Model):
    """Cards that came together; `sample` marks cards of our own invention."""

    game = models.SlugField(_("game system"), max_length=MAX_SLUG_LENGTH)
    slug = models.SlugField(_("slug"), max_length=MAX_SLUG_LENGTH)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    sample = models.BooleanField(_("sample set"), default=False)
    digest = models.CharField(_("digest of the cards as read"), max_length=64)
    catalogue_version = models.CharField(_("version of the game's cards"), max_length=16, default=new_catalogue_version)
    loaded_at = models.DateTimeField(_("loaded at"))

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
    """One version of a dated list of banned and limited cards, in force until a newer one of the same slug."""

    game = models.SlugField(_("game system"), max_length=MAX_SLUG_LENGTH)
    format = models.SlugField(_("format"), max_length=MAX_SLUG_LENGTH)
    slug = models.SlugField(_("slug"), max_length=MAX_SLUG_LENGTH)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    valid_from = models.DateField(_("valid from"))
    digest = models.CharField(_("digest of the entries"), max_length=64)

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
    """What a list says of one card: at most `max_copies`; 0 is banned, null any number."""

    card_list = models.ForeignKey(CardList, models.CASCADE, related_name="entries", verbose_name=_("card list"))
    name = models.CharField(_("card"), max_length=MAX_NAME_LENGTH)
    normalised_name = models.CharField(_("name for comparison"), max_length=4 * MAX_NAME_LENGTH)
    max_copies = models.PositiveSmallIntegerField(_("copies allowed"), null=True, blank=True)

    class Meta:
        verbose_name = _("entry of a card list")
        verbose_name_plural = _("entries of card lists")
        ordering = ("normalised_name",)
        constraints = [models.UniqueConstraint(fields=["card_list", "normalised_name"], name="one_entry_per_card")]

    def __str__(self) -> str:
        return self.name


class Deck(models.Model):
    """A named deck of one person for one format; what it holds is in its versions."""

    public_id = models.CharField(_("public id"), max_length=16, unique=True, default=new_public_id, editable=False)
    owner = models.ForeignKey(Person, models.PROTECT, related_name="decks", verbose_name=_("owner"))
    game = models.SlugField(_("game system"), max_length=MAX_SLUG_LENGTH)
    format = models.SlugField(_("format"), max_length=MAX_SLUG_LENGTH)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("deck")
        verbose_name_plural = _("decks")
        ordering = ("created_at", "id")
        constraints = [models.UniqueConstraint(fields=["owner", "game", "format", "name"], name="one_deck_per_name")]

    def __str__(self) -> str:
        return self.name


class DeckVersion(models.Model):
    """What a deck held at one time; never changed afterwards, only frozen once an event relies on it."""

    public_id = models.CharField(_("public id"), max_length=16, unique=True, default=new_public_id, editable=False)
    deck = models.ForeignKey(Deck, models.PROTECT, related_name="versions", verbose_name=_("deck"))
    number = models.PositiveIntegerField(_("number"))
    entries = models.JSONField(_("cards"))
    digest = models.CharField(_("digest of the cards"), max_length=64)
    source_text = models.TextField(_("text as entered"))
    created_at = models.DateTimeField(_("created at"))
    frozen_at = models.DateTimeField(_("frozen at"), null=True, blank=True)

    class Meta:
        verbose_name = _("deck version")
        verbose_name_plural = _("deck versions")
        ordering = ("deck", "number")
        constraints = [models.UniqueConstraint(fields=["deck", "number"], name="one_deck_version_per_number")]

    def __str__(self) -> str:
        return f"{self.deck_id}/{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store a new version; a stored one is never written again (Conflict `deck_version_is_final`)."""
        if not self._state.adding:
            raise Conflict("deck_version_is_final", _("A stored deck version cannot be changed."))
        super().save(*args, **kwargs)

    @property
    def decklist(self) -> Decklist:
        """The cards as a value."""
        return Decklist(tuple(DeckEntry(**entry) for entry in self.entries))


class LegalityCheck(models.Model):
    """A verdict on a deck version: on which date it was judged, under which versions of the lists."""

    version = models.ForeignKey(DeckVersion, models.CASCADE, related_name="checks", verbose_name=_("deck version"))
    format = models.SlugField(_("format"), max_length=MAX_SLUG_LENGTH)
    on_date = models.DateField(_("judged as of"))
    lists = models.JSONField(_("card lists in force"))
    legal = models.BooleanField(_("legal"), null=True)
    report = models.JSONField(_("report"))
    checked_at = models.DateTimeField(_("checked at"))

    class Meta:
        verbose_name = _("legality check")
        verbose_name_plural = _("legality checks")
        ordering = ("checked_at", "id")

    def __str__(self) -> str:
        return f"{self.version_id}: {self.legal}"

    def as_report(self) -> LegalityReport:
        """The verdict as a value."""
        return LegalityReport.from_data(self.report)
