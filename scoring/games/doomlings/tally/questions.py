"""What the cards on a sheet of Doomlings ask of a player or of the table, so that a page asks that and nothing else."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from scoring.games.doomlings.tally.cards import (
    BY_HAND,
    COLORLESS,
    COLORS,
    RECOLORS_ITSELF,
    RECOLORS_PILE,
    Bonus,
    Trait,
    catastrophes,
)
from scoring.games.doomlings.tally.discards import MAY_DISCARD, MAY_RETURN
from scoring.games.doomlings.tally.limits import DOMINANTS_MOST, THIRD_DOMINANT
from scoring.games.doomlings.tally.piles import DISCARDS, Pile, asked_discards, before_catastrophe, fitting_discards
from scoring.games.doomlings.tally.sheet import HOST, Player, Sheet

Question = dict[str, Any]

COLOR_KINDS = frozenset({"chosen_color_own", "chosen_color_opponents"})
HOST_KINDS = frozenset({"host_color_count", "host_face", "per_effectless"})
NAMED_HAND_KINDS = frozenset({"distinct_colors_hand", "hand_set_faces"})
SIZE_KINDS = frozenset({"per_hand_card", "hand_card_face_if_few"})
PICK_KINDS = frozenset({"hand_card_face", "hand_card_face_if_few"})
GENE_POOL_KINDS = frozenset({"gene_pool_own", "if_gene_pool_at_least"})
USUAL_END, LATE_END = 3, 4


def questions_of(sheet: Sheet, piles: Sequence[Pile]) -> list[Question]:
    """The questions of a sheet: the table's (place 0) first, then the players' by place from 1.

    Each is {"place", "card", "kind", "field", "answered"}: `card` asks ("" for none), `field` is the key of the sheet
    (from place 1 on: of its player) that takes the answer, and `kind` what that is:
      catastrophe    a name of "options"; "number" says which catastrophe ended the world, the 3rd or the 4th
      yes_no         true or false; "player" says whose
      cards          a list of trait names; "from" what is counted among them, as a filter
      cards_of_pile  a list of at least "least" and at most "most" of the "options", which leave the pile; a name stands
                     there once for each copy that can leave. "chosen" are those the sheet has
      card           a name; one of "options" unless there are none
      color          one of "options"; under "key" in the field "choices", a list where "copies" is more than 1
      from_to        {"from", "to"}, each one of "options", likewise
      host           a name of "options", likewise
      number         a whole number, one of "options" where there are any
      tie_draw       the "round" of draws that is due, among the players in "options"
    """
    found = [*_of_table(sheet, piles)]
    for place, pile in enumerate(piles, 1):
        if pile.known:
            found += _of_player(sheet, pile, place)
    kept: dict[tuple[object, ...], Question] = {}
    for each in found:
        if each["kind"] in ("cards_of_pile", "host") and not each["options"]:
            continue
        card = each["card"] if each["kind"] == "cards_of_pile" else ""
        kept.setdefault((each["place"], each["field"], each.get("key"), card), each)
    return list(kept.values())


def ask_for_draw(names: Sequence[str], number: int) -> Question:
    """The question of a table that is tied and draws for it."""
    return _ask(0, "", "tie_draw", "tie_draws", None, options=list(names), round=number)


def _ask(place: int, card: str, kind: str, field: str, given: object, **more: Any) -> Question:
    return {"place": place, "card": card, "kind": kind, "field": field, "answered": bool(given), **more}


def _of_table(sheet: Sheet, piles: Sequence[Pile]) -> Iterator[Question]:
    last = LATE_END if sheet.options["prosperous_world"] == "4x3_fourth" else USUAL_END
    yield _ask(
        0, "", "catastrophe", "catastrophe", sheet.catastrophe, options=list(catastrophes()), number=last,
    )  # fmt: skip
    for pile in piles:
        if sum(trait.dominant for trait in pile.player.traits) == DOMINANTS_MOST + 1 and _has(pile, THIRD_DOMINANT):
            given = "birth_of_a_hero" in sheet.given
            yield _ask(0, THIRD_DOMINANT, "yes_no", "birth_of_a_hero", given, player=pile.player.name)
    if not sheet.options["intelligent_design"]:
        yield from _discard_pile(0, piles, "discard_pile" in sheet.given)


def _has(pile: Pile, name: str) -> bool:
    return any(trait.name == name for trait in pile.player.traits)


def _discard_pile(place: int, piles: Sequence[Pile], given: bool) -> Iterator[Question]:
    for pile in piles:
        for name, bonus in _bonuses(pile):
            if bonus.kind == "per_discard_pile_card":
                yield _ask(place, name, "cards", "discard_pile", given, **{"from": bonus.params["filter"]})


def _bonuses(pile: Pile) -> list[tuple[str, Bonus]]:
    """The bonuses of a pile with the names of their cards."""
    return [(card.trait.name, card.bonus) for card in pile.cards if card.bonus]


def _of_player(sheet: Sheet, pile: Pile, place: int) -> Iterator[Question]:
    player = pile.player
    yield from _of_cards(pile, place)
    if sheet.options["intelligent_design"]:
        yield from _discard_pile(place, [pile], "discard_pile" in player.given)
    if sheet.options["genetic_mishap"]:
        yield _ask(place, "", "cards", "lab", "lab" in player.given)
    yield from _of_counts(sheet, pile, place)
    yield from _of_catastrophe(sheet, pile, place)


def _of_cards(pile: Pile, place: int) -> Iterator[Question]:
    """What was chosen for the cards at World's End."""
    copies = Counter(card.trait.name for card in pile.cards)
    for card in pile.cards:
        name = card.trait.name
        kind, params = (card.acts.bonus.kind, card.acts.bonus.params) if card.acts.bonus else ("", {})
        if kind in COLOR_KINDS or card.acts.name in RECOLORS_ITSELF:
            yield _chosen(pile.player, place, name, "color", copies[name])
        if card.acts.name in RECOLORS_PILE:
            yield _chosen(pile.player, place, name, "from_to", copies[name])
        if kind in HOST_KINDS or "amount_if_attached" in params:
            yield _host(pile, place, name, copies[name])
        if kind in MAY_DISCARD:
            yield _leaving(pile, place, name, "discarded_by_effects", params[MAY_DISCARD[kind]])
        if kind in MAY_RETURN:
            yield _leaving(pile, place, name, "returned", params[MAY_RETURN[kind]])


def _chosen(player: Player, place: int, name: str, kind: str, copies: int) -> Question:
    answers = player.choices.get(name, ())
    return _ask(place, name, kind, "choices", any(answers), key=name, options=list(COLORS), copies=copies)


def _host(pile: Pile, place: int, name: str, copies: int) -> Question:
    others = [trait.name for trait in pile.player.traits]  # a host that leaves at World's End was the host all the same
    others.remove(name)
    hosts = pile.player.hosts.get(name, ())
    options = list(dict.fromkeys(others))
    return _ask(place, name, "host", "choices", any(hosts), key=name + HOST, options=options, copies=copies)


def _leaving(pile: Pile, place: int, name: str, field: str, most: int) -> Question:
    """Which traits of the whole pile a card moves, if any; dominants never leave."""
    given = {"discarded_by_effects": pile.discarded, "returned": pile.player.returned}[field]
    names = [trait.name for trait in pile.player.traits if not trait.dominant]
    return _ask_leaving(place, name, field, names, given, most)


def _ask_leaving(
    place: int, name: str, field: str, names: Sequence[str], given: Sequence[Trait], most: int, least: int = 0
) -> Question:
    options = [trait for trait, count in Counter(names).items() for _copy in range(min(count, most))]
    chosen = [trait.name for trait in given]
    answered = len(chosen) == least if least else bool(chosen)
    return _ask(
        place, name, "cards_of_pile", field, answered, options=options, most=most, least=least, chosen=chosen
    )  # fmt: skip


def _of_counts(sheet: Sheet, pile: Pile, place: int) -> Iterator[Question]:
    """Hand and Gene Pool, where a card or the catastrophe counts them."""
    given = pile.player.given
    bonuses = _bonuses(pile)
    if sheet.catastrophe:
        bonuses.append((sheet.catastrophe.name, sheet.catastrophe.gold))
    for name, bonus in bonuses:
        counted = bonus.params.get("filter", "any")
        if bonus.kind in NAMED_HAND_KINDS or (bonus.kind == "per_hand_card" and counted != "any"):
            yield _ask(place, name, "cards", "hand", "hand" in given, **{"from": counted})
        elif bonus.kind in SIZE_KINDS:
            yield _ask(place, name, "number", "hand_size", given & {"hand", "hand_size"})
        if bonus.kind in GENE_POOL_KINDS:
            yield _gene_pool(pile, place, name)
    if not any(bonus.kind in GENE_POOL_KINDS for _name, bonus in bonuses):
        yield from _compared_gene_pool(sheet, pile, place)


def _gene_pool(pile: Pile, place: int, name: str) -> Question:
    return _ask(place, name, "number", "gene_pool", "gene_pool" in pile.player.given, options=list(range(1, 9)))


def _compared_gene_pool(sheet: Sheet, pile: Pile, place: int) -> Iterator[Question]:
    """A person's card counts the largest Gene Pool of all."""
    for player in sheet.players:
        for trait in player.traits:
            if trait.bonus and trait.bonus.kind == "gene_pool_max":
                yield _gene_pool(pile, place, trait.name)


def _of_catastrophe(sheet: Sheet, pile: Pile, place: int) -> Iterator[Question]:
    """What the gold text of the catastrophe wants of everybody."""
    if sheet.catastrophe is None:
        return
    name, gold, player = sheet.catastrophe.name, sheet.catastrophe.gold, pile.player
    if gold.kind == BY_HAND:
        yield _ask(place, name, "number", "catastrophe_points", "catastrophe_points" in player.given)
    if gold.kind == "draw_face":
        yield _ask(place, name, "number", "drawn_face", "drawn_face" in player.given)
    if gold.kind in PICK_KINDS:
        held = list(dict.fromkeys(trait.name for trait in player.hand))
        yield _ask(place, name, "card", "hand_pick", player.hand_pick, options=held)
    if gold.kind == "per_revealed_color":
        yield _ask(place, name, "color", "revealed", player.revealed, options=[*COLORS, COLORLESS])
    if gold.kind.startswith(DISCARDS):
        yield _discard(pile, place, name, gold)


def _discard(pile: Pile, place: int, name: str, gold: Bonus) -> Question:
    """What the gold text takes: as many as it asks, as far as cards fit."""
    fitting = [card.trait.name for card in fitting_discards(before_catastrophe(pile), gold)]
    due = min(asked_discards(gold), len(fitting))
    return _ask_leaving(place, name, "discarded_at_worlds_end", fitting, pile.taken, due, least=due)
