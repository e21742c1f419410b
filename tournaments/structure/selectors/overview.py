"""What is shown of the structure of an event: brackets with their entries and matches, crosstables of round robins."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from accounts.actors import Actor
from accounts.http.access import is_allowed
from tournaments.core.rounds import with_all
from tournaments.models import Entry, Match, Round, Stage, Tournament
from tournaments.structure.selectors.brackets import StageBracket, bracket_of
from tournaments.structure.selectors.stages import begun_stages, field_of

Kind = Stage.Kind
BRACKETS = (Kind.SINGLE_ELIMINATION, Kind.DOUBLE_ELIMINATION)


@dataclass(frozen=True, slots=True)
class ShownBracket:
    """A bracket with its entries by id, and by id within the bracket the matches that stand in a published round."""

    stage: Stage
    bracket: StageBracket
    entries: Mapping[int, Entry]
    matches: Mapping[str, Match]

    @property
    def winner(self) -> Entry | None:
        """Who won the last match, once that is certain; disqualified later or not."""
        champion = self.bracket.filled.champion
        return None if champion is None else self.entries[champion]

    @property
    def champion(self) -> Entry | None:
        """The same, unless disqualified: then the others move up in the standings, and nobody won it all."""
        winner = self.winner
        return None if winner is None or winner.state == Entry.State.DISQUALIFIED else winner


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match of a round robin as its row sees it: `place` is the row's seat."""

    match: Match
    place: int


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Everybody against everybody: `meetings` by (row's entry, column's entry), in the order of the rounds."""

    stage: Stage
    entries: tuple[Entry, ...]
    meetings: Mapping[tuple[int, int], Sequence[Meeting]]


def shown_stages(actor: Actor, tournament: Tournament, kinds: Collection[str]) -> list[Stage]:
    """The stages of these kinds that the actor is shown, first to last: their first round is published.

    Officials see them as soon as they have begun.
    """
    stages = [stage for stage in begun_stages(tournament) if stage.kind in kinds]
    if not stages or is_allowed("round.preview", actor, tournament):
        return stages
    rounds = Round.objects.filter(stage__in=stages, superseded_at=None).exclude(state=Round.State.PAIRED)
    published = set(rounds.values_list("stage", flat=True))
    return [stage for stage in stages if stage.pk in published]


def shown_bracket(stage: Stage) -> ShownBracket | None:
    """The bracket of a stage with names and matches, in a constant number of queries; None before its seeds stand."""
    bracket = bracket_of(stage)
    if bracket is None:
        return None
    entries = {entry.pk: entry for entry in stage.tournament.entries.filter(pk__in=field_of(stage))}
    return ShownBracket(stage, bracket, entries, {match.bracket: match for match in _shown_matches(stage)})


def crosstable_of(stage: Stage) -> CrossTable:
    """Everybody of a round robin against everybody, by seed, in a constant number of queries."""
    matches = _shown_matches(stage)
    field = field_of(stage)
    wanted = field or {seat.entry_id for match in matches for seat in match.seats.all()}
    places = {entry: place for place, entry in enumerate(field)}
    entries = stage.tournament.entries.filter(pk__in=wanted)
    rows = sorted(entries, key=lambda entry: (places.get(entry.pk, len(places)), entry.number))
    met = [
        ((one.entry_id, other.entry_id), Meeting(match, place))
        for match in matches
        for place, one in enumerate(match.seats.all())
        for other in match.seats.all()
        if one.pk != other.pk
    ]
    met.sort(key=lambda each: (each[0], each[1].match.round.number))
    grouped = groupby(met, key=lambda each: each[0])
    return CrossTable(stage, tuple(rows), {pair: [each for _pair, each in those] for pair, those in grouped})


def _shown_matches(stage: Stage) -> list[Match]:
    matches = Match.objects.filter(round__stage=stage, round__superseded_at=None)
    return list(with_all(matches.exclude(round__state=Round.State.PAIRED)))
