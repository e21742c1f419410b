"""The decks of players: a deck is a name, its versions are what it held, checks are verdicts on a version."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Person, new_public_id
from decks.models.cards import MAX_SLUG_LENGTH
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.errors import Conflict
from rules_engine.legality_report import LegalityReport
from rules_engine.repair import Change, Verdict


class Deck(models.Model):
    """A named deck of one person for one format; what it holds is in its versions.

    A deck that an event relies on cannot be deleted: its owner sees it no more from `hidden_at` on.
    """

    see_rule = "own_deck"

    public_id = models.CharField(_("public id"), max_length=16, unique=True, default=new_public_id, editable=False)
    owner = models.ForeignKey(Person, models.PROTECT, related_name="decks", verbose_name=_("owner"))
    game = models.SlugField(_("game system"), max_length=MAX_SLUG_LENGTH)
    format = models.SlugField(_("format"), max_length=MAX_SLUG_LENGTH)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    created_at = models.DateTimeField(_("created at"))
    hidden_at = models.DateTimeField(_("taken off the owner's list at"), null=True, blank=True)

    class Meta:
        verbose_name = _("deck")
        verbose_name_plural = _("decks")
        ordering = ("created_at", "id")
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "game", "format", "name"],
                condition=models.Q(hidden_at=None),
                name="one_shown_deck_per_name",
            )
        ]

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
    """A verdict on a deck version: on which date it was judged, under which versions of the lists, and the cure.

    `repair` is null when no change makes the deck legal, or when there was nothing to check.
    """

    version = models.ForeignKey(DeckVersion, models.CASCADE, related_name="checks", verbose_name=_("deck version"))
    format = models.SlugField(_("format"), max_length=MAX_SLUG_LENGTH)
    variant = models.SlugField(_("variant"), max_length=MAX_SLUG_LENGTH, blank=True, default="")
    on_date = models.DateField(_("judged as of"))
    lists = models.JSONField(_("card lists in force"))
    legal = models.BooleanField(_("legal"), null=True)
    report = models.JSONField(_("report"))
    repair = models.JSONField(_("smallest repair"), null=True)
    checked_at = models.DateTimeField(_("checked at"))

    class Meta:
        verbose_name = _("legality check")
        verbose_name_plural = _("legality checks")
        ordering = ("checked_at", "id")

    def __str__(self) -> str:
        return f"{self.version_id}: {self.legal}"

    def as_verdict(self) -> Verdict:
        """The verdict as a value."""
        repair = None if self.repair is None else tuple(Change(**change) for change in self.repair)
        return Verdict(LegalityReport.from_data(self.report), repair)
