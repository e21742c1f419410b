"""How many cards a section must hold, as one sentence."""

from collections.abc import Sequence

from rules_engine.constraints import SizeRange
from rules_engine.messages import gettext_noop


def sizes_message(sizes: Sequence[SizeRange]) -> tuple[str, dict[str, object]]:
    """The sentence that says which sizes a section may have, and the numbers for it."""
    match sizes:
        case [SizeRange(least, most)] if least == most:
            template = gettext_noop("%(section)s: the number of cards is %(found)s and must be exactly %(allowed)s.")
            return template, {"allowed": least}
        case [SizeRange(least, None)]:
            template = gettext_noop("%(section)s: the number of cards is %(found)s and must be at least %(allowed)s.")
            return template, {"allowed": least}
        case [SizeRange(least, most)]:
            template = gettext_noop(
                "%(section)s: the number of cards is %(found)s and must be from %(least)s to %(most)s."
            )
            return template, {"least": least, "most": most}
        case [SizeRange(one, end), SizeRange(other, last)] if (one, other) == (end, last):
            template = gettext_noop(
                "%(section)s: the number of cards is %(found)s and must be %(allowed)s or %(other)s."
            )
            return template, {"allowed": one, "other": other}
    template = gettext_noop("%(section)s: the number of cards is %(found)s and must be one of these: %(allowed)s.")
    return template, {"allowed": ", ".join(map(str, sizes))}
