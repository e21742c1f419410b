from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0038_plan_runs'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='entrymember',
            name='one_entry_a_person',
        ),
        migrations.AddConstraint(
            model_name='entrymember',
            constraint=models.UniqueConstraint(fields=('entry', 'person'), name='one_member_a_person'),
        ),
    ]
