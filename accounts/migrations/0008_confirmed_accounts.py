from django.db import migrations, models

VERBOSE = "confirmed by a site admin"


class Migration(migrations.Migration):
    """Accounts that are there already count as confirmed; those to come do not."""

    dependencies = [("accounts", "0007_link_issuers")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="is_confirmed",
            field=models.BooleanField(default=True, editable=False, verbose_name=VERBOSE),
        ),
        migrations.AlterField(
            model_name="user",
            name="is_confirmed",
            field=models.BooleanField(default=False, editable=False, verbose_name=VERBOSE),
        ),
    ]
