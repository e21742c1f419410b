from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0039_withdrawn_entries"),
    ]

    operations = [
        migrations.AlterField(
            model_name="pairingchange",
            name="kind",
            field=models.CharField(choices=[("swap", "two players swapped"), ("make", "table created"), ("break", "table broken up"), ("bye", "bye assigned"), ("lock", "table locked"), ("unlock", "table unlocked"), ("move", "table moved"), ("seat", "player seated at a table"), ("unseat", "player taken off a table"), ("repair", "other tables paired again"), ("follow", "bracket followed a changed result"), ("undo", "change undone")], max_length=10),
        ),
    ]
