"""What may be agreed on before a game that is scored by sheet: one list for forms, API and tallies.

A game names its options in its tally (`Tallier.options`); stored are the keys that differ from the
usual, as a JSON object.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules_engine.errors import DomainError
from rules_engine.messages import Message, Sentence, gettext_noop

MAX_NUMBER = 999
Value = bool | str | int | None


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to agree on. Texts are English templates for the translators' catalogue.

    Its kind follows from the `usual` value: a flag, one of the `choices` (value, label), or a whole number from 1, None
    for none. A public page tells the label of a choice, the sentence `said` of another option: a flag's where it is not
    the usual one, a number's with it in the place %(value)s. `only_with` is the choice (option, value) without which it
    means nothing. `clause` is the rule it stands for, `players` the numbers of players it is made for, None for any.
    `of_stage`: it may differ from stage to stage of an event.
    """

    key: str
    label: str
    usual: Value
    choices: tuple[tuple[str, str], ...] = ()
    help: str = ""
    said: str = ""
    clause: str = ""
    players: range | None = None
    only_with: tuple[str, str] | None = None
    of_stage: bool = False

    @property
    def called(self) -> str:
        """Its key for programs, its label for people."""
        return Sentence(Message(self.label), self.key) if self.label else self.key

    @property
    def is_flag(self) -> bool:
        return isinstance(self.usual, bool)

    def takes(self, value: object) -> bool:
        """Whether a value can be stored for it."""
        if self.is_flag:
            return isinstance(value, bool)
        if self.choices:
            return value in [known for known, _label in self.choices]
        return value is None or (isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_NUMBER)

    def value_in(self, options: Mapping[str, Any]) -> Any:
        """What was agreed on, the usual value where nothing was."""
        return options.get(self.key, self.usual)

    def is_usual(self, options: Mapping[str, Any]) -> bool:
        """Whether nothing else than the usual was agreed on."""
        return bool(self.value_in(options) == self.usual)


SIGNATURES = Option(
    key="signatures",
    label=gettext_noop("Who signs a sheet before it's accepted"),
    usual="all",
    choices=(
        ("all", gettext_noop("Everybody at the table signs the sheet.")),
        ("one", gettext_noop("One player other than the filer signs.")),
    ),
)
"""The option of every event with sheets, whatever its game; no tally asks for it."""


def check_options(known: Iterable[Option], options: Mapping[str, Any], players: int | None = None) -> dict[str, Any]:
    """The options worth storing: those that differ from the usual, in the order they are offered.

    With `players`, also what does not go with so many at a table. Raises DomainError "bad_options" with the `option`
    at fault.
    """
    offered = {option.key: option for option in known}
    for key, value in options.items():
        if key not in offered:
            raise _bad(key, gettext_noop("There is no option “%(option)s”."))
        if not offered[key].takes(value):
            called = offered[key].called
            raise _bad(key, gettext_noop("Option “%(option)s” can't be “%(value)s”."), option=called, value=str(value))
    chosen = {key: options[key] for key, option in offered.items() if not option.is_usual(options)}
    for key in chosen if players is not None else ():
        if (made_for := offered[key].players) is not None and players not in made_for:
            label, words = Message(offered[key].label), players_in_words(made_for)
            raise _bad(key, gettext_noop("“%(label)s” is for %(players)s."), label=label, players=words)
    return chosen


def players_in_words(made_for: range) -> Message:
    """“1 player”, or “2 to 4 players”."""
    if made_for[-1] == 1:
        return Message(gettext_noop("1 player"))
    return Message(gettext_noop("%(least)d to %(most)d players"), {"least": made_for[0], "most": made_for[-1]})


def most_players(known: Iterable[Option], options: Mapping[str, Any]) -> int | None:
    """The most players at a table with whom every chosen option can be played; None for any number."""
    chosen = [option.players[-1] for option in known if option.players and not option.is_usual(options)]
    return min(chosen, default=None)


def sayings_of(known: Iterable[Option], options: Mapping[str, Any]) -> list[Message]:
    """What was agreed on, one sentence each, for pages to translate: choices always, the rest where it is not usual."""
    offered = {option.key: option for option in known}
    said = []
    for option in offered.values():
        if option.only_with and offered[option.only_with[0]].value_in(options) != option.only_with[1]:
            continue
        value = option.value_in(options)
        if option.choices:
            said.append(Message(dict(option.choices)[value]))
        elif value is not None and (not option.is_flag or value != option.usual):
            said.append(Message(option.said, {"value": value}))
    return [message for message in said if message.template]


def _bad(key: str, template: str, **params: Any) -> DomainError:
    return DomainError("bad_options", Message(template, {"option": key, **params}), option=key)
