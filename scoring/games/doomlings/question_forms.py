"""The questions that the cards of Doomlings ask, as fields of a form, in words, and their answers as JSON."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.games.doomlings.tally.cards import COLORLESS
from scoring.games.doomlings.tally.questions import LATE_END
from scoring.sheets.forms.piles import PileField, write_pile

NOTHING = "-"
UNANSWERED: Any = object()
MAX_FACE = 99
FIXED = frozenset({"hand_size", "gene_pool"})
"""Fields that every player's page has, asked or not."""

OF_CARDS = frozenset({"choices", "discarded_at_worlds_end", "discarded_by_effects", "returned"})
"""Keys of a part that several cards may ask for."""

Question = Mapping[str, Any]
MakePile = Callable[[str], PileField]


def color_words() -> dict[str, str]:
    """The colours of traits in words."""
    return {
        "blue": pgettext("trait colour", "blue"),
        "green": pgettext("trait colour", "green"),
        "purple": pgettext("trait colour", "purple"),
        "red": pgettext("trait colour", "red"),
        COLORLESS: pgettext("trait colour", "colourless"),
    }


def words_of(question: Question) -> str:
    """What a question asks, as one sentence, with its card in front if the reader may know that."""
    values = {key: question.get(key, "") for key in ("card", "player", "most")}
    words = (_template(question) % values).removeprefix(": ")
    return words[:1].upper() + words[1:]


def _template(question: Question) -> str:
    by_field = {
        "hand_size": _("%(card)s: how many cards are in hand?"),
        "gene_pool": _("%(card)s: what is the Gene Pool?"),
        "hand": _("%(card)s: which cards are in hand?"),
        "lab": _("Which cards lie in the Lab?"),
        "discard_pile": _("%(card)s: cards in the discard pile?"),
        "catastrophe_points": _("%(card)s: your points by its gold text, below 0 if it takes some"),
        "drawn_face": _("%(card)s: the face value of the card you drew"),
        "hand_pick": _("%(card)s: which card of your hand?"),
        "revealed": _("%(card)s: the colour of the revealed card"),
        "returned": _("%(card)s: traits taken back? At most %(most)s."),
        "discarded_by_effects": _("%(card)s: traits discarded? At most %(most)s."),
        "discarded_at_worlds_end": _("%(card)s: traits to discard? Exactly %(most)s."),
        "birth_of_a_hero": _("%(player)s: Heroic in hand when Birth of a Hero came?"),
        "catastrophe": (
            _("The fourth catastrophe, which ended the world")
            if question.get("number") == LATE_END
            else _("The third catastrophe, which ended the world")
        ),
    }
    by_kind = {
        "color": _("%(card)s: which colour?"),
        "from_to": _("%(card)s: which colour became which?"),
        "host": _("%(card)s: what is it attached to?"),
    }
    return by_field.get(question["field"]) or by_kind[question["kind"]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its fields: more than one where it has several copies or two halves."""

    question: Question
    names: tuple[str, ...]

    @property
    def field(self) -> str:
        """The key of the sheet that takes the answer."""
        return str(self.question["field"])


def ask(question: Question, pile: MakePile) -> tuple[Asked, dict[str, forms.Field]]:
    """The question and its fields by name; `pile` makes one that takes names of cards."""
    of_card = slugify(question.get("key") or question["card"]) if question["field"] in OF_CARDS else ""
    root = "-".join(filter(None, ("ask", question["field"], of_card)))
    copies = range(1, (question.get("copies") or 1) + 1)
    halves = [("from", _("from")), ("to", _("to"))] if question["kind"] == "from_to" else [("", "")]
    fields = {
        "-".join(filter(None, (root, half, str(copy) if len(copies) > 1 else ""))): _field(
            question, pile, _label(question, word, copy if len(copies) > 1 else 0)
        )
        for copy in copies
        for half, word in halves
    }
    return Asked(question, tuple(fields)), fields


def _label(question: Question, half: str, copy: int) -> str:
    label = words_of(question)
    label = f"{label} ({copy})" if copy else label
    return f"{label} – {half}" if half else label


def _field(question: Question, pile: MakePile, label: str) -> forms.Field:
    kind, options = question["kind"], question.get("options") or []
    if kind in ("cards", "card"):
        return pile(label)
    if kind in ("color", "from_to"):
        return _choice(label, [(each, color_words()[each]) for each in options], forms.RadioSelect)
    if kind == "yes_no":
        return _choice(label, [("yes", _("Yes")), ("no", _("No"))], forms.RadioSelect)
    if kind == "cards_of_pile":
        choices = [(key, key) for key, _name in _copies(options)]
        return forms.MultipleChoiceField(
            label=label, required=False, choices=choices, widget=forms.CheckboxSelectMultiple
        )
    if kind == "number":
        return forms.IntegerField(label=label, required=False, min_value=-MAX_FACE, max_value=MAX_FACE)
    choices = [("", "–"), *((each, each) for each in sorted(options))]
    return _choice(label, [*choices, (NOTHING, _("nothing"))] if kind == "host" else choices, forms.Select)


def _choice(label: str, choices: Sequence[tuple[str, str]], widget: type[forms.Widget]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, choices=choices, widget=widget)


def _copies(options: Sequence[str]) -> list[tuple[str, str]]:
    """Every option with what its checkbox says: the name, numbered from the second copy on."""
    copies = [options[: number + 1].count(name) for number, name in enumerate(options)]
    return [(f"{name} ({copy})" if copy > 1 else name, name) for name, copy in zip(options, copies, strict=True)]


def first_values(asked: Asked, content: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a question as the stored content fills them."""
    question = asked.question
    value = content.get(question["field"])
    if question["kind"] == "cards_of_pile":
        return {asked.names[0]: _ticked(question)}
    if question["field"] != "choices":
        return {asked.names[0]: _shown(question, value)} if value is not None else {}
    choices = value or {}
    if question["key"] not in choices:
        return {}
    held = choices[question["key"]]
    answers = held if isinstance(held, list) else [held]
    if question["kind"] == "from_to":
        halves = [each.get(half) if each else None for each in answers for half in ("from", "to")]
        return dict(zip(asked.names, halves, strict=False))
    blank = NOTHING if question["kind"] == "host" else None
    return dict(zip(asked.names, [each or blank for each in answers], strict=False))


def _shown(question: Question, value: Any) -> Any:
    if question["kind"] == "yes_no":
        return "yes" if value else "no"
    if question["kind"] in ("cards", "card"):
        return write_pile(value if isinstance(value, list) else [value])
    return value


def _ticked(question: Question) -> list[str]:
    """The boxes of the traits that left the pile."""
    left: Counter[str] = Counter(question["chosen"])
    options = question["options"]
    return [key for number, (key, name) in enumerate(_copies(options)) if options[:number].count(name) < left[name]]


def answer_of(asked: Asked, values: Mapping[str, Any]) -> Any:
    """The answer as JSON; UNANSWERED where there is none yet. Lists may be empty: nothing was discarded."""
    question, typed = asked.question, [values.get(name) for name in asked.names]
    if question["field"] == "choices":
        return _choices(question["kind"], typed)
    answer = typed[0]
    if question["kind"] == "yes_no":
        answer = {"yes": True, "no": False}.get(answer or "")
    elif question["kind"] == "cards_of_pile":
        answer = [name for key, name in _copies(question["options"]) if key in (answer or ())]
    elif question["kind"] == "card":
        answer = answer[0] if answer else None
    return UNANSWERED if answer in (None, "") else answer


def _choices(kind: str, typed: list[Any]) -> Any:
    """One answer as it is, several as a list; a host may be nothing."""
    if not any(typed):
        return UNANSWERED
    if kind == "from_to":
        pairs = zip(typed[::2], typed[1::2], strict=True)
        typed = [{"from": one, "to": other} if one and other else None for one, other in pairs]
    answers = [None if each in ("", NOTHING) else each for each in typed]
    return answers if len(answers) > 1 else answers[0]


def too_many(asked: Asked, values: Mapping[str, Any]) -> str:
    """Why an answer is too long; "" where it is not."""
    kind, chosen = asked.question["kind"], values.get(asked.names[0]) or []
    most = 1 if kind == "card" else asked.question.get("most")
    if most and kind in ("card", "cards_of_pile") and len(chosen) > most:
        return _("Choose at most %(most)d.") % {"most": most}
    return ""
