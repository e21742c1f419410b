from django.db import migrations, models

from journal.append_only import AppendOnly


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0006_fixed_table_set_at'),
    ]

    operations = [
        migrations.AlterField(
            model_name='pairingchange',
            name='kind',
            field=models.CharField(choices=[('swap', 'two players swapped'), ('make', 'table made'), ('break', 'table broken up'), ('bye', 'bye assigned'), ('lock', 'table locked'), ('unlock', 'table unlocked'), ('move', 'table moved'), ('repair', 'other tables paired again'), ('undo', 'change undone')], max_length=10),
        ),
        AppendOnly("tournaments_pairingchange"),
    ]
