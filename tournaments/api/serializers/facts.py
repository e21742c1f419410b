"""What an event, a player or an account comes to, as JSON: statistics, profiles, background jobs, one's own account."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.core.round_names import round_name
from tournaments.entries.selectors.entries import Guest
from tournaments.events.selectors.background_jobs import WorkLine, WorkState
from tournaments.statistics.figures import Rate
from tournaments.statistics.selectors.statistics import CloseMatch

WITHIN_95 = "From and to: 95 per cent of such samples hold the true share."


class RateSerializer(serializers.Serializer[Rate]):
    """How often who had this label won; a draw is no win."""

    label = serializers.CharField(  # type: ignore[assignment]
        help_text="A key of the game, such as a role, or a name of the event."
    )
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    share = serializers.FloatField(source="value")
    within = serializers.ListField(child=serializers.FloatField(), source="interval", help_text=WITHIN_95)


class ShareOfAllSerializer(serializers.Serializer[Any]):
    """How many of all have this label."""

    label = serializers.CharField()  # type: ignore[assignment]
    count = serializers.IntegerField()
    total = serializers.IntegerField()


class BinSerializer(serializers.Serializer[Any]):
    """How many scores lie between `low` and `high`, both included."""

    low = serializers.IntegerField()
    high = serializers.IntegerField()
    count = serializers.IntegerField()


class SpreadSerializer(serializers.Serializer[Any]):
    """The lead of the best over the second, over all tables."""

    least = serializers.FloatField()
    middle = serializers.FloatField()
    most = serializers.FloatField()
    count = serializers.IntegerField()


class RoundTimeSerializer(serializers.Serializer[Any]):
    """Minutes from published pairings to the last table's first report."""

    number = serializers.IntegerField()
    minutes = serializers.IntegerField()
    matches = serializers.IntegerField()


class DeckStatisticsSerializer(serializers.Serializer[Any]):
    """What was played and how often it won; `mirrors` are matches between equals, which no rate counts."""

    shares = ShareOfAllSerializer(many=True)
    rates = RateSerializer(many=True)
    mirrors = serializers.IntegerField()


class WinningRunSerializer(serializers.Serializer[Any]):
    """Matches won in a row."""

    name = serializers.CharField(source="who.name", read_only=True, help_text="Whose it is.")
    wins = serializers.IntegerField(read_only=True, help_text="How long it is.")


class CloseMatchSerializer(serializers.Serializer[Any]):
    """The best two of a table and their scores, the best first."""

    names = serializers.SerializerMethodField(help_text="Of players or teams.")
    scores = serializers.ListField(child=serializers.FloatField())

    def get_names(self, match: CloseMatch) -> list[str]:
        """Of the best, then of the second."""
        return [each.name for each in match.who]


class StatisticsSerializer(serializers.Serializer[Any]):
    """What was played, how it ended, how long it took; `decks` null while decks are secret."""

    matches = serializers.IntegerField()
    draws = serializers.IntegerField()
    seats = RateSerializer(many=True)
    roles = RateSerializer(many=True)
    kinds = ShareOfAllSerializer(many=True)
    scores = BinSerializer(many=True)
    margins = SpreadSerializer(allow_null=True)
    rounds = RoundTimeSerializer(many=True)
    reporters = ShareOfAllSerializer(many=True)
    decks = DeckStatisticsSerializer(allow_null=True)
    runs = WinningRunSerializer(many=True)
    closest = CloseMatchSerializer(many=True, help_text="The closest matches, where scores are counted.")


class PlayedEventSerializer(serializers.Serializer[Any]):
    """One event of a player; `rank` null for a person disqualified. Matches of a bracket are no `wins` or `losses`."""

    event = serializers.CharField(source="event.slug")
    name = serializers.CharField(source="event.name")
    rank = serializers.IntegerField(allow_null=True)
    players = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()


class RecordAgainstSerializer(serializers.Serializer[Any]):
    """All matches against one opponent; `player` is the id of a profile that is shown, else empty."""

    name = serializers.CharField()
    player = serializers.CharField(source="profile")
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()


class StrengthSerializer(serializers.Serializer[Any]):
    """An estimate from the results of public events: `mean` with its `deviation`. It seeds nobody."""

    mean = serializers.FloatField(source="mu")
    deviation = serializers.FloatField(source="sigma")
    matches = serializers.IntegerField()


class GameProfileSerializer(serializers.Serializer[Any]):
    """A player in one game: events from the newest, opponents from the most met."""

    game = serializers.CharField()
    strength = StrengthSerializer(source="rating", allow_null=True)
    events = PlayedEventSerializer(many=True)
    opponents = RecordAgainstSerializer(source="meetings", many=True)


class ProfileSerializer(serializers.Serializer[Any]):
    """A player who lets everybody see this."""

    id = serializers.CharField(source="person.public_id")
    name = serializers.CharField(source="person.user.get_full_name")
    games = GameProfileSerializer(many=True)


class AccountSerializer(serializers.Serializer[Any]):
    """Your account. `player` is the id of your profile, which others see if `shows_profile`."""

    username = serializers.CharField(read_only=True)
    name = serializers.CharField(max_length=150, help_text="What others read.")
    shows_profile = serializers.BooleanField()
    player = serializers.SerializerMethodField()

    def get_player(self, _user: object) -> str:
        """The public id."""
        player: str = self.context["player"]
        return player


class GuestSerializer(serializers.Serializer[Any]):
    """A player without an account whom you took over; `events` are what the guest is entered in, the first first."""

    player = serializers.CharField(source="person.public_id", help_text="By which you give the guest back.")
    name = serializers.CharField(source="person.name")
    taken_at = serializers.DateTimeField(source="person.linked_at", help_text="When you took the guest over.")
    events = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.SlugField()))
    def get_events(self, guest: Guest) -> list[str]:
        """Slugs."""
        return [event.slug for event in guest.events]


class TakeGuestSerializer(serializers.Serializer[Any]):
    """Whom to take over."""

    link = serializers.CharField(
        max_length=200, help_text="The secret part of the guest's personal link: what follows `/p/` in it."
    )


class EraseSerializer(serializers.Serializer[Any]):
    """The entry's name once more, so that nobody is erased by mistake."""

    username = serializers.CharField(help_text="The name you sign in with; by personal link the name you play under.")


class JobSerializer(serializers.Serializer[WorkLine]):
    """A job that is not done. A failed one needs a retry; `died`: it stopped its worker."""

    id = serializers.UUIDField(source="message.pk")
    task = serializers.CharField(source="message.task")
    state = serializers.ChoiceField([each.value for each in WorkState])
    table = serializers.IntegerField(source="match.table_number", default=None, allow_null=True)
    round = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField(source="message.created_at")
    tries = serializers.IntegerField(source="message.attempts")
    last_error = serializers.CharField(source="message.last_error")
    died = serializers.BooleanField()

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_round(self, line: WorkLine) -> str | None:
        """The round of the table it is about."""
        return round_name(line.match.round) if line.match else None


class ProblemOfLogSerializer(serializers.Serializer[Any]):
    """What is wrong with the log, and at which entry."""

    sequence = serializers.IntegerField()
    text = serializers.CharField()


class SoundnessSerializer(serializers.Serializer[Any]):
    """Whether the log is as it was written; `problems` are few at most."""

    is_sound = serializers.BooleanField()
    problems = ProblemOfLogSerializer(many=True)
