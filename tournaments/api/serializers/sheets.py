"""Score sheets of matches as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.models import SheetPart
from scoring.sheets.selectors import outcome_of
from tournaments.api.serializers.matches import MAX_SEATS, MAX_VERSION
from tournaments.sheets.selectors.sheet_lines import SheetLine, SheetState
from tournaments.sheets.selectors.sheets import written_mark

MAX_REVISIONS = 32767
SHEET_STATES = [each.value for each in SheetState]


class SheetLineSerializer(serializers.Serializer[SheetLine]):
    """How far the sheet of a match is.

    `ready` players have written something, `signed` of `asked` have signed. `reason` says why it came back, or why
    work on it stopped. `revision` is the number of the newest one filed, 0 before the first.
    """

    match = serializers.IntegerField(source="match.pk")
    table = serializers.IntegerField(source="match.table_number", allow_null=True)
    state = serializers.ChoiceField(SHEET_STATES, source="state.value")
    ready = serializers.IntegerField()
    signed = serializers.IntegerField()
    asked = serializers.IntegerField()
    reason = serializers.CharField()
    revision = serializers.SerializerMethodField()

    def get_revision(self, line: SheetLine) -> int:
        """The number of the newest revision."""
        return line.revision.number if line.revision else 0


class PartSerializer(serializers.Serializer[SheetPart]):
    """What is written for a place: a seat, or the whole table (0). `content` is null where it is not shown to you.

    `version` goes with what you save.
    """

    place = serializers.IntegerField()
    version = serializers.IntegerField()
    content = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_content(self, part: SheetPart) -> Any:
        """The content, for whoever may write it."""
        return part.content if part.place in self.context["view"].shown_places else None


class SheetSerializer(SheetLineSerializer):
    """The sheet of a match: its players in seat order, the options of its game, and its parts."""

    players = serializers.SerializerMethodField()
    options = serializers.DictField(source="held.sheet.options")
    mark = serializers.SerializerMethodField(help_text="Send it as `seen` when you correct a result by this sheet.")
    parts = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_players(self, line: SheetLine) -> Any:
        """Everybody's name on the sheet."""
        return [player["name"] for player in line.held.sheet.players] if line.held else []

    def get_mark(self, line: SheetLine) -> str:
        """What is written by now."""
        return written_mark(line.held.sheet) if line.held else ""

    @extend_schema_field(PartSerializer(many=True))
    def get_parts(self, line: SheetLine) -> Any:
        """Every place, the table first."""
        parts = list(line.held.sheet.parts.all()) if line.held else []
        return [PartSerializer(part, context=self.context).data for part in parts]


class TallySerializer(SheetLineSerializer):
    """What the newest revision adds up to: `tally` with every line, null while it waits or came back.

    `content` is the sheet as it was filed; `signatures` are the places that have signed it.
    """

    content = serializers.DictField(source="revision.content")
    filed_at = serializers.DateTimeField(source="revision.filed_at")
    tally = serializers.SerializerMethodField()
    signatures = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_tally(self, line: SheetLine) -> Any:
        """The tally as the command `tally` writes it."""
        outcome = outcome_of(line.revision) if line.revision else None
        return outcome.tally if outcome else None

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_signatures(self, line: SheetLine) -> Any:
        """The places from 1 on, in seat order."""
        return [each.place for each in line.revision.signatures.all()] if line.revision else []


class SavePartSerializer(serializers.Serializer[Any]):
    """What to write for a place, as the tally of the game takes it, and the `version` of the part as you saw it."""

    content = serializers.DictField()
    version = serializers.IntegerField(min_value=0, max_value=MAX_VERSION)


class FileSheetSerializer(serializers.Serializer[Any]):
    """Why staff file a sheet although a result counts, or before everybody signed; not needed otherwise."""

    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)


class SignSheetSerializer(serializers.Serializer[Any]):
    """The number of the revision whose tally is signed."""

    revision = serializers.IntegerField(min_value=1, max_value=MAX_REVISIONS)


class AbsenceSerializer(serializers.Serializer[Any]):
    """Whether the player of a place did not come (`absent` true), or did after all."""

    place = serializers.IntegerField(min_value=1, max_value=MAX_SEATS)
    absent = serializers.BooleanField()


class CorrectBySheetSerializer(serializers.Serializer[Any]):
    """Why the sheet as it lies replaces the accepted result; `seen` is the sheet's mark as you read it."""

    reason = serializers.CharField(max_length=500)
    seen = serializers.CharField(max_length=400, required=False)
