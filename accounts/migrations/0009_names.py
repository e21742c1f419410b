from django.db import migrations, models

import accounts.models


class Migration(migrations.Migration):
    """The name that others read apart from the one that signs in, which may be any name."""

    dependencies = [("accounts", "0008_confirmed_accounts")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="name",
            field=models.CharField(blank=True, default="", max_length=120, verbose_name="name as others read it"),
        ),
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                max_length=150,
                unique=True,
                validators=[accounts.models.check_name],
                verbose_name="name to sign in with",
            ),
        ),
    ]
