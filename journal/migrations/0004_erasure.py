"""The row by which a transaction says that it erases personal values."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("journal", "0003_contents")]

    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("begun_at", models.DateTimeField(verbose_name="begun at")),
            ],
            options={"verbose_name": "erasure", "verbose_name_plural": "erasures"},
        ),
    ]
