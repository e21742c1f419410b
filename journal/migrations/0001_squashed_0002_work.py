import django.db.models.deletion
import journal.ledger.append_only
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):
    """What the first edition stored, in one step; it had come to it in the steps named here."""

    replaces = [('journal', '0001_initial'), ('journal', '0002_work')]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='LedgerHead',
            fields=[
                ('stream', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='stream')),
                ('sequence', models.PositiveBigIntegerField(default=0, verbose_name='number')),
                ('hash', models.CharField(blank=True, default='', max_length=64, verbose_name='hash')),
            ],
            options={
                'verbose_name': 'head of a ledger stream',
                'verbose_name_plural': 'heads of ledger streams',
            },
        ),
        migrations.CreateModel(
            name='IdempotencyKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scope', models.CharField(max_length=100, verbose_name='scope')),
                ('key', models.CharField(max_length=200, verbose_name='key')),
                ('fingerprint', models.CharField(max_length=64, verbose_name='fingerprint')),
                ('status', models.PositiveSmallIntegerField(default=0, verbose_name='status')),
                ('headers', models.JSONField(default=dict, verbose_name='headers')),
                ('body', models.BinaryField(default=bytes, verbose_name='body')),
                ('session_key', models.CharField(blank=True, max_length=40, verbose_name='session handed out')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created at')),
            ],
            options={
                'verbose_name': 'idempotency key',
                'verbose_name_plural': 'idempotency keys',
                'indexes': [models.Index(fields=['created_at'], name='journal_key_age')],
                'constraints': [models.UniqueConstraint(fields=('scope', 'key'), name='journal_key_once')],
            },
        ),
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stream', models.CharField(max_length=40, verbose_name='stream')),
                ('sequence', models.PositiveBigIntegerField(verbose_name='number')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('actor', models.CharField(max_length=40, verbose_name='actor')),
                ('role', models.CharField(blank=True, max_length=40, verbose_name='role')),
                ('act', models.CharField(max_length=60, verbose_name='act')),
                ('subjects', models.JSONField(default=dict, verbose_name='subjects')),
                ('digests', models.JSONField(default=dict, verbose_name='digests of personal values')),
                ('previous_hash', models.CharField(blank=True, max_length=64, verbose_name='hash of the entry before')),
                ('hash', models.CharField(max_length=64, verbose_name='hash')),
            ],
            options={
                'verbose_name': 'ledger entry',
                'verbose_name_plural': 'ledger entries',
                'ordering': ('stream', 'sequence'),
                'constraints': [models.UniqueConstraint(fields=('stream', 'sequence'), name='journal_entry_once')],
            },
        ),
        migrations.CreateModel(
            name='OutboxMessage',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('task', models.CharField(max_length=120, verbose_name='task')),
                ('args', models.JSONField(default=list, verbose_name='arguments')),
                ('created_at', models.DateTimeField(verbose_name='created at')),
                ('available_at', models.DateTimeField(verbose_name='due at')),
                ('delivered_at', models.DateTimeField(blank=True, null=True, verbose_name='delivered at')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('parked_at', models.DateTimeField(blank=True, null=True, verbose_name='parked at')),
                ('last_error', models.CharField(blank=True, max_length=500, verbose_name='last error')),
                ('begun_at', models.DateTimeField(blank=True, null=True, verbose_name='begun at')),
                ('done_at', models.DateTimeField(blank=True, null=True, verbose_name='done at')),
                ('leased_until', models.DateTimeField(blank=True, null=True, verbose_name='held until')),
                ('starts', models.PositiveSmallIntegerField(default=0, verbose_name='starts')),
                ('stream', models.CharField(blank=True, default='', max_length=40, verbose_name='stream')),
                ('worker', models.CharField(blank=True, default='', max_length=120, verbose_name='worker')),
            ],
            options={
                'verbose_name': 'outbox message',
                'verbose_name_plural': 'outbox messages',
                'indexes': [models.Index(condition=models.Q(('delivered_at', None), ('parked_at', None)), fields=['available_at'], name='journal_outbox_due'), models.Index(fields=['delivered_at'], name='journal_outbox_delivered'), models.Index(fields=['begun_at'], name='journal_outbox_begun'), models.Index(condition=models.Q(('done_at', None)), fields=['stream', 'created_at'], name='journal_outbox_open')],
            },
        ),
        migrations.CreateModel(
            name='PersonalValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=60, verbose_name='key')),
                ('salt', models.CharField(max_length=64, verbose_name='salt')),
                ('value', models.TextField(verbose_name='value')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='personal_values', to='journal.ledgerentry', verbose_name='entry')),
            ],
            options={
                'verbose_name': 'personal value',
                'verbose_name_plural': 'personal values',
                'constraints': [models.UniqueConstraint(fields=('entry', 'key'), name='journal_personal_value_once')],
            },
        ),
        journal.ledger.append_only.AppendOnly(
            table='journal_ledgerentry',
        ),
    ]
