from django.db import migrations, models


class Migration(migrations.Migration):
    """Older entries keep NULL, and the hash they have."""

    dependencies = [("journal", "0001_squashed_0002_work")]

    operations = [
        migrations.AddField(
            model_name="ledgerentry",
            name="contents",
            field=models.JSONField(editable=False, null=True, verbose_name="digests of what was stored"),
        ),
    ]
