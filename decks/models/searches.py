"""What readers of the rules looked up and did not find."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class MissedSearch(models.Model):
    """Words that no clause of a game has: how often they were looked up, and on which day last; never by whom."""

    game = models.CharField(_("game"), max_length=40)
    words = models.CharField(_("words"), max_length=60)
    count = models.PositiveIntegerField(_("looked up"), default=1)
    last_on = models.DateField(_("last on"))

    class Meta:
        verbose_name = _("search without a result")
        verbose_name_plural = _("searches without a result")
        constraints = [models.UniqueConstraint(fields=["game", "words"], name="missed_search_once")]
        ordering = ["-count", "game", "words"]

    def __str__(self) -> str:
        return self.words
