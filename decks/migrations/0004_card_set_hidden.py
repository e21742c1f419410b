from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("decks", "0003_hidden_decks")]

    operations = [
        migrations.AddField(
            model_name="cardset",
            name="hidden_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="hidden at"),
        ),
    ]
