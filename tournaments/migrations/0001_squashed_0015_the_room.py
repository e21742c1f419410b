import django.db.models.deletion
import journal.ledger.append_only
import journal.model_batches
import tournaments.models.event
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """What the first edition stored, in one step; it had come to it in the steps named here."""

    replaces = [('tournaments', '0001_initial'), ('tournaments', '0002_decks_at_events'), ('tournaments', '0003_decks_published_at'), ('tournaments', '0004_pairing'), ('tournaments', '0005_pairing_hash'), ('tournaments', '0006_fixed_table_set_at'), ('tournaments', '0007_changes_by_hand'), ('tournaments', '0008_structure'), ('tournaments', '0009_round_levels'), ('tournaments', '0010_deciding_game'), ('tournaments', '0011_league_players'), ('tournaments', '0012_bracket_follows'), ('tournaments', '0013_score_sheets'), ('tournaments', '0014_filed_sheets'), ('tournaments', '0015_the_room')]

    initial = True

    dependencies = [
        ('accounts', '0001_squashed_0005_language'),
        ('decks', '0001_squashed_0004_card_set_hidden'),
        ('scoring', '0001_initial'),
    ]

    operations = [
        journal.model_batches.CreateModels(
            operations=[migrations.CreateModel(
                name='Tournament',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('slug', models.SlugField(editable=False, max_length=80, unique=True)),
                    ('stream', models.CharField(default=tournaments.models.event.new_stream, editable=False, max_length=40, unique=True)),
                    ('name', models.CharField(max_length=120, verbose_name='name')),
                    ('place', models.CharField(blank=True, max_length=160, verbose_name='place')),
                    ('starts_at', models.DateTimeField(verbose_name='starts at')),
                    ('time_zone', models.CharField(default='UTC', max_length=64, validators=[tournaments.models.event.validate_time_zone], verbose_name='time zone')),
                    ('visibility', models.CharField(choices=[('public', 'public: listed for everybody'), ('unlisted', "unlisted: anyone with the link"), ('private', 'private: staff and players only')], default='public', max_length=10, verbose_name='visibility')),
                    ('state', models.CharField(choices=[('draft', 'draft'), ('registration', 'registration open'), ('running', 'running'), ('finished', 'finished'), ('cancelled', 'cancelled')], default='draft', editable=False, max_length=12)),
                    ('game', models.SlugField(max_length=40, verbose_name='game')),
                    ('game_format', models.SlugField(max_length=60, verbose_name='format')),
                    ('best_of', models.PositiveSmallIntegerField(default=3, verbose_name='games a match')),
                    ('exact_games', models.BooleanField(default=False, verbose_name='all games are played')),
                    ('swiss_rounds', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='Swiss rounds')),
                    ('policy', models.JSONField(default=dict)),
                    ('scores_as_recorded', models.BooleanField(default=False, verbose_name='accept scores as recorded elsewhere')),
                    ('players_report', models.BooleanField(default=True, verbose_name='players report their results')),
                    ('check_in', models.BooleanField(default=False, verbose_name='players check in before the start')),
                    ('self_sign_up', models.BooleanField(default=True, verbose_name='players sign up themselves')),
                    ('capacity', models.PositiveIntegerField(blank=True, null=True, verbose_name='capacity')),
                    ('deck_required', models.BooleanField(default=False, verbose_name='a decklist is required')),
                    ('deck_deadline', models.DateTimeField(blank=True, null=True, verbose_name='deck deadline')),
                    ('created_at', models.DateTimeField(editable=False)),
                    ('started_at', models.DateTimeField(editable=False, null=True)),
                    ('finished_at', models.DateTimeField(editable=False, null=True)),
                    ('created_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('deck_publish', models.CharField(choices=[('never', 'never'), ('after_cut', "to everyone after the cut (no cut: after the event)"), ('after_end', 'to everybody once the event is finished'), ('to_opponent', 'to the opponent when the match starts')], default='never', max_length=12, verbose_name='decklists are shown')),
                    ('pinned_lists', models.JSONField(editable=False, null=True)),
                    ('stacking_minutes', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='minutes to stack decks')),
                    ('variant', models.SlugField(blank=True, default='', max_length=60, verbose_name='variant')),
                    ('decks_published_at', models.DateTimeField(editable=False, null=True)),
                    ('pairing', models.JSONField(blank=True, default=dict)),
                    ('rehearsal_of', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='rehearsals', to='tournaments.tournament')),
                    ('shows_outlook', models.BooleanField(default=False, verbose_name='players see what they need')),
                    ('deciding_game', models.SlugField(blank=True, default='', max_length=40, verbose_name='roles in the deciding game')),
                    ('score_sheets', models.BooleanField(default=False, verbose_name='tables fill in a score sheet')),
                    ('sheet_options', models.JSONField(blank=True, default=dict)),
                    ('round_minutes', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='minutes a round')),
                    ('table_reports', models.CharField(choices=[('off', 'off'), ('agreed', "count once another player at the table confirms"), ('staff', 'count once the staff agree')], default='agreed', max_length=6, verbose_name='results by the code on the table')),
                ],
                options={
                    'ordering': ['-starts_at', '-id'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('best_of__gte', 1), ('best_of__lte', 9)), name='tournament_best_of_1_to_9'), models.CheckConstraint(condition=models.Q(('swiss_rounds', None), models.Q(('swiss_rounds__gte', 1), ('swiss_rounds__lte', 99)), _connector='OR'), name='tournament_rounds_1_to_99'), models.CheckConstraint(condition=models.Q(('capacity', None), ('capacity__gte', 2), _connector='OR'), name='tournament_capacity_2_or_more')],
                },
            ), migrations.CreateModel(
                name='Entry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveIntegerField()),
                    ('name', models.CharField(max_length=120, verbose_name='name')),
                    ('club', models.CharField(blank=True, max_length=80, verbose_name='club')),
                    ('state', models.CharField(choices=[('waiting', 'on the waiting list'), ('registered', 'registered'), ('withdrawn', 'withdrawn before the start'), ('dropped', 'dropped'), ('disqualified', 'disqualified')], default='registered', max_length=12)),
                    ('registered_at', models.DateTimeField()),
                    ('checked_in_at', models.DateTimeField(null=True)),
                    ('entered_round', models.PositiveSmallIntegerField(default=1)),
                    ('dropped_after', models.PositiveSmallIntegerField(null=True)),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='tournaments.tournament')),
                    ('fixed_table', models.PositiveIntegerField(blank=True, null=True, verbose_name='fixed table')),
                    ('team', models.CharField(blank=True, default='', max_length=80, verbose_name='team')),
                    ('fixed_table_set_at', models.DateTimeField(editable=False, null=True)),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_entry_a_number'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='entry_has_a_name'), models.CheckConstraint(condition=models.Q(('fixed_table', None), models.Q(('fixed_table__gte', 1), ('fixed_table__lte', 9999)), _connector='OR'), name='fixed_table_1_to_9999'), models.CheckConstraint(condition=models.Q(models.Q(('dropped_after__isnull', False), ('state__in', ['dropped', 'disqualified'])), models.Q(models.Q(('state__in', ['dropped', 'disqualified']), _negated=True), ('dropped_after', None)), _connector='OR'), name='dropped_after_a_round')],
                },
            ), migrations.CreateModel(
                name='Stage',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField(default=1)),
                    ('kind', models.CharField(choices=[('swiss', 'Swiss rounds'), ('round_robin', 'round robin: everybody meets everybody'), ('tables', 'rounds at tables of several players'), ('single', 'single elimination'), ('double', 'double elimination')], default='swiss', max_length=12, verbose_name='kind')),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stages', to='tournaments.tournament')),
                    ('best_of', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='games a match')),
                    ('bracket_reset', models.BooleanField(default=True, verbose_name='the grand final may be played twice')),
                    ('carries_points', models.BooleanField(default=False, verbose_name='points so far count on')),
                    ('name', models.CharField(blank=True, default='', max_length=60, verbose_name='name')),
                    ('planned_rounds', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='rounds')),
                    ('qualify', models.CharField(choices=[('everybody', 'everybody who still plays'), ('top', 'the best of the standings'), ('points', "everyone with enough match points")], default='everybody', max_length=10, verbose_name='who plays on')),
                    ('qualify_value', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('replaces_dropped', models.BooleanField(default=True, verbose_name="the next players replace drops")),
                    ('return_leg', models.BooleanField(default=False, verbose_name='everybody meets twice')),
                    ('seeds', models.JSONField(null=True)),
                    ('started_at', models.DateTimeField(null=True)),
                    ('tables', models.JSONField(blank=True, default=dict)),
                    ('third_place', models.BooleanField(default=False, verbose_name='a match for third place')),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_stage_a_number'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='stages_count_from_1'), models.CheckConstraint(condition=models.Q(models.Q(('qualify', 'everybody'), ('qualify_value', None)), models.Q(models.Q(('qualify', 'everybody'), _negated=True), ('qualify_value__isnull', False)), _connector='OR'), name='cut_has_a_value'), models.CheckConstraint(condition=models.Q(('planned_rounds', None), models.Q(('planned_rounds__gte', 1), ('planned_rounds__lte', 99)), _connector='OR'), name='stage_rounds_1_to_99'), models.CheckConstraint(condition=models.Q(('best_of', None), models.Q(('best_of__gte', 1), ('best_of__lte', 9)), _connector='OR'), name='stage_best_of_1_to_9')],
                },
            ), migrations.CreateModel(
                name='Round',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('version', models.PositiveSmallIntegerField(default=1)),
                    ('state', models.CharField(choices=[('paired', 'paired, not published'), ('published', 'being played'), ('closed', 'closed')], default='paired', max_length=10)),
                    ('seed', models.BigIntegerField(null=True)),
                    ('engine', models.CharField(max_length=40)),
                    ('input_hash', models.CharField(blank=True, max_length=64)),
                    ('cost', models.JSONField(default=dict)),
                    ('proved', models.BooleanField(default=False)),
                    ('paired_at', models.DateTimeField()),
                    ('published_at', models.DateTimeField(null=True)),
                    ('closed_at', models.DateTimeField(null=True)),
                    ('superseded_at', models.DateTimeField(null=True)),
                    ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='tournaments.stage')),
                    ('bound', models.JSONField(default=dict)),
                    ('paired_without', models.JSONField(default=list)),
                    ('results_changed_at', models.DateTimeField(null=True)),
                    ('pairing_hash', models.CharField(blank=True, default='', max_length=64)),
                    ('levels', models.JSONField(default=list)),
                ],
                options={
                    'ordering': ['number', 'version'],
                    'constraints': [models.UniqueConstraint(fields=('stage', 'number', 'version'), name='one_round_version'), models.UniqueConstraint(condition=models.Q(('superseded_at', None)), fields=('stage', 'number'), name='one_round_a_number'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='round_counts_from_1')],
                },
            ), migrations.CreateModel(
                name='EntryMember',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('order', models.PositiveSmallIntegerField(default=1)),
                    ('deck_registered_at', models.DateTimeField(null=True)),
                    ('deck_version', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='decks.deckversion')),
                    ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='tournaments.entry')),
                    ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='accounts.person')),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.tournament')),
                    ('deck_commitment', models.CharField(blank=True, default='', max_length=64)),
                    ('deck_reopened_until', models.DateTimeField(null=True)),
                    ('deck_salt', models.CharField(blank=True, default='', max_length=64)),
                ],
                options={
                    'ordering': ['order'],
                    'constraints': [models.UniqueConstraint(fields=('tournament', 'person'), name='one_entry_a_person'), models.UniqueConstraint(fields=('entry', 'order'), name='one_member_a_place')],
                },
            ), migrations.CreateModel(
                name='StaffInvite',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('role', models.CharField(choices=[('organiser', 'organiser'), ('judge', 'judge'), ('scorekeeper', 'scorekeeper')], max_length=12)),
                    ('token_hash', models.CharField(max_length=64, unique=True)),
                    ('created_at', models.DateTimeField()),
                    ('expires_at', models.DateTimeField()),
                    ('accepted_at', models.DateTimeField(null=True)),
                    ('revoked_at', models.DateTimeField(null=True)),
                    ('accepted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invites', to='tournaments.tournament')),
                ],
                options={
                    'ordering': ['-created_at'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('created_at'))), name='invite_expires_later')],
                },
            ), migrations.CreateModel(
                name='Role',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(choices=[('organiser', 'organiser'), ('judge', 'judge'), ('scorekeeper', 'scorekeeper')], max_length=12)),
                    ('granted_at', models.DateTimeField()),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='event_roles', to=settings.AUTH_USER_MODEL)),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='roles', to='tournaments.tournament')),
                ],
                options={
                    'ordering': ['name', 'user_id'],
                    'constraints': [models.UniqueConstraint(fields=('tournament', 'user', 'name'), name='one_role_row')],
                },
            ), migrations.CreateModel(
                name='DeckCheck',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('outcome', models.CharField(choices=[('ok', 'as registered'), ('problem', 'differs')], max_length=10, verbose_name='outcome')),
                    ('notes', models.CharField(blank=True, max_length=500, verbose_name='notes')),
                    ('checked_at', models.DateTimeField()),
                    ('judge', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('member', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deck_checks', to='tournaments.entrymember')),
                    ('round', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.round')),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deck_checks', to='tournaments.tournament')),
                    ('version', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='decks.deckversion')),
                ],
                options={
                    'ordering': ['-checked_at', '-id'],
                },
            ), migrations.CreateModel(
                name='AwardedBye',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('round_number', models.PositiveSmallIntegerField()),
                    ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='awarded_byes', to='tournaments.entry')),
                ],
                options={
                    'ordering': ['round_number'],
                    'constraints': [models.UniqueConstraint(fields=('entry', 'round_number'), name='one_awarded_bye_a_round'), models.CheckConstraint(condition=models.Q(('round_number__gte', 1), ('round_number__lte', 99)), name='awarded_bye_round_1_to_99')],
                },
            ), migrations.CreateModel(
                name='KeptApart',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('reason', models.CharField(blank=True, max_length=500)),
                    ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                    ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                ],
                options={
                    'verbose_name_plural': 'kept apart',
                    'ordering': ['id'],
                    'constraints': [models.UniqueConstraint(fields=('one', 'other'), name='one_row_kept_apart'), models.CheckConstraint(condition=models.Q(('one__lt', models.F('other'))), name='kept_apart_lower_first')],
                },
            ), migrations.CreateModel(
                name='PairingChange',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('kind', models.CharField(choices=[('swap', 'two players swapped'), ('make', "table created"), ('break', 'table broken up'), ('bye', 'bye assigned'), ('lock', 'table locked'), ('unlock', 'table unlocked'), ('move', 'table moved'), ('repair', 'other tables paired again'), ('follow', 'bracket followed a changed result'), ('undo', 'change undone')], max_length=10)),
                    ('before', models.JSONField()),
                    ('after', models.JSONField()),
                    ('reason', models.CharField(max_length=500)),
                    ('cost_before', models.JSONField(default=dict)),
                    ('cost_after', models.JSONField(default=dict)),
                    ('actor', models.CharField(max_length=40)),
                    ('actor_label', models.CharField(blank=True, max_length=120)),
                    ('made_at', models.DateTimeField()),
                    ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='tournaments.round')),
                    ('undoes', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undone_by', to='tournaments.pairingchange')),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('round', 'number'), name='one_pairing_change_a_number')],
                },
            ), migrations.CreateModel(
                name='StoredRoundInput',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('given', models.JSONField()),
                    ('round', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='stored_input', to='tournaments.round')),
                ],
            ), migrations.CreateModel(
                name='GameRating',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('game', models.SlugField(max_length=40)),
                    ('mu', models.FloatField()),
                    ('sigma', models.FloatField()),
                    ('matches', models.PositiveIntegerField()),
                    ('rated_at', models.DateTimeField()),
                    ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='accounts.person')),
                ],
                options={
                    'ordering': ['game', '-mu'],
                    'constraints': [models.UniqueConstraint(fields=('person', 'game'), name='one_rating_a_game')],
                },
            ), migrations.CreateModel(
                name='OutlookRun',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('position', models.PositiveBigIntegerField()),
                    ('seed', models.BigIntegerField()),
                    ('given', models.JSONField()),
                    ('chunks', models.PositiveSmallIntegerField()),
                    ('samples_a_chunk', models.PositiveIntegerField()),
                    ('asked_at', models.DateTimeField()),
                    ('cancelled_at', models.DateTimeField(null=True)),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outlook_runs', to='tournaments.tournament')),
                ],
                options={
                    'ordering': ['-asked_at', '-id'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('chunks__gte', 1), ('samples_a_chunk__gte', 1)), name='outlook_has_samples')],
                },
            ), migrations.CreateModel(
                name='OutlookChunk',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('counts', models.JSONField()),
                    ('done_at', models.DateTimeField()),
                    ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='done', to='tournaments.outlookrun')),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('run', 'number'), name='one_outlook_chunk_a_number')],
                },
            ), migrations.CreateModel(
                name='Announcement',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('text', models.CharField(max_length=300, verbose_name='text')),
                    ('is_urgent', models.BooleanField(default=False, verbose_name='urgent: large on every screen')),
                    ('actor', models.CharField(max_length=40)),
                    ('actor_label', models.CharField(blank=True, max_length=120)),
                    ('posted_at', models.DateTimeField()),
                    ('withdrawn_at', models.DateTimeField(null=True)),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='announcements', to='tournaments.tournament')),
                ],
                options={
                    'ordering': ['-posted_at', '-id'],
                },
            ), migrations.CreateModel(
                name='RoundClock',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('phase', models.CharField(choices=[('round', 'round'), ('stacking', 'stacking decks')], default='round', max_length=10)),
                    ('length_seconds', models.PositiveIntegerField()),
                    ('started_at', models.DateTimeField(null=True)),
                    ('paused_at', models.DateTimeField(null=True)),
                    ('paused_seconds', models.PositiveIntegerField(default=0)),
                    ('stopped_at', models.DateTimeField(null=True)),
                    ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='clocks', to='tournaments.round')),
                ],
                options={
                    'ordering': ['id'],
                    'constraints': [models.UniqueConstraint(fields=('round', 'phase'), name='one_clock_a_phase'), models.CheckConstraint(condition=models.Q(('length_seconds__gte', 1)), name='clock_has_a_length'), models.CheckConstraint(condition=models.Q(('started_at__isnull', False), models.Q(('paused_at', None), ('stopped_at', None)), _connector='OR'), name='clock_begins_first')],
                },
            ), migrations.CreateModel(
                name='TableCode',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table_number', models.PositiveIntegerField()),
                    ('token_hash', models.CharField(max_length=64, unique=True)),
                    ('created_at', models.DateTimeField()),
                    ('valid_from', models.DateTimeField()),
                    ('expires_at', models.DateTimeField()),
                    ('revoked_at', models.DateTimeField(null=True)),
                    ('issued_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='table_codes', to='tournaments.tournament')),
                ],
                options={
                    'ordering': ['table_number', '-id'],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('revoked_at', None)), fields=('tournament', 'table_number'), name='one_code_a_table'), models.CheckConstraint(condition=models.Q(('table_number__gte', 1)), name='codes_of_tables_from_1'), models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('valid_from'))), name='table_code_expires_later')],
                },
            ), migrations.CreateModel(
                name='Match',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table_number', models.PositiveIntegerField(null=True)),
                    ('kind', models.CharField(choices=[('played', 'played'), ('bye', 'bye'), ('no_show', 'no-show'), ('awarded', 'awarded'), ('solo', 'solo')], default='played', max_length=10)),
                    ('state', models.CharField(choices=[('open', 'playing'), ('reported', 'reported, not confirmed'), ('conflict', 'two different reports'), ('done', 'done')], default='open', max_length=10)),
                    ('version', models.PositiveIntegerField(default=0)),
                    ('standing_report', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.resultreport')),
                    ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='tournaments.round')),
                    ('explanation', models.JSONField(default=list)),
                    ('locked', models.BooleanField(default=False)),
                    ('bracket', models.CharField(blank=True, default='', max_length=12)),
                    ('extra_seconds', models.PositiveSmallIntegerField(default=0)),
                ],
                options={
                    'verbose_name_plural': 'matches',
                    'ordering': ['table_number', 'id'],
                    'constraints': [models.UniqueConstraint(fields=('round', 'table_number'), name='one_match_a_table'), models.CheckConstraint(condition=models.Q(models.Q(('standing_report__isnull', False), ('state', 'done')), models.Q(models.Q(('state', 'done'), _negated=True), ('standing_report', None)), _connector='OR'), name='done_has_a_report'), models.CheckConstraint(condition=models.Q(('table_number', None), ('table_number__gte', 1), _connector='OR'), name='tables_count_from_1')],
                },
            ), migrations.CreateModel(
                name='Seat',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('order', models.PositiveSmallIntegerField()),
                    ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournaments.entry')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournaments.match')),
                    ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='tournaments.entrymember')),
                    ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.round')),
                ],
                options={
                    'ordering': ['order'],
                    'constraints': [models.UniqueConstraint(fields=('match', 'order'), name='one_seat_a_place'), models.UniqueConstraint(fields=('round', 'member'), name='one_seat_a_round'), models.CheckConstraint(condition=models.Q(('order__gte', 1), ('order__lte', 12)), name='seat_order_1_to_12')],
                },
            ), migrations.CreateModel(
                name='ResultReport',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('kind', models.CharField(choices=[('played', 'played'), ('intentional_draw', 'intentional draw'), ('no_show', 'no-show'), ('double_loss', 'double loss'), ('match_loss', 'match loss'), ('bye', 'bye')], default='played', max_length=16)),
                    ('games_drawn', models.PositiveSmallIntegerField(default=0)),
                    ('games_lost', models.PositiveSmallIntegerField(default=0)),
                    ('games', models.JSONField(default=list)),
                    ('actor', models.CharField(max_length=40)),
                    ('actor_label', models.CharField(blank=True, max_length=120)),
                    ('role', models.CharField(max_length=12)),
                    ('reason', models.CharField(blank=True, max_length=500)),
                    ('reported_at', models.DateTimeField()),
                    ('corrects', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='tournaments.resultreport')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='tournaments.match')),
                    ('by_seat', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.seat')),
                    ('sheet_revision', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.sheetrevision')),
                ],
                options={
                    'ordering': ['number'],
                    'constraints': [models.UniqueConstraint(fields=('match', 'number'), name='one_report_a_number'), models.CheckConstraint(condition=models.Q(('games_drawn__lte', 99), ('games_lost__lte', 99)), name='report_games_in_range'), models.CheckConstraint(condition=models.Q(('corrects', None), models.Q(('reason', ''), _negated=True), _connector='OR'), name='correction_has_a_reason')],
                },
            ), migrations.CreateModel(
                name='ReportAct',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(choices=[('confirm', 'confirmed'), ('dispute', 'disputed'), ('settle', 'settled')], max_length=8)),
                    ('actor', models.CharField(max_length=40)),
                    ('actor_label', models.CharField(blank=True, max_length=120)),
                    ('role', models.CharField(max_length=12)),
                    ('reason', models.CharField(blank=True, max_length=500)),
                    ('acted_at', models.DateTimeField()),
                    ('after_report', models.PositiveSmallIntegerField()),
                    ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='tournaments.resultreport')),
                ],
                options={
                    'ordering': ['id'],
                },
            ), migrations.CreateModel(
                name='SeatResult',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('outcome', models.CharField(choices=[('win', 'won'), ('draw', 'drawn'), ('loss', 'lost')], max_length=4)),
                    ('games_won', models.PositiveSmallIntegerField(default=0)),
                    ('report', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seat_results', to='tournaments.resultreport')),
                    ('seat', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='tournaments.seat')),
                    ('placing', models.PositiveSmallIntegerField(null=True)),
                    ('score', models.DecimalField(decimal_places=1, max_digits=7, null=True)),
                ],
                options={
                    'ordering': ['seat__order'],
                    'constraints': [models.UniqueConstraint(fields=('report', 'seat'), name='one_result_a_seat'), models.CheckConstraint(condition=models.Q(('games_won__lte', 99)), name='seat_games_in_range'), models.CheckConstraint(condition=models.Q(('outcome__in', ['win', 'draw', 'loss'])), name='seat_outcome_known')],
                },
            ), migrations.CreateModel(
                name='DeckPlacement',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('game', models.PositiveSmallIntegerField()),
                    ('placed_at', models.DateTimeField()),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placements', to='tournaments.match')),
                    ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placements', to='tournaments.seat')),
                ],
                options={
                    'ordering': ['game', 'placed_at'],
                    'constraints': [models.UniqueConstraint(fields=('seat', 'game'), name='one_placement_a_game'), models.CheckConstraint(condition=models.Q(('game__gte', 1)), name='games_count_from_1')],
                },
            ), migrations.CreateModel(
                name='Amendment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('correction', 'result corrected'), ('drop', 'drop'), ('penalty', 'penalty')], max_length=10)),
                    ('after_round', models.PositiveSmallIntegerField()),
                    ('reason', models.CharField(blank=True, max_length=500)),
                    ('lines', models.JSONField(default=list)),
                    ('made_at', models.DateTimeField()),
                    ('entry', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                    ('report', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.resultreport')),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='amendments', to='tournaments.tournament')),
                ],
                options={
                    'ordering': ['-made_at', '-id'],
                },
            ), migrations.CreateModel(
                name='Penalty',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('warning', 'warning'), ('game_loss', 'game loss'), ('match_loss', 'match loss'), ('disqualification', 'disqualification')], max_length=16, verbose_name='penalty')),
                    ('infraction', models.CharField(max_length=120, verbose_name='infraction')),
                    ('notes', models.CharField(blank=True, max_length=1000, verbose_name='notes')),
                    ('actor', models.CharField(max_length=40)),
                    ('actor_label', models.CharField(blank=True, max_length=120)),
                    ('given_at', models.DateTimeField()),
                    ('taken_back_at', models.DateTimeField(null=True)),
                    ('taken_back_by', models.CharField(blank=True, max_length=40)),
                    ('taken_back_reason', models.CharField(blank=True, max_length=500)),
                    ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='penalties', to='tournaments.entry')),
                    ('match', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='penalties', to='tournaments.match')),
                    ('report', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='penalties', to='tournaments.resultreport')),
                    ('round', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.round')),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='penalties', to='tournaments.tournament')),
                ],
                options={
                    'verbose_name_plural': 'penalties',
                    'ordering': ['-given_at', '-id'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('infraction', ''), _negated=True), name='penalty_names_an_infraction'), models.CheckConstraint(condition=models.Q(('taken_back_at', None), models.Q(('taken_back_reason', ''), _negated=True), _connector='OR'), name='penalty_taken_back_with_a_reason')],
                },
            ), migrations.CreateModel(
                name='MatchSheet',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='score_sheet', to='tournaments.match')),
                    ('sheet', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.scoresheet')),
                    ('corrects', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.resultreport')),
                    ('filed_from', models.PositiveSmallIntegerField(default=0)),
                    ('reason', models.CharField(blank=True, default='', max_length=500)),
                    ('returned', models.CharField(blank=True, default='', max_length=1000)),
                ],
            ), migrations.CreateModel(
                name='JudgeCall',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('rules', 'rules question'), ('result', 'about the result'), ('deck', 'about a deck'), ('other', 'something else')], default='rules', max_length=10)),
                    ('note', models.CharField(blank=True, max_length=300)),
                    ('state', models.CharField(choices=[('open', 'waiting for a judge'), ('claimed', 'a judge is on the way'), ('escalated', 'handed on to the head judge'), ('resolved', 'resolved'), ('withdrawn', "undone")], default='open', max_length=10)),
                    ('called_at', models.DateTimeField()),
                    ('claimed_at', models.DateTimeField(null=True)),
                    ('escalated_at', models.DateTimeField(null=True)),
                    ('ended_at', models.DateTimeField(null=True)),
                    ('outcome', models.CharField(blank=True, max_length=500)),
                    ('judge', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judge_calls', to='tournaments.match')),
                    ('member', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='judge_calls', to='tournaments.entrymember')),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judge_calls', to='tournaments.tournament')),
                ],
                options={
                    'ordering': ['called_at', 'id'],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ['open', 'claimed', 'escalated'])), fields=('match',), name='one_open_call_a_match'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', False), ('state__in', ['resolved', 'withdrawn'])), models.Q(('ended_at', None), ('state__in', ['open', 'claimed', 'escalated'])), _connector='OR'), name='ended_calls_have_an_end')],
                },
            ), migrations.CreateModel(
                name='League',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('slug', models.SlugField(editable=False, max_length=80, unique=True)),
                    ('stream', models.CharField(default=tournaments.models.event.new_stream, editable=False, max_length=40, unique=True)),
                    ('name', models.CharField(max_length=120, verbose_name='name')),
                    ('game', models.SlugField(blank=True, default='', max_length=40, verbose_name='game')),
                    ('visibility', models.CharField(choices=[('public', 'public: listed for everybody'), ('unlisted', "unlisted: anyone with the link"), ('private', 'private: staff and players only')], default='public', max_length=10, verbose_name='visibility')),
                    ('points', models.JSONField(default=list, verbose_name='points by rank')),
                    ('points_for_playing', models.PositiveSmallIntegerField(default=0, verbose_name='points for everybody else')),
                    ('best_of_events', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='best events that count')),
                    ('created_at', models.DateTimeField(editable=False)),
                    ('finished_at', models.DateTimeField(editable=False, null=True)),
                    ('organisers', models.ManyToManyField(related_name='leagues', to=settings.AUTH_USER_MODEL)),
                    ('tournaments', models.ManyToManyField(related_name='leagues', through='tournaments.LeagueEvent', to='tournaments.tournament')),
                ],
                options={
                    'ordering': ['-created_at', '-id'],
                    'constraints': [models.CheckConstraint(condition=models.Q(('best_of_events', None), ('best_of_events__gte', 1), _connector='OR'), name='league_counts_an_event')],
                },
            ), migrations.CreateModel(
                name='LeagueEvent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('weight', models.PositiveSmallIntegerField(default=1, verbose_name='weight')),
                    ('added_at', models.DateTimeField()),
                    ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='tournaments.league')),
                    ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='league_events', to='tournaments.tournament')),
                ],
                options={
                    'ordering': ['tournament__starts_at', 'id'],
                    'constraints': [models.UniqueConstraint(fields=('league', 'tournament'), name='one_league_event'), models.CheckConstraint(condition=models.Q(('weight__gte', 1), ('weight__lte', 9)), name='league_weight_1_to_9')],
                },
            ), migrations.CreateModel(
                name='LeaguePlayer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('counts_as', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.person')),
                    ('league', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='tournaments.league')),
                    ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.person')),
                ],
                options={
                    'ordering': ['id'],
                    'constraints': [models.UniqueConstraint(fields=('league', 'person'), name='one_word_about_a_person')],
                },
            )],
        ),
        journal.ledger.append_only.AppendOnly(
            table='tournaments_resultreport',
        ),
        journal.ledger.append_only.AppendOnly(
            table='tournaments_seatresult',
        ),
        journal.ledger.append_only.AppendOnly(
            table='tournaments_reportact',
        ),
        journal.ledger.append_only.AppendOnly(
            table='tournaments_pairingchange',
        ),
        journal.ledger.append_only.AppendOnly(
            table='tournaments_amendment',
        ),
    ]
