"""The acts of a Doomtrooper ledger one after another: what each is worth, and what it must not be."""

from collections.abc import Callable

from rules_engine.messages import gettext_noop
from scoring.games.doomtrooper.tally.ends import decide, end_turn, leave, turns_without_warrior
from scoring.games.doomtrooper.tally.ledger import END_RULES, Ledger
from scoring.games.doomtrooper.tally.sheet import Act, Sheet
from scoring.sheets.tallies.json_reader import bad_sheet

SECONDARY_COST = 2
MIN_DECK = 60


def replay(sheet: Sheet) -> Ledger:
    """The game after all its acts; what changed by an act depends on no later one."""
    ledger = Ledger(sheet)
    ledger.begin()
    _check_table(ledger)
    for before, act, after in zip((None, *sheet.acts), sheet.acts, (*sheet.acts[1:], None), strict=False):
        _check_still_in(ledger, act)
        _check_combat(ledger, act, before)
        if act.kind in ("turn", "end_turn") and ledger.ended_by is None:
            end_turn(ledger, act)
        EFFECTS[act.kind](ledger, act)
        if after is None or not after.facts.get("same_combat"):
            decide(ledger, act)
    return ledger


def _check_table(ledger: Ledger) -> None:
    """Deck sizes, and teams of one size (DT-SIZE, DT-MULTI)."""
    for side in ledger.sheet.sides:
        if side.deck_size is not None and side.deck_size < MIN_DECK:
            message = f"The deck of {side.name} has {side.deck_size} cards: {MIN_DECK} are the least."
            ledger.violations.append(
                {"rule": "DT-SIZE", "player": side.name, "message": message, "cards": [], "act": None}
            )
    if len({len(side.members) for side in ledger.sheet.sides}) > 1:
        ledger.object("DT-MULTI", None, gettext_noop("Teams must be equal: even them out or play without."))


def _check_still_in(ledger: Ledger, act: Act) -> None:
    if ledger.ended_by is not None:
        ledger.object_to(
            act, END_RULES[ledger.ended_by],
            gettext_noop("the game ended at entry %(ended)d. Remove this or correct an earlier one."),
            ended=ledger.ended_at,
        )  # fmt: skip
    elif act.member in ledger.out:
        ledger.object_to(
            act, END_RULES["no_warrior" if ledger.out[act.member] == "no_warrior" else "last_one"],
            gettext_noop("%(name)s left. Remove this or correct an earlier entry."),
            name=act.member,
        )  # fmt: skip


def _check_combat(ledger: Ledger, act: Act, before: Act | None) -> None:
    """Kills of one combat are written one after the other (DT-KILL)."""
    if act.facts.get("same_combat") and (before is None or before.kind != "kill"):
        ledger.object_to(act, "DT-KILL", gettext_noop("no kill of the same combat comes right before."))


def _turn(ledger: Ledger, act: Act) -> None:
    """A turn begins; without a warrior that can fight it is the first, second or last of three (DT-NOWARRIOR)."""
    if act.member is None:
        raise bad_sheet(gettext_noop("Name the member of the team whose turn it is."), place=act.title)
    if ledger.ended_by is not None or ledger.time == "warriors":
        return  # such an act says no more than that the turn before it is over
    person = act.member
    ledger.turn, ledger.sabotaged = person, set()
    ledger.turns[person] = ledger.turns.get(person, 0) + 1
    if "warriors" in act.facts:
        ledger.fights[person] = bool(act.facts["warriors"])
        if not (act.facts["warriors"] and ledger.warriors.get(person)):
            ledger.warriors.pop(person, None)
    fights = ledger.fights.get(person)
    if fights:
        ledger.countdown.pop(person, None)
    elif person in ledger.countdown:
        ledger.countdown[person] -= 1
    elif fights is False and ledger.counts_turns_without_warrior:
        ledger.countdown[person] = turns_without_warrior(ledger, act)


def _fit(ledger: Ledger, act: Act) -> None:
    """A player has a warrior that can fight, whatever the ledger tells."""
    if act.member is not None:
        ledger.fights[act.member] = True
        ledger.countdown.pop(act.member, None)


def _nothing(ledger: Ledger, act: Act) -> None:
    """No points change: what the end of a turn brings comes before, cards in play are written by `in_play`."""


def _leave(ledger: Ledger, act: Act) -> None:
    """A warrior is gone: whether its player has another is not known any more."""
    if act.member is not None:
        ledger.fights.pop(act.member, None)
        ledger.warriors.pop(act.member, None)


def _muster(ledger: Ledger, act: Act) -> None:
    if act.member is not None and act.facts.get("fights", True):
        ledger.fights[act.member] = True
        ledger.warriors[act.member] = ledger.warriors.get(act.member, 0) + 1
        ledger.countdown.pop(act.member, None)
    if not act.facts.get("in_cover"):
        _pay(ledger, act, max(act.number_of("value"), 0), "DT-START")


def _kill(ledger: Ledger, act: Act) -> None:
    """The slain warrior's modified Value, split; of an own one or by a Freelancer Destiny Points only (DT-KILL)."""
    place, member = act.facts["victim"]
    if member is not None:
        ledger.fights.pop(member, None)
        ledger.warriors.pop(member, None)
    only = "DT-OWNKILL" if place == act.place else _freelancing(act)
    _earn(ledger, act, max(act.number_of("value"), 0), "DT-KILL", only)


def _sabotage(ledger: Ledger, act: Act) -> None:
    """Half the saboteur's modified Value, rounded up (DT-SABOTAGE)."""
    place, target = act.facts["target"]
    for template in _against_sabotage(ledger, act, place, target):
        ledger.object_to(act, "DT-SABOTAGE", template, target=target or ledger.sheet.sides[place].name)
    ledger.sabotaged.add(target or ledger.sheet.sides[place].name)
    _earn(ledger, act, (max(act.number_of("value"), 0) + 1) // 2, "DT-SABOTAGE", _freelancing(act))


def _against_sabotage(ledger: Ledger, act: Act, place: int, target: str | None) -> list[str]:
    """Everything that forbids this sabotage."""
    option, name = ledger.sheet.options.sabotage, target or ledger.sheet.sides[place].name
    had_turn = [ledger.turns.get(person, 0) - (ledger.turn == person) > 0 for person in ledger.playing]
    reasons = {
        gettext_noop("sabotage is off here. Remove it or turn the option on."): option == "off",
        gettext_noop("%(target)s is on your side. Pick another."): place == act.place,
        gettext_noop("sabotage is for your own turn. Enter that turn first."):
            act.member is None or ledger.turn != act.member,
        gettext_noop("sabotage comes after each player's first turn."): not all(had_turn),
        gettext_noop("%(target)s has a fit warrior and can't be sabotaged."):
            ledger.fights.get(name) is True,
        gettext_noop("%(target)s was already sabotaged. The addendum allows more than once a turn."):
            option == "on" and name in ledger.sabotaged,
    }  # fmt: skip
    return [template for template, holds in reasons.items() if holds]


def _freelancing(act: Act) -> str:
    return "DT-FREELANCER" if act.facts.get("freelancer") and not act.facts.get("affiliated") else ""


def _earn(ledger: Ledger, act: Act, worth: int, rule: str, destiny_only: str) -> None:
    """Take points as Promotion or Destiny; `destiny_only` is the clause that allows no Promotion, "" for none."""
    promotion, destiny = _split(act, worth, destiny_only)
    if promotion + destiny != worth:
        ledger.object_to(
            act, rule,
            gettext_noop("%(promotion)d P plus %(destiny)d D isn't %(worth)d. Correct the split."),
            promotion=promotion, destiny=destiny, worth=worth,
        )  # fmt: skip
    if destiny_only and promotion:
        ledger.object_to(act, destiny_only, gettext_noop("take it all as Destiny: it earns nothing else."))
    ledger.change(act, promotion, destiny)


def _split(act: Act, worth: int, destiny_only: str) -> tuple[int, int]:
    """Promotion and Destiny Points as they were taken; where one of them was written, the other is the rest."""
    promotion, destiny = act.facts.get("promotion"), act.facts.get("destiny")
    if promotion is None and destiny is None:
        return (0, worth) if destiny_only else (worth, 0)
    if promotion is None:
        return max(worth - act.number_of("destiny"), 0), act.number_of("destiny")
    if destiny is None:
        return promotion, max(worth - promotion, 0)
    return promotion, destiny


def _cover(ledger: Ledger, act: Act) -> None:
    """Pay for a warrior that was in cover, or lose it with all Destiny and the rest in Promotion (DT-COVER)."""
    value = max(act.number_of("value"), 0)
    short = max(value - ledger.destiny_for(act), 0)
    if short:
        ledger.change(act, -short, -value, discarded=True)
        _lose_warrior(ledger, act)
    else:
        ledger.change(act, 0, -value)


def _lose_warrior(ledger: Ledger, act: Act) -> None:
    """A discarded warrior protects nobody; without another one that was written, its player has none (DT-NOWARRIOR)."""
    if act.member is None:
        return
    count = ledger.warriors.pop(act.member, 0)
    if count > 1:
        ledger.warriors[act.member] = count - 1
    elif count:
        ledger.fights[act.member] = False
    else:
        ledger.fights.pop(act.member, None)


def _meditate(ledger: Ledger, act: Act) -> None:
    ledger.change(act, 0, 1)


def _spend(ledger: Ledger, act: Act) -> None:
    _pay(ledger, act, act.number_of("destiny"), "DT-START")


def _gain(ledger: Ledger, act: Act) -> None:
    ledger.change(act, act.number_of("promotion"), act.number_of("destiny"))


def _attack_secondary(ledger: Ledger, act: Act) -> None:
    """Who attacks another than the left neighbour pays for it (DT-MULTI, primary targets)."""
    place, _member = act.facts["target"]
    sides = ledger.sides_playing
    left = next((other for other in sides if act.place is not None and other > act.place), next(iter(sides), None))
    if ledger.sheet.options.mode != "primary_targets" or len(ledger.sheet.sides) < 3:
        ledger.object_to(act, "DT-MULTI", gettext_noop("attacks are free: there are no primary targets."))
    elif left is not None and place in (left, act.place):
        ledger.object_to(
            act, "DT-MULTI", gettext_noop("%(left)s is primary; only other attacks cost Destiny."),
            left=ledger.sheet.sides[left].name,
        )  # fmt: skip
    _pay(ledger, act, SECONDARY_COST, "DT-MULTI")


def _pay(ledger: Ledger, act: Act, price: int, rule: str) -> None:
    if not price:
        return
    if price > (held := ledger.destiny_for(act)):
        ledger.object_to(
            act, rule, gettext_noop("it costs %(price)d D; %(held)d D left. Correct this or an earlier entry."),
            price=price, held=held,
        )  # fmt: skip
    ledger.change(act, 0, -price)


def _draw_pile_out(ledger: Ledger, act: Act) -> None:
    ledger.piles_out |= _meant(ledger, act)


def _warriors_in_play(ledger: Ledger, act: Act) -> None:
    count = act.number_of("count")
    if act.place is not None:
        ledger.counts.setdefault(act.place, {})[act.member or ""] = count
    if act.member is not None and (count == 0 or act.member not in ledger.fights):
        ledger.fights[act.member] = count > 0
    if act.member is not None:
        ledger.warriors[act.member] = count


def _concede(ledger: Ledger, act: Act) -> None:
    for person in _meant(ledger, act):
        leave(ledger, person, "concede")


def _win(ledger: Ledger, act: Act) -> None:
    if ledger.ended_by is None and act.place is not None:
        ledger.finish([act.place], "card", act)


def _time_called(ledger: Ledger, act: Act) -> None:
    if ledger.sheet.options.time == "none":
        ledger.object_to(
            act,
            "DT97-TIME",
            gettext_noop(
                "this game has no time limit. Remove this entry, or choose a rule under “When time is called”."
            ),
        )
    ledger.time = ledger.time or "turn"


def _meant(ledger: Ledger, act: Act) -> set[str]:
    """Whom an act is about: the member named, else everybody of the side."""
    if act.place is None:
        return set()
    return {act.member} if act.member is not None else set(ledger.sheet.sides[act.place].members)


EFFECTS: dict[str, Callable[[Ledger, Act], None]] = {
    "turn": _turn, "end_turn": _nothing, "muster": _muster, "kill": _kill, "sabotage": _sabotage, "cover": _cover,
    "meditate": _meditate, "spend": _spend, "gain": _gain, "attack_secondary": _attack_secondary,
    "draw_pile_out": _draw_pile_out, "warriors_in_play": _warriors_in_play, "concede": _concede, "win": _win,
    "time_called": _time_called, "leave": _leave, "fit": _fit,
    **dict.fromkeys(("attack", "seek", "exit", "wound", "heal", "enter", "discard", "next_game"), _nothing),
}  # fmt: skip
"""What each kind of act does."""
