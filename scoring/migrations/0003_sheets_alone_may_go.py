"""Filed sheets that belong to no event may be deleted with all they hold; those of events stay."""

from django.db import migrations

from journal.ledger.append_only import MayGo

ALONE = "s.stream = s.key"
OF_SHEET = f"EXISTS (SELECT 1 FROM scoring_scoresheet s WHERE s.id = OLD.sheet_id AND {ALONE})"
OF_REVISION = (
    "EXISTS (SELECT 1 FROM scoring_sheetrevision r JOIN scoring_scoresheet s ON s.id = r.sheet_id "
    f"WHERE r.id = OLD.revision_id AND {ALONE})"
)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0002_signing_device")]

    operations = [
        MayGo("scoring_sheetrevision", OF_SHEET),
        MayGo("scoring_sheettally", OF_REVISION),
        MayGo("scoring_sheetsignature", OF_REVISION),
    ]
