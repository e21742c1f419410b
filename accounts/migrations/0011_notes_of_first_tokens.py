from typing import Any

from django.db import migrations


def note_tokens(apps: Any, schema_editor: Any) -> None:
    """A token of 0.1.0 may do until its end what it could there: all that its account may. Its letters are not kept."""
    token, note = apps.get_model("knox", "AuthToken"), apps.get_model("accounts", "TokenNote")
    note.objects.bulk_create(note(token=each, ends_with="") for each in token.objects.filter(note=None))


class Migration(migrations.Migration):
    """Programs that signed in before the upgrade stay signed in."""

    dependencies = [("accounts", "0010_token_scopes"), ("knox", "0009_extend_authtoken_field")]

    operations = [migrations.RunPython(note_tokens, migrations.RunPython.noop, elidable=True)]
