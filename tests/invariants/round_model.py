"""What rounds and results do, told a second time in plain values: the oracle of test_round_histories."""

from collections import Counter
from dataclasses import dataclass, field

PAIRED, PUBLISHED, CLOSED = "paired", "published", "closed"
WIN, DRAW = 3, 1

Games = tuple[int, int]


@dataclass
class Sitting:
    """A match by id: the entries in order of seats, each seat's latest report, and the result that counts."""

    pk: int
    seats: tuple[int, ...]
    told: dict[int, Games] = field(default_factory=dict)
    result: Games | None = None

    @property
    def is_bye(self) -> bool:
        return len(self.seats) == 1

    @property
    def is_untouched(self) -> bool:
        return self.is_bye or not (self.told or self.result)


@dataclass
class Wave:
    """A round: its matches by id, what it was paired without and on, and whether the latter is another by now."""

    number: int
    sittings: dict[int, Sitting]
    without: list[int]
    paired_on: dict[int, Games | None]
    state: str = PAIRED
    marked: bool = False

    def missing(self) -> list[int]:
        return [each.pk for each in self.sittings.values() if not each.is_bye and each.result is None]


@dataclass
class Model:
    """An event of `last` rounds at most; `active` are the entries that still play."""

    last: int
    active: set[int]
    waves: list[Wave] = field(default_factory=list)

    def missing(self) -> list[int]:
        return [pk for wave in self.waves if wave.state == PUBLISHED for pk in wave.missing()]

    def find(self, pk: int) -> tuple[Wave, Sitting]:
        return next((wave, wave.sittings[pk]) for wave in self.waves if pk in wave.sittings)

    def played(self) -> list[tuple[Wave, Sitting]]:
        return [(wave, each) for wave in self.waves for each in wave.sittings.values() if not each.is_bye]

    # Acts; each answers the code of its refusal, or "" and changes the model.

    def close_all(self, without: set[int]) -> str:
        if self.waves and self.waves[-1].state == PAIRED:
            return "not_published"
        return "missing_results" if set(self.missing()) - without else ""

    def refuse_pairing(self, without: set[int], reason: str) -> str:
        if code := self.close_all(without):
            return code
        if self.missing() and not reason:
            return "reason_needed"
        if len(self.waves) == self.last:
            return "no_rounds_left"
        return "too_few_entries" if len(self.active) < 2 else ""

    def pair(self, sittings: dict[int, Sitting]) -> None:
        missing = self.missing()
        self._close_complete()
        paired_on = {each.pk: each.result for _wave, each in self.played() if each.result is not None}
        self.waves.append(Wave(len(self.waves) + 1, sittings, missing, paired_on))

    def _close_complete(self) -> None:
        for wave in self.waves:
            if wave.state == PUBLISHED and not wave.missing():
                wave.state = CLOSED

    def finish(self) -> str:
        if code := self.close_all(set()):
            return code
        self._close_complete()
        return ""

    def reopen(self) -> None:
        if self.waves:
            self.waves[-1].state = PUBLISHED

    def withdraw(self, wave: Wave) -> str:
        if wave is not self.waves[-1]:
            return "later_round"
        if wave.state == CLOSED or not all(each.is_untouched for each in wave.sittings.values()):
            return "results_came_in"
        self.waves.pop()
        self.reopen()
        return ""

    def report(self, pk: int, games: Games, seat: int | None) -> str:
        wave, match = self.find(pk)
        if wave.state != PUBLISHED:
            return "round_closed"
        if match.result is not None:
            return ""
        sayers = [sayer for sayer, said in match.told.items() if said == games]
        if seat is None or (sayers and sayers != [seat] and len(match.told) == 1):
            self._stand(wave, match, games)
        else:
            match.told[seat] = games
        return ""

    def _stand(self, wave: Wave, match: Sitting, games: Games) -> None:
        match.result = games
        if wave.state == PUBLISHED and wave is not self.waves[-1] and not wave.missing():
            wave.state = CLOSED

    def correct(self, pk: int, games: Games) -> str:
        wave, match = self.find(pk)
        if wave.state == PAIRED:
            return "round_closed"
        if match.result is None:
            return "nothing_to_correct"
        match.result = games
        for later in self.waves[wave.number :]:
            later.marked = any(self.find(each)[1].result != was for each, was in later.paired_on.items())
        return ""

    # What follows from it all.

    def opponents(self, before: int) -> dict[int, list[int]]:
        """Whom each active entry sat with in the rounds before this number, whether or not there is a result."""
        met: dict[int, list[int]] = {entry: [] for entry in self.active}
        for wave in self.waves[: before - 1]:
            for match in wave.sittings.values():
                for entry in match.seats:
                    met.setdefault(entry, []).extend(other for other in match.seats if other != entry)
        return {entry: sorted(met[entry]) for entry in self.active}

    def points(self) -> Counter[int]:
        """Match points by entry: byes of published rounds, and every result that counts."""
        total: Counter[int] = Counter()
        for wave in self.waves:
            for match in wave.sittings.values():
                if match.is_bye and wave.state != PAIRED:
                    total[match.seats[0]] += WIN
                elif match.result is not None:
                    one, other = match.result
                    for entry, own, theirs in ((match.seats[0], one, other), (match.seats[-1], other, one)):
                        total[entry] += WIN if own > theirs else DRAW if own == theirs else 0
        return total
