"""Names on filed sheets may be erased; what was counted stays as it is."""

from importlib import import_module

from django.db import migrations

from journal.ledger.append_only import MayErase

before = import_module("scoring.migrations.0003_sheets_alone_may_go")


class Migration(migrations.Migration):
    dependencies = [("scoring", "0003_sheets_alone_may_go"), ("journal", "0004_erasure")]

    operations = [
        MayErase("scoring_sheetrevision", ["content", "filed_label"], before.OF_SHEET),
        MayErase("scoring_sheettally", ["tally", "error"], before.OF_REVISION),
        MayErase("scoring_sheetsignature", ["actor_label", "device"], before.OF_REVISION),
    ]
