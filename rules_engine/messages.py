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


class Sentence(str):
    """A `Message` in English, for whatever takes only text, such as JSON; `wording` is what it was made of.

    With a `code`, such as the key that JSON has for a field, the text is that code: programs read it, and people read
    the `wording`.
    """

    wording: Message

    __slots__ = ("wording",)

    def __new__(cls, message: Message, code: str = "") -> "Sentence":
        made = super().__new__(cls, code or str(message))
        made.wording = message
        return made

    def __getnewargs__(self) -> tuple[Message, str]:  # type: ignore[override]  # a copy is made of the message, too
        return self.wording, str(self)
