"""Names and reasons beside results may be erased; the results stay as they are."""

from django.db import migrations

from journal.ledger.append_only import MayErase


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0030_hall_closes_at"), ("journal", "0004_erasure")]

    operations = [
        MayErase("tournaments_resultreport", ["actor_label", "reason", "device"]),
        MayErase("tournaments_reportact", ["actor_label", "reason", "device"]),
        MayErase("tournaments_pairingchange", ["actor_label", "reason"]),
        MayErase("tournaments_amendment", ["reason"]),
    ]
