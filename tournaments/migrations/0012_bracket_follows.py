from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0011_league_players"),
    ]

    operations = [
        migrations.AlterField(
            model_name="pairingchange",
            name="kind",
            field=models.CharField(
                choices=[
                    ("swap", "two players swapped"),
                    ("make", "table made"),
                    ("break", "table broken up"),
                    ("bye", "bye assigned"),
                    ("lock", "table locked"),
                    ("unlock", "table unlocked"),
                    ("move", "table moved"),
                    ("repair", "other tables paired again"),
                    ("follow", "bracket followed a changed result"),
                    ("undo", "change undone"),
                ],
                max_length=10,
            ),
        ),
    ]
