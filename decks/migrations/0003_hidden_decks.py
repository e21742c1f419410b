from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("decks", "0002_formats_and_rechecks")]

    operations = [
        migrations.RemoveConstraint(model_name="deck", name="one_deck_per_name"),
        migrations.AddField(
            model_name="deck",
            name="hidden_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="taken off the owner's list at"),
        ),
        migrations.AddConstraint(
            model_name="deck",
            constraint=models.UniqueConstraint(
                condition=models.Q(("hidden_at", None)),
                fields=("owner", "game", "format", "name"),
                name="one_shown_deck_per_name",
            ),
        ),
    ]
