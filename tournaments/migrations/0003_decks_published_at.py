from django.db import migrations, models
from django.db.models import F


def publish_finished(apps, schema_editor):
    """What finished events already show stays shown."""
    events = apps.get_model('tournaments', 'Tournament').objects
    shown = events.filter(state='finished', deck_publish__in=('after_cut', 'after_end'))
    shown.update(decks_published_at=F('finished_at'))


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0002_decks_at_events'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='decks_published_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name='tournament',
            name='deck_publish',
            field=models.CharField(choices=[('never', 'never'), ('after_cut', 'to everybody after the cut; without a cut, once the event is finished'), ('after_end', 'to everybody once the event is finished'), ('to_opponent', 'to the opponent when the match starts')], default='never', max_length=12, verbose_name='decklists are shown'),
        ),
        migrations.RunPython(publish_finished, migrations.RunPython.noop),
    ]
