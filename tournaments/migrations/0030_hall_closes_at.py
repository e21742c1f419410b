from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0029_no_shows'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='hall_closes_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='the hall closes at'),
        ),
    ]
