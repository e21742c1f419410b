"""One JSON object of a score sheet, read key by key: whatever does not fit is refused with its place."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any, NoReturn

from rules_engine.errors import DomainError
from rules_engine.messages import Message, Sentence, gettext_noop

MAX_SHOWN = 40
JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))
"""The invisible signs that Persian, Indic spelling and emoji need in names."""
SHEET_WORDS = {
    "name": gettext_noop("Name"),
    "players": gettext_noop("Players"),
    "games": gettext_noop("Games"),
    "options": gettext_noop("Options"),
}
"""What people call the keys that sheets of several games have."""
_TYPING_ERROR = 0.75
NO_WORDS: Mapping[str, str] = {}


class Part:
    """An object of a sheet. `place` says where it stands; null is the same as a missing key.

    `words` are what people call its keys, English templates for the translators' catalogue: refusals say the key to
    programs and these words on pages.

    Its own "name", of at most `named` characters, takes the place of `place` where there is one.
    Raises DomainError "bad_sheet" for anything but an object, and for a key that looks like one of the `known` ones
    mistyped; other keys it does not know are passed over. So do the readers for values that do not fit.
    """

    def __init__(
        self, value: object, place: str, known: Collection[str], *, named: int = 0, words: Mapping[str, str] = NO_WORDS
    ) -> None:
        self.place, self._words = place, words
        if not isinstance(value, Mapping):
            self.refuse(gettext_noop("Use an object such as {…}, not %(value)s."), value=shown(value))
        self._values: Mapping[str, Any] = value
        if named:
            self.place = self.text("name", named) or place
        for key in value:
            if key not in known and (meant := get_close_matches(str(key)[:MAX_SHOWN], known, 1, _TYPING_ERROR)):
                self.refuse(
                    gettext_noop("“%(key)s” is unknown. Did you mean “%(meant)s”?"), key=shown(key), meant=meant[0]
                )

    def get(self, key: str) -> Any:
        """The value as it is; None without one."""
        return self._values.get(key)

    def has(self, key: str) -> bool:
        return self.get(key) is not None

    def part(self, key: str, known: Collection[str]) -> "Part":
        """The object under a key; an empty one where the key is missing."""
        return Part({} if self.get(key) is None else self.get(key), self.below(key), known, words=self._words)

    def below(self, key: str) -> str:
        """The place of what stands under a key: for people that of this part, or what they call the key."""
        if not self.place:
            return self.called(key)
        outer = self.place.wording if isinstance(self.place, Sentence) else Message("%(place)s", {"place": self.place})
        return Sentence(outer, f"{self.place}, {key}")

    def given(self) -> frozenset[str]:
        """The keys that have a value."""
        return frozenset(key for key, value in self._values.items() if value is not None)

    def text(self, key: str, most: int) -> str | None:
        """A text of at most so many characters, all of them visible."""
        value = self.get(key)
        if value is None or (isinstance(value, str) and len(value) <= most and is_visible(value)):
            return value
        self.refuse(
            gettext_noop("“%(key)s”: use up to %(most)d visible characters, not %(value)s."),
            key=key, most=most, value=shown(value),
        )  # fmt: skip

    def number(self, key: str, least: int, most: int) -> int | None:
        """A whole number between two."""
        value = self.get(key)
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and least <= value <= most):
            return value
        self.refuse(
            gettext_noop("“%(key)s”: use a whole number, %(least)d to %(most)d, not %(value)s."),
            key=key, least=least, most=most, value=shown(value),
        )  # fmt: skip

    def flag(self, key: str, usual: bool) -> bool:
        """True or false."""
        value = usual if self.get(key) is None else self.get(key)
        if isinstance(value, bool):
            return value
        self.refuse(gettext_noop("“%(key)s”: use true or false, not %(value)s."), key=key, value=shown(value))

    def items(self, key: str, most: int) -> list[Any]:
        """A list of at most so many values; an empty one where the key is missing."""
        value = self.get(key)
        if value is None:
            return []
        if isinstance(value, list | tuple) and len(value) <= most:
            return list(value)
        self.refuse(
            gettext_noop("“%(key)s”: use a list of at most %(most)d, not %(value)s."),
            key=key, most=most, value=shown(value),
        )  # fmt: skip

    def choice(self, key: str, choices: Collection[str]) -> str | None:
        """One of some words."""
        value = self.get(key)
        if value is None or (isinstance(value, str) and value in choices):
            return value
        self.refuse(
            gettext_noop("“%(key)s”: use one of %(choices)s, not %(value)s."),
            key=key, choices=", ".join(choices), value=shown(value),
        )  # fmt: skip

    def refuse(self, template: str, **params: object) -> NoReturn:
        """Refuse the sheet at this place; a "key" among the values is said as people call it."""
        if isinstance(key := params.get("key"), str):
            params["key"] = self.called(key)
        raise bad_sheet(template, place=self.place, **params)

    def called(self, key: str) -> str:
        """A key: itself for programs, for people its words where it has any."""
        return Sentence(Message(self._words[key]), key) if key in self._words else key


def place_of(template: str, number: int, code: str) -> Sentence:
    """Where something stands on a sheet: for programs by this code and its number, for people by the template."""
    return Sentence(Message(template, {"number": number}), f"{code} {number}")


def place_of_player(number: int) -> Sentence:
    """A player who has no name yet."""
    return place_of(gettext_noop("Player %(number)d"), number, "player")


def bad_sheet(template: str, *, place: str | Message = "", **params: object) -> DomainError:
    """The refusal of a sheet that cannot be tallied; `place` begins the sentence where there is one."""
    sentence = Message(template, params)
    message = Message(gettext_noop("%(place)s: %(sentence)s"), {"place": place, "sentence": sentence})
    return DomainError("bad_sheet", message if place else sentence)


def is_visible(text: str) -> bool:
    """Whether a text has no sign that cannot be seen, but those that spelling needs."""
    return text.translate(JOINERS).isprintable()


def shown(value: object) -> str:
    """A value as a message may show it: short, printable, and never deeper than one level."""
    if isinstance(value, list | tuple):
        return Sentence(Message(gettext_noop("a list of %(count)d"), {"count": len(value)}))
    if isinstance(value, Mapping):
        return "an object"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) >= 10**MAX_SHOWN:
        return "a number of many digits"
    text = str(value)
    text = text if text.isprintable() else ascii(text)[1:-1]
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
