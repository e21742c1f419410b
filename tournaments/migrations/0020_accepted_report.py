"""The report that counts is called the accepted report."""

from django.db import migrations, models

DONE = "done_has_a_report"


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0019_tables_of_twenty")]

    operations = [
        migrations.RemoveConstraint("match", DONE),
        migrations.RenameField("match", "standing_report", "accepted_report"),
        migrations.AddConstraint(
            "match",
            models.CheckConstraint(
                condition=models.Q(state="done", accepted_report__isnull=False)
                | (~models.Q(state="done") & models.Q(accepted_report=None)),
                name=DONE,
            ),
        ),
    ]
