"""Ready-made rules profiles: for the games of this site and in the manner of known systems."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.records import ScoringPolicy


@dataclass(frozen=True, slots=True)
class Preset:
    """A profile to start from: `name` and `note` (one line) are for organisers to read."""

    key: str
    name: str
    note: str
    policy: ScoringPolicy


PRESETS: Mapping[str, Preset] = {
    preset.key: preset
    for preset in (
        Preset("doom_pile", "Doom Pile", "Match points, then opponents' and own percentages.", ScoringPolicy()),
    )
}
