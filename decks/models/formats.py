"""House formats of organisers, and what a coming card list or format version does to stored decks."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import new_public_id
from decks.models.cards import MAX_SLUG_LENGTH, CardList
from decks.models.decks import DeckVersion
from rules_engine.cards import MAX_NAME_LENGTH


class HouseFormat(models.Model):
    """A format that an organiser made from a shipped one; what it changes is in its versions."""

    game = models.SlugField(_("game system"), max_length=MAX_SLUG_LENGTH)
    slug = models.SlugField(_("slug"), max_length=MAX_SLUG_LENGTH)
    base = models.SlugField(_("base format"), max_length=MAX_SLUG_LENGTH)
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="house_formats", verbose_name=_("owner")
    )
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("house format")
        verbose_name_plural = _("house formats")
        ordering = ("game", "name", "id")
        constraints = [models.UniqueConstraint(fields=["game", "slug"], name="one_house_format_per_slug")]

    def __str__(self) -> str:
        return self.name


class HouseFormatVersion(models.Model):
    """What a house format says from `valid_from` on, until a later version; never changed once stored."""

    house_format = models.ForeignKey(
        HouseFormat, models.CASCADE, related_name="versions", verbose_name=_("house format")
    )
    number = models.PositiveIntegerField(_("number"))
    valid_from = models.DateField(_("valid from"))
    changes = models.JSONField(_("changes to the base format"))
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("version of a house format")
        verbose_name_plural = _("versions of house formats")
        ordering = ("house_format", "number")
        constraints = [
            models.UniqueConstraint(fields=["house_format", "number"], name="one_house_format_version_per_number")
        ]

    def __str__(self) -> str:
        return f"{self.house_format_id}/{self.number}"


class Recheck(models.Model):
    """One judging of all stored decks of a format as of the day a drafted card list takes effect."""

    public_id = models.CharField(_("public id"), max_length=16, unique=True, default=new_public_id, editable=False)
    card_list = models.ForeignKey(CardList, models.CASCADE, related_name="rechecks", verbose_name=_("card list"))
    total = models.PositiveIntegerField(_("deck versions to judge"))
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("requested by")
    )
    requested_at = models.DateTimeField(_("requested at"))
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)

    class Meta:
        verbose_name = _("re-check")
        verbose_name_plural = _("re-checks")
        ordering = ("-requested_at", "-id")

    def __str__(self) -> str:
        return self.public_id


class RecheckResult(models.Model):
    """The verdicts on one deck version before and under the list to come, in one variant; `repair` as in a check."""

    recheck = models.ForeignKey(Recheck, models.CASCADE, related_name="results", verbose_name=_("re-check"))
    version = models.ForeignKey(DeckVersion, models.CASCADE, related_name="+", verbose_name=_("deck version"))
    variant = models.SlugField(_("variant"), max_length=MAX_SLUG_LENGTH, blank=True, default="")
    legal_before = models.BooleanField(_("legal before"))
    legal_after = models.BooleanField(_("legal after"))
    report = models.JSONField(_("report"), null=True)
    repair = models.JSONField(_("smallest repair"), null=True)

    class Meta:
        verbose_name = _("result of a re-check")
        verbose_name_plural = _("results of re-checks")
        ordering = ("recheck", "version", "variant")
        constraints = [
            models.UniqueConstraint(fields=["recheck", "version", "variant"], name="one_result_per_version"),
        ]

    def __str__(self) -> str:
        return f"{self.recheck_id}: {self.version_id}"
