"""Sentences as data: an English template and its values, so that an outer layer may translate them."""

from collections.abc import Mapping
from dataclasses import dataclass, field


def gettext_noop(text: str) -> str:
    """Mark `text` for the translators' catalogue and return it unchanged."""
    return text


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence: `template` in English with %(name)s places, `params` the values for them.

    `str(message)` is the English sentence; a translator looks up `template` and fills the same `params`.
    """

    template: str
    params: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template % self.params
