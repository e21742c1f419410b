import accounts.models
import decks.models.cards
import django.db.models.deletion
import journal.model_batches
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """What the first edition stored, in one step; it had come to it in the steps named here."""

    replaces = [('decks', '0001_initial'), ('decks', '0002_formats_and_rechecks'), ('decks', '0003_hidden_decks'), ('decks', '0004_card_set_hidden')]

    initial = True

    dependencies = [
        ('accounts', '0001_squashed_0005_language'),
    ]

    operations = [
        journal.model_batches.CreateModels(
            operations=[migrations.CreateModel(
                name='CardList',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('game', models.SlugField(max_length=60, verbose_name='game system')),
                    ('format', models.SlugField(max_length=60, verbose_name='format')),
                    ('slug', models.SlugField(max_length=60, verbose_name='slug')),
                    ('name', models.CharField(max_length=200, verbose_name='name')),
                    ('valid_from', models.DateField(verbose_name='valid from')),
                    ('digest', models.CharField(max_length=64, verbose_name='digest of the entries')),
                    ('announced_at', models.DateTimeField(blank=True, null=True, verbose_name='announced at')),
                    ('announced_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='announced by')),
                    ('state', models.CharField(choices=[('draft', 'draft'), ('announced', 'announced')], default='announced', max_length=10, verbose_name='state')),
                ],
                options={
                    'verbose_name': 'card list',
                    'verbose_name_plural': 'card lists',
                    'ordering': ('game', 'format', 'slug', 'valid_from'),
                    'constraints': [models.UniqueConstraint(fields=('game', 'format', 'slug', 'valid_from'), name='one_card_list_per_day')],
                },
            ), migrations.CreateModel(
                name='CardSet',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('game', models.SlugField(max_length=60, verbose_name='game system')),
                    ('slug', models.SlugField(max_length=60, verbose_name='slug')),
                    ('name', models.CharField(max_length=200, verbose_name='name')),
                    ('sample', models.BooleanField(default=False, verbose_name='sample set')),
                    ('digest', models.CharField(max_length=64, verbose_name='digest of the cards as read')),
                    ('catalogue_version', models.CharField(default=decks.models.cards.new_catalogue_version, max_length=16, verbose_name="version of the game's cards")),
                    ('loaded_at', models.DateTimeField(verbose_name='loaded at')),
                    ('hidden_at', models.DateTimeField(blank=True, null=True, verbose_name='hidden at')),
                ],
                options={
                    'verbose_name': 'card set',
                    'verbose_name_plural': 'card sets',
                    'ordering': ('game', 'name'),
                    'constraints': [models.UniqueConstraint(fields=('game', 'slug'), name='one_card_set_per_slug')],
                },
            ), migrations.CreateModel(
                name='Deck',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('public_id', models.CharField(default=accounts.models.new_public_id, editable=False, max_length=16, unique=True, verbose_name='public id')),
                    ('game', models.SlugField(max_length=60, verbose_name='game system')),
                    ('format', models.SlugField(max_length=60, verbose_name='format')),
                    ('name', models.CharField(max_length=200, verbose_name='name')),
                    ('created_at', models.DateTimeField(verbose_name='created at')),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decks', to='accounts.person', verbose_name='owner')),
                    ('hidden_at', models.DateTimeField(blank=True, null=True, verbose_name="taken off the owner's list at")),
                ],
                options={
                    'verbose_name': 'deck',
                    'verbose_name_plural': 'decks',
                    'ordering': ('created_at', 'id'),
                    'constraints': [models.UniqueConstraint(condition=models.Q(('hidden_at', None)), fields=('owner', 'game', 'format', 'name'), name='one_shown_deck_per_name')],
                },
            ), migrations.CreateModel(
                name='DeckVersion',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('public_id', models.CharField(default=accounts.models.new_public_id, editable=False, max_length=16, unique=True, verbose_name='public id')),
                    ('number', models.PositiveIntegerField(verbose_name='number')),
                    ('entries', models.JSONField(verbose_name='cards')),
                    ('digest', models.CharField(max_length=64, verbose_name='digest of the cards')),
                    ('source_text', models.TextField(verbose_name='text as entered')),
                    ('created_at', models.DateTimeField(verbose_name='created at')),
                    ('frozen_at', models.DateTimeField(blank=True, null=True, verbose_name='frozen at')),
                    ('deck', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='versions', to='decks.deck', verbose_name='deck')),
                ],
                options={
                    'verbose_name': 'deck version',
                    'verbose_name_plural': 'deck versions',
                    'ordering': ('deck', 'number'),
                    'constraints': [models.UniqueConstraint(fields=('deck', 'number'), name='one_deck_version_per_number')],
                },
            ), migrations.CreateModel(
                name='LegalityCheck',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('format', models.SlugField(max_length=60, verbose_name='format')),
                    ('on_date', models.DateField(verbose_name='judged as of')),
                    ('lists', models.JSONField(verbose_name='card lists in force')),
                    ('legal', models.BooleanField(null=True, verbose_name='legal')),
                    ('report', models.JSONField(verbose_name='report')),
                    ('checked_at', models.DateTimeField(verbose_name='checked at')),
                    ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checks', to='decks.deckversion', verbose_name='deck version')),
                    ('repair', models.JSONField(null=True, verbose_name='smallest repair')),
                    ('variant', models.SlugField(blank=True, default='', max_length=60, verbose_name='variant')),
                ],
                options={
                    'verbose_name': 'legality check',
                    'verbose_name_plural': 'legality checks',
                    'ordering': ('checked_at', 'id'),
                },
            ), migrations.CreateModel(
                name='CardListEntry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=200, verbose_name='card')),
                    ('normalised_name', models.CharField(max_length=800, verbose_name='name for comparison')),
                    ('max_copies', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='copies allowed')),
                    ('card_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='decks.cardlist', verbose_name='card list')),
                    ('variant', models.SlugField(blank=True, default='', max_length=60, verbose_name='variant')),
                ],
                options={
                    'verbose_name': 'entry of a card list',
                    'verbose_name_plural': 'entries of card lists',
                    'ordering': ('normalised_name',),
                    'constraints': [models.UniqueConstraint(fields=('card_list', 'normalised_name', 'variant'), name='one_entry_per_card')],
                },
            ), migrations.CreateModel(
                name='Card',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('game', models.SlugField(max_length=60, verbose_name='game system')),
                    ('name', models.CharField(max_length=200, verbose_name='name')),
                    ('normalised_name', models.CharField(max_length=800, verbose_name='name for comparison')),
                    ('card_type', models.CharField(max_length=60, verbose_name='type')),
                    ('facts', models.JSONField(default=dict, verbose_name='facts')),
                    ('card_set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cards', to='decks.cardset', verbose_name='card set')),
                ],
                options={
                    'verbose_name': 'card',
                    'verbose_name_plural': 'cards',
                    'ordering': ('normalised_name',),
                    'constraints': [models.UniqueConstraint(fields=('game', 'normalised_name'), name='one_card_per_name')],
                },
            ), migrations.CreateModel(
                name='HouseFormat',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('game', models.SlugField(max_length=60, verbose_name='game system')),
                    ('slug', models.SlugField(max_length=60, verbose_name='slug')),
                    ('base', models.SlugField(max_length=60, verbose_name='base format')),
                    ('name', models.CharField(max_length=200, verbose_name='name')),
                    ('created_at', models.DateTimeField(verbose_name='created at')),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='house_formats', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
                ],
                options={
                    'verbose_name': 'house format',
                    'verbose_name_plural': 'house formats',
                    'ordering': ('game', 'name', 'id'),
                    'constraints': [models.UniqueConstraint(fields=('game', 'slug'), name='one_house_format_per_slug')],
                },
            ), migrations.CreateModel(
                name='HouseFormatVersion',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveIntegerField(verbose_name='number')),
                    ('valid_from', models.DateField(verbose_name='valid from')),
                    ('changes', models.JSONField(verbose_name='changes to the base format')),
                    ('created_at', models.DateTimeField(verbose_name='created at')),
                    ('house_format', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='decks.houseformat', verbose_name='house format')),
                ],
                options={
                    'verbose_name': 'version of a house format',
                    'verbose_name_plural': 'versions of house formats',
                    'ordering': ('house_format', 'number'),
                    'constraints': [models.UniqueConstraint(fields=('house_format', 'number'), name='one_house_format_version_per_number')],
                },
            ), migrations.CreateModel(
                name='Recheck',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('public_id', models.CharField(default=accounts.models.new_public_id, editable=False, max_length=16, unique=True, verbose_name='public id')),
                    ('total', models.PositiveIntegerField(verbose_name='deck versions to judge')),
                    ('requested_at', models.DateTimeField(verbose_name='requested at')),
                    ('finished_at', models.DateTimeField(blank=True, null=True, verbose_name='finished at')),
                    ('cancelled_at', models.DateTimeField(blank=True, null=True, verbose_name='cancelled at')),
                    ('card_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rechecks', to='decks.cardlist', verbose_name='card list')),
                    ('requested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='requested by')),
                ],
                options={
                    'verbose_name': 're-check',
                    'verbose_name_plural': 're-checks',
                    'ordering': ('-requested_at', '-id'),
                },
            ), migrations.CreateModel(
                name='RecheckResult',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('variant', models.SlugField(blank=True, default='', max_length=60, verbose_name='variant')),
                    ('legal_before', models.BooleanField(verbose_name='legal before')),
                    ('legal_after', models.BooleanField(verbose_name='legal after')),
                    ('report', models.JSONField(null=True, verbose_name='report')),
                    ('repair', models.JSONField(null=True, verbose_name='smallest repair')),
                    ('recheck', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='decks.recheck', verbose_name='re-check')),
                    ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='decks.deckversion', verbose_name='deck version')),
                ],
                options={
                    'verbose_name': 'result of a re-check',
                    'verbose_name_plural': 'results of re-checks',
                    'ordering': ('recheck', 'version', 'variant'),
                    'constraints': [models.UniqueConstraint(fields=('recheck', 'version', 'variant'), name='one_result_per_version')],
                },
            )],
        ),
    ]
