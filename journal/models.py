"""The ledger of acts, the outbox of background work, and the answers kept for repeated requests."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _


class LedgerHead(models.Model):
    """The newest entry of a stream: the row that every append locks."""

    stream = models.CharField(_("stream"), max_length=40, primary_key=True)
    sequence = models.PositiveBigIntegerField(_("number"), default=0)
    hash = models.CharField(_("hash"), max_length=64, blank=True, default="")

    class Meta:
        verbose_name = _("head of a ledger stream")
        verbose_name_plural = _("heads of ledger streams")

    def __str__(self) -> str:
        return f"{self.stream}:{self.sequence}"


class LedgerEntry(models.Model):
    """One act of one actor; append-only in the database, chained to the entry before it by hash."""

    stream = models.CharField(_("stream"), max_length=40)
    sequence = models.PositiveBigIntegerField(_("number"))
    at = models.DateTimeField(_("at"))
    actor = models.CharField(_("actor"), max_length=40)
    role = models.CharField(_("role"), max_length=40, blank=True)
    act = models.CharField(_("act"), max_length=60)
    subjects = models.JSONField(_("subjects"), default=dict)
    digests = models.JSONField(_("digests of personal values"), default=dict)
    contents = models.JSONField(_("digests of what was stored"), null=True, editable=False)
    previous_hash = models.CharField(_("hash of the entry before"), max_length=64, blank=True)
    hash = models.CharField(_("hash"), max_length=64)

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        ordering = ("stream", "sequence")
        constraints = [models.UniqueConstraint(fields=("stream", "sequence"), name="journal_entry_once")]

    def __str__(self) -> str:
        return f"{self.stream}:{self.sequence} {self.act}"


class PersonalValue(models.Model):
    """A personal value behind a digest of an entry, with its salt: erasing the row leaves the chain whole."""

    entry = models.ForeignKey(LedgerEntry, models.PROTECT, related_name="personal_values", verbose_name=_("entry"))
    key = models.CharField(_("key"), max_length=60)
    salt = models.CharField(_("salt"), max_length=64)
    value = models.TextField(_("value"))

    class Meta:
        verbose_name = _("personal value")
        verbose_name_plural = _("personal values")
        constraints = [models.UniqueConstraint(fields=("entry", "key"), name="journal_personal_value_once")]

    def __str__(self) -> str:
        return f"{self.entry_id}:{self.key}"


class OutboxMessage(models.Model):
    """Background work that was asked for in the same transaction as the act that needs it; arguments are ids only.

    The row is the truth about the work, the queue only carries it: `delivered_at` says that a relay handed it over,
    `done_at` that it was done. Whoever works on it holds it until `leased_until`; `starts` counts who began, and fences
    off whoever lost the lease. `attempts` counts the tries, to send or to do it, that ended in a reported fault.
    `parked_at`: begun three times in vain, or impossible to send; a person looks at it. `stream` is the event or sheet
    it is for, "" for none.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.CharField(_("task"), max_length=120)
    args = models.JSONField(_("arguments"), default=list)
    stream = models.CharField(_("stream"), max_length=40, blank=True, default="")
    created_at = models.DateTimeField(_("created at"))
    available_at = models.DateTimeField(_("due at"))
    delivered_at = models.DateTimeField(_("delivered at"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    parked_at = models.DateTimeField(_("parked at"), null=True, blank=True)
    last_error = models.CharField(_("last error"), max_length=500, blank=True)
    begun_at = models.DateTimeField(_("begun at"), null=True, blank=True)
    starts = models.PositiveSmallIntegerField(_("starts"), default=0)
    worker = models.CharField(_("worker"), max_length=120, blank=True, default="")
    leased_until = models.DateTimeField(_("held until"), null=True, blank=True)
    done_at = models.DateTimeField(_("done at"), null=True, blank=True)

    class Meta:
        verbose_name = _("outbox message")
        verbose_name_plural = _("outbox messages")
        indexes = [
            models.Index(
                fields=("available_at",),
                name="journal_outbox_due",
                condition=models.Q(delivered_at=None, parked_at=None),
            ),
            models.Index(fields=("delivered_at",), name="journal_outbox_delivered"),
            models.Index(fields=("begun_at",), name="journal_outbox_begun"),
            models.Index(
                fields=("stream", "created_at"),
                name="journal_outbox_open",
                condition=models.Q(done_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.id}"


class IdempotencyKey(models.Model):
    """The answer given to an unsafe request that carried a key; a repeat gets the same answer again."""

    scope = models.CharField(_("scope"), max_length=100)
    key = models.CharField(_("key"), max_length=200)
    fingerprint = models.CharField(_("fingerprint"), max_length=64)
    status = models.PositiveSmallIntegerField(_("status"), default=0)
    headers = models.JSONField(_("headers"), default=dict)
    body = models.BinaryField(_("body"), default=bytes)
    session_key = models.CharField(_("session handed out"), max_length=40, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("idempotency key")
        verbose_name_plural = _("idempotency keys")
        constraints = [models.UniqueConstraint(fields=("scope", "key"), name="journal_key_once")]
        indexes = [models.Index(fields=("created_at",), name="journal_key_age")]

    def __str__(self) -> str:
        return f"{self.scope} {self.key}"


class Erasure(models.Model):
    """That the running transaction erases personal values; see journal/ledger/erasing.py. No commit holds a row."""

    begun_at = models.DateTimeField(_("begun at"))

    class Meta:
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")

    def __str__(self) -> str:
        return str(self.pk)
