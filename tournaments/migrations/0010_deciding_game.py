"""How the roles of the deciding game are shared out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_round_levels")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="deciding_game",
            field=models.SlugField(blank=True, default="", max_length=40, verbose_name="roles in the deciding game"),
        ),
    ]
