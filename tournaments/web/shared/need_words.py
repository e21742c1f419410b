"""Private needs in words, for officials: what a person needs, and why a table does not meet it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.actors import Actor
from accounts.http.access import is_allowed
from tournaments.entries.selectors.private_needs import NeedLine, Obstacle, need_lines
from tournaments.models import Entry, Match, Round

OBSTACLES: Mapping[Obstacle, Promise] = {
    Obstacle.NONE_MARKED: gettext_lazy("No table is marked for this. Mark some in the settings."),
    Obstacle.FIXED: gettext_lazy("This is the fixed table of %(names)s."),
    Obstacle.TOGETHER: gettext_lazy("No table meets all needs of %(names)s."),
    Obstacle.TAKEN: gettext_lazy("%(names)s already sit at all tables marked for this."),
    Obstacle.CHANGED: gettext_lazy("Changed after the pairing. Move the table, or it counts from the next round."),
}
MAX_NAMES = 8


@dataclass(frozen=True, slots=True)
class ShownNeeds:
    """A person's needs at a match: those that are met, and those that are not, each with the reason."""

    entry: Entry
    match: Match
    met: list[str]
    unmet: list[tuple[str, str]]

    @property
    def words(self) -> list[str]:
        """All needs in short, those that are not met first."""
        return [*(need for need, _reason in self.unmet), *self.met]


def needs_in_words(entry: Entry) -> list[str]:
    """What an entry needs, in short."""
    minutes = [_("+%(n)d min") % {"n": entry.extra_minutes}] if entry.extra_minutes else []
    return [*(str(Entry.Need(need).label) for need in entry.needs), *minutes]


def shown_needs(actor: Actor, round_: Round | None, match: Match | None = None) -> list[ShownNeeds]:
    """Who needs what in a round, or at one match of it; only officials see it."""
    if round_ is None or not is_allowed("entry.needs", actor, round_.stage.tournament):
        return []
    return [_shown(line) for line in need_lines(round_) if match is None or line.match.pk == match.pk]


def _shown(line: NeedLine) -> ShownNeeds:
    unmet = [(str(each.need.label), _why(each.why, [other.name for other in each.others])) for each in line.unmet]
    missed = {need for need, _reason in unmet}
    return ShownNeeds(
        line.entry, line.match, [each for each in needs_in_words(line.entry) if each not in missed], unmet
    )


def _why(why: Obstacle, names: list[str]) -> str:
    shown = ", ".join(names[:MAX_NAMES]) + (", …" if len(names) > MAX_NAMES else "")
    return str(OBSTACLES[why]) % {"names": shown}
