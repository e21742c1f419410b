"""What players need as JSON."""

from typing import Any

from rest_framework import serializers

from scoring.standings.records import Outcome
from tournaments.forecast.playouts import Tally
from tournaments.forecast.selectors import Outlook, RunState
from tournaments.forecast.stage_state import Verdict
from tournaments.models import Entry

VERDICTS = [each.value for each in Verdict]


class ChanceSerializer(serializers.Serializer[Any]):
    """In how many courses it was in, and tied on the line in every tiebreaker; counted ones weigh by their odds.

    Whole numbers as text: where every course is counted they may be long.
    """

    inside = serializers.CharField()
    level = serializers.CharField()
    of = serializers.CharField()
    simulated = serializers.BooleanField()


class OutlookLineSerializer(serializers.Serializer[Any]):
    """What is said of one entry now, and after each result of its own next match where one is to come."""

    entry = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(Entry.State.choices)
    rank = serializers.IntegerField()
    points = serializers.IntegerField()
    verdict = serializers.ChoiceField(VERDICTS)
    by_points = serializers.BooleanField(help_text="Points alone make it certain; else tiebreakers and usual scores.")
    after = serializers.DictField(child=serializers.ChoiceField(VERDICTS))
    chance = ChanceSerializer(allow_null=True)
    chance_after = serializers.DictField(child=ChanceSerializer())


class RunSerializer(serializers.Serializer[RunState]):
    """A simulation: how far it is, and whether it is about what stands now."""

    asked_at = serializers.DateTimeField(source="run.asked_at")
    chunks = serializers.IntegerField(source="run.chunks")
    done = serializers.IntegerField()
    samples = serializers.IntegerField()
    is_running = serializers.BooleanField()
    is_current = serializers.BooleanField()


class ShownSerializer(serializers.Serializer[Any]):
    """Whether all players see what they need, or none."""

    shown = serializers.BooleanField()


def forecast_line(found: Outlook, run: RunState | None, standing: Any, entry: Entry) -> dict[str, Any]:
    """One line as `OutlookLineSerializer` shows it."""
    tally = _tally(found, run, entry.pk)
    chance = None if tally is None else _share(tally, found.tallies is None)
    after: dict[str, Any] = {}
    if tally is not None:
        after = {each.value: _share(tally, found.tallies is None, each) for each in Outcome if tally.seen[each]}
    return {
        "entry": entry.number,
        "name": entry.name,
        "state": entry.state,
        "rank": standing.rank,
        "points": standing.match_points,
        "verdict": found.verdict(entry.pk).value,
        "by_points": found.is_by_points(entry.pk),
        "after": {outcome.value: verdict.value for outcome, verdict in found.after(entry.pk).items()},
        "chance": chance,
        "chance_after": after,
    }


def _tally(found: Outlook, run: RunState | None, entry: int) -> Tally | None:
    if found.tallies is not None:
        return found.tallies.get(entry)
    return run.tallies.get(entry) if run is not None else None


def _share(tally: Tally, simulated: bool, *results: Outcome) -> dict[str, Any]:
    inside, level, seen = tally.share(*results)
    return {"inside": str(inside), "level": str(level), "of": str(seen), "simulated": simulated}
