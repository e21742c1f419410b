"""What the pages tell of a Doomlings sheet while it is written, and of one that was filed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.http.wording import worded
from rules_engine.errors import DomainError
from scoring.games.doomlings.question_forms import Question, color_words, words_of
from scoring.games.doomlings.tally import TALLIER, questions
from scoring.games.doomlings.tally.discards import CLAUSE
from scoring.games.doomlings.tally.sheet import HOST
from scoring.models import ScoreSheet
from scoring.sheets.forms.sheets import PartState, Tie
from scoring.sheets.selectors import content_of

LOOK = {"check_limits": False}


def whole_sheet(sheet: ScoreSheet, changed: Mapping[int, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """The sheet as the tally takes it, `changed` parts as they are typed.

    Parts that nobody wrote are empty piles, and broken limits are reported, not refused.
    """
    content = content_of(sheet, changed)
    players = [_counted(player) for player in content["players"]]
    return {**content, "options": {**content["options"], **LOOK}, "players": players}


def places_of(sheet: ScoreSheet, content: Mapping[str, Any]) -> list[int]:
    """At which place of the sheet each player of its content sits; who did not come is left out."""
    places = {player["name"]: place for place, player in enumerate(sheet.players, 1)}
    return [places[player["name"]] for player in content["players"]]


def _counted(player: Mapping[str, Any]) -> dict[str, Any]:
    return dict(player) if player.get("traits") or player.get("sums") else {**player, "traits": [], "sums": None}


@dataclass(frozen=True, slots=True)
class Look:
    """A sheet as far as it is written: what it asks, adds up to and breaks, each by place; nothing while unreadable."""

    asked: Mapping[int, list[Question]]
    totals: Mapping[int, int]
    wrong: Mapping[int, list[str]]


def look_at(sheet: ScoreSheet, content: Mapping[str, Any], seen: Collection[int] | None = None) -> Look:
    """What the pages tell of a sheet while it is written to a person who may read the parts `seen`, None for all.

    What others wrote decides what is asked and what their own lines add up to. No card of theirs is named, and they
    count for no limit.
    """
    places = [0, *places_of(sheet, content)]
    known = content if seen is None else _as_seen(content, places, seen)
    asked: dict[int, list[Question]] = {place: [] for place in places}
    try:
        for question in _named_as_known(questions(content), known if known != content else None):
            asked[places[question["place"]]].append(question)
        tally = TALLIER.tally(content)
        violations = tally["violations"] if known == content else TALLIER.tally(known)["violations"]
    except DomainError:
        return Look(asked, {}, {})
    scores = zip(places[1:], tally["players"], strict=True)
    totals = {place: player["score"] for place, player in scores if seen is None or place in seen}
    owed = {place for place, each in asked.items() for one in each if one.get("least") and not one["answered"]}
    return Look(asked, totals, _wrong(known, places, violations, owed))


def _as_seen(content: Mapping[str, Any], places: Sequence[int], seen: Collection[int]) -> dict[str, Any]:
    """The sheet with empty piles for whoever's part is not seen."""
    rows = zip(places[1:], content["players"], strict=True)
    return {
        **content,
        "players": [player if place in seen else {"name": player["name"], "traits": []} for place, player in rows],
    }


def _named_as_known(asked: Sequence[Question], known: Mapping[str, Any] | None) -> list[Question]:
    """The questions of a whole sheet, each with the card that asks it on the `known` one, or with none."""
    if known is None:
        return list(asked)
    named = {_mark(each): each["card"] for each in questions(known)}
    return [{**each, "card": named.get(_mark(each), "")} for each in asked]


def _mark(question: Question) -> tuple[Any, ...]:
    """What tells one question of a sheet from another, whichever card asks it first."""
    card = question["card"] if question["kind"] == "cards_of_pile" else ""
    return question["place"], question["field"], question.get("key"), card


def _wrong(
    content: Mapping[str, Any], places: Sequence[int], violations: Sequence[Mapping[str, Any]], owed: Collection[int]
) -> dict[int, list[str]]:
    """What breaks a limit, by place; who is asked for a discard that is `owed` still breaks none by that."""
    names = {player["name"]: place for place, player in zip(places[1:], content["players"], strict=True)}
    wrong: dict[int, list[str]] = {place: [] for place in places}
    for each in violations:
        if each["rule"] != "DL-TIE" and not (each["rule"] == CLAUSE and names[each["player"]] in owed):
            for place in [names[each["player"]]] if each["player"] else _holders(content, places, each["cards"]):
                wrong[place].append(worded(each["message"]))
    return wrong


def _holders(content: Mapping[str, Any], places: Sequence[int], cards: Sequence[str]) -> list[int]:
    """The table, and whoever holds one of the cards."""
    rows = zip(places[1:], content["players"], strict=True)
    held = ((place, {*player.get("traits", ()), *player.get("hand", ())}) for place, player in rows)
    return [0, *(place for place, names in held if not names.isdisjoint(cards))]


def states(sheet: ScoreSheet, seen: Collection[int] | None = None) -> dict[int, PartState]:
    """How far everybody is, for a person who may read the parts `seen`."""
    look = look_at(sheet, whole_sheet(sheet), seen)
    found = {}
    for part in sheet.parts.all():
        missing = [words_of(each) for each in look.asked.get(part.place, ()) if not _is_answered(each, part.content)]
        found[part.place] = (
            PartState(True, missing, look.wrong.get(part.place, ()), look.totals.get(part.place))
            if part.version
            else PartState(False)
        )
    return found


def _is_answered(question: Question, content: Mapping[str, Any]) -> bool:
    """Whether a part answers a question; an empty list is an answer where nothing is due."""
    if question["kind"] == "tie_draw":
        return True
    if question.get("least"):
        return bool(question["answered"])
    if question["field"] == "choices":
        return question["key"] in content.get("choices", {})
    return content.get(question["field"]) is not None


def tie_of(content: Mapping[str, Any]) -> Tie | None:
    """The tie that has to be drawn out next; rounds of a tie that is none any more are left out."""
    for drawn in (content.get("tie_draws") or [], []):
        try:
            asked = questions({**content, "tie_draws": drawn, "options": {**content["options"], **LOOK}})
        except DomainError:
            continue
        due = next((each for each in asked if each["kind"] == "tie_draw"), None)
        return Tie(due["options"], due["round"], drawn[: due["round"] - 1]) if due else None
    return None


def effects(player: Mapping[str, Any]) -> list[str]:
    """What a player's World's End effects and the gold text changed before anything was counted."""
    sentences = []
    for key, answer in (player.get("choices") or {}).items():
        sentences += [
            _describe_choice(key, each) for each in (answer if isinstance(answer, list) else [answer]) if each
        ]
    words = {
        "discarded_by_effects": _("Discarded: %(cards)s"),
        "discarded_at_worlds_end": _("Discarded: %(cards)s"),
        "returned": _("Back to the hand: %(cards)s"),
        "hand": _("In hand: %(cards)s"),
    }
    sentences += [words[key] % {"cards": ", ".join(player[key])} for key in words if player.get(key)]
    return sentences


def _describe_choice(key: str, answer: Any) -> str:
    colors = color_words()
    if key.endswith(HOST):
        return _("%(card)s: attached to %(host)s") % {"card": key.removesuffix(HOST), "host": answer}
    if isinstance(answer, dict):
        values = {
            "card": key,
            "from": colors.get(answer.get("from") or "", ""),
            "to": colors.get(answer.get("to") or "", ""),
        }
        return _("%(card)s: %(from)s becomes %(to)s") % values
    return _("%(card)s: %(color)s") % {"card": key, "color": colors.get(answer, answer)}
