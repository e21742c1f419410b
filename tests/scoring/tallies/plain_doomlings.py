"""A second tally of Doomlings, told as plainly as its rules: the oracle of random tables.

See docs/how-it-works/score-sheets.md#doomlings.

It reads the card file itself and shares no code with the tally. It takes lawful sheets with catalogued names.
"""

import csv
import json
from pathlib import Path

import rules_engine

CARDS = Path(rules_engine.__file__).parent / "games" / "doomlings" / "cards.csv"
FOUR = ["blue", "green", "purple", "red"]


def read_cards():
    """Rows of the card file by name, with parsed colors, face and params."""
    cards = {}
    with CARDS.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            row["colors"] = row["colors"].split(", ") if row["colors"] else []
            row["face"] = None if row["face_value"] == "" else int(row["face_value"])
            row["base"] = row["base_name"] or row["name"]
            row["params"] = json.loads(row["bonus_params"] or row["worlds_end_params"] or "{}")
            cards[row["name"]] = row
    return cards


CATALOGUE = read_cards()


class Trait:
    """One card in a pile: a row of the file, and what World's End made of it."""

    def __init__(self, name):
        self.name = name
        self.row = CATALOGUE[name]
        self.colors = list(self.row["colors"])
        self.face = self.row["face"]
        self.kind = self.row["bonus_kind"]
        self.params = self.row["params"]
        self.choice = None
        self.host = None

    def is_of(self, color):
        return color in self.colors or (color == "colorless" and not self.colors)


def number_of(pile, color):
    return len([trait for trait in pile if trait.is_of(color)])


class Table:
    """All players after World's End."""

    def __init__(self, sheet):
        self.sheet = sheet
        self.players = sheet["players"]
        self.gold = CATALOGUE[sheet["catastrophe"]] if sheet.get("catastrophe") else None
        self.piles = [self.lay(player) for player in self.players]
        self.effects = [self.discarded_by_effects(i) for i in range(len(self.players))]

    def lay(self, player):
        names = list(player["traits"])
        told = ("discarded_by_effects", "discarded_at_worlds_end", "returned")
        for gone in [name for key in told for name in player.get(key, [])]:
            if gone in names:
                names.reverse()
                names.remove(gone)
                names.reverse()
        choices = player.get("choices", {})
        pile = self.recolored(names, choices)
        if self.gold and self.gold["worlds_end_kind"] == "colorless_fixed_value":
            for trait in pile:
                spared = self.gold["params"]["exclude_dominants"] == 1 and trait.row["dominant"] == "yes"
                if not trait.colors and not spared:
                    trait.face = self.gold["params"]["value"]
                    trait.kind = ""
        for trait in pile:
            wanted = choices.get(trait.name + "_host")
            for other in pile:
                if trait.host is None and other.name == wanted and other is not trait:
                    trait.host = other
        return pile

    def recolored(self, names, choices):
        """Traits of these names after copying and recoloring."""
        pile = [Trait(name) for name in names]
        for trait in pile:
            trait.choice = choices.get(trait.name)
        self.copy(pile, choices)
        self.recolor(pile)
        return pile

    def copy(self, pile, choices):
        for trait in pile:
            if trait.kind != "copy_first_dominant":
                continue
            trait.kind = ""
            for other in pile:
                if other.row["dominant"] == "yes" and other.row["bonus_kind"] != "copy_first_dominant":
                    trait.face, trait.kind, trait.params = (
                        other.row["face"],
                        other.row["bonus_kind"],
                        other.row["params"],
                    )
                    if trait.choice is None:
                        trait.choice = choices.get(other.name)
                    trait.row = {**trait.row, "as": other.name}
                    break

    def recolor(self, pile):
        changes = []
        for trait in pile:
            if trait.row.get("as", trait.name) == "Faith" and isinstance(trait.choice, dict):
                changes.append((trait.choice["from"], trait.choice["to"]))
        for trait in pile:
            if trait.name in ("Free Will", "Rainbow Horn (1e)"):
                if trait.choice:
                    trait.colors = [trait.choice]
                continue
            for before, after in changes:
                if before in trait.colors:
                    trait.colors = sorted({after if color == before else color for color in trait.colors})

    def discarded_by_effects(self, i):
        """What Amatoxins may count of a player's discards."""
        discards = list(self.players[i].get("discarded_at_worlds_end", []))
        kind = self.gold["worlds_end_kind"] if self.gold else ""
        told = list(self.players[i].get("discarded_by_effects", []))
        if not kind.startswith("discard_"):
            return told + discards
        for _ in range(self.gold["params"].get("count", 1)):
            fitting = [at for at, name in enumerate(discards) if self.may_take(i, name)]
            if fitting:
                del discards[fitting[-1]]
        return told + discards

    def takeable(self, i):
        """The names in a pile that the gold text may take from it."""
        pile = self.piles[i]
        found = []
        for trait in pile:
            self.piles[i] = [other for other in pile if other is not trait]
            if self.may_take(i, trait.name):
                found.append(trait.name)
        self.piles[i] = pile
        return found

    def may_take(self, i, name):
        kind, params = self.gold["worlds_end_kind"], self.gold["params"]
        before = self.recolored(self.players[i]["traits"], self.players[i].get("choices", {}))
        trait = next(each for each in before if each.name == name)
        pile = self.piles[i]
        if trait.row["dominant"] == "yes":
            return False
        if kind == "discard_color":
            return trait.is_of(params["color"])
        if kind == "discard_face_at_least":
            return trait.face is not None and trait.face >= params["face"]
        if kind == "discard_drop_of_life":
            return trait.row["drop_of_life"] == "yes"
        if kind == "discard_attachment":
            return trait.row["attachment"] == "yes"
        if kind == "discard_highest_face":
            faces = [t.face for t in [*pile, trait] if t.face is not None and t.row["dominant"] != "yes"]
            return not faces or trait.face == max(faces)
        assert kind == "discard_from_largest_color"
        counts = {color: number_of([*pile, trait], color) for color in FOUR}
        return any(counts[color] == max(counts.values()) for color in trait.colors)

    # what the kinds look at

    def pool(self, i):
        value = self.players[i].get("gene_pool")
        return 5 if value is None else value

    def hand(self, i):
        return [CATALOGUE[name] for name in self.players[i].get("hand", [])]

    def hand_size(self, i):
        value = self.players[i].get("hand_size")
        return len(self.hand(i)) if value is None else value

    def count(self, i, color):
        return number_of(self.piles[i], color)

    def others(self, i):
        return [j for j in range(len(self.piles)) if j != i]

    def bonus(self, i, trait):
        """The points that one card gives its own player."""
        kind, p, pile = trait.kind, trait.params, self.piles[i]
        amount = p.get("amount")
        each = {color: self.count(i, color) for color in FOUR}
        faces = [t.face for t in pile if t.face is not None]
        if kind == "":
            return 0
        if kind == "per_color":
            return amount * (self.count(i, p["color"]) // p.get("every", 1))
        if kind == "per_color_pair":
            return amount * sum(n // 2 for n in each.values())
        if kind == "per_opponent_color_group":
            total = 0
            for j in self.others(i):
                total += self.count(j, p["color"]) // p["every"]
            return amount * total
        if kind == "per_trait":
            if p.get("exclude_dominant"):
                return amount * len([t for t in pile if t.row["dominant"] != "yes"])
            return amount * len(pile)
        if kind == "per_negative_face":
            return amount * len([f for f in faces if f < 0])
        if kind == "per_face_equal":
            return amount * faces.count(p["face"])
        if kind in ("per_name", "per_set"):
            looked_at = range(len(self.piles)) if p["scope"] == "all" else [i]
            column, wanted = ("base", p["name"]) if kind == "per_name" else ("set", p["set"])
            total = 0
            for j in looked_at:
                for t in self.piles[j]:
                    if t.row[column] == wanted:
                        total += 1
            return total * (p["amount_if_attached"] if trait.host and "amount_if_attached" in p else amount)
        if kind == "per_effectless":
            return amount * len([t for t in pile if t.row["effectless"] == "yes"]) if trait.host else 0
        if kind == "per_dominant_own":
            return amount * len([t for t in pile if t.row["dominant"] == "yes"])
        if kind == "distinct_colors_pile":
            return amount * len([n for n in each.values() if n > 0])
        if kind == "distinct_colors_hand":
            return amount * len({color for row in self.hand(i) for color in row["colors"]})
        if kind == "per_hand_card":
            return amount * self.in_hand(i, p["filter"])
        if kind == "gene_pool_own":
            return amount * self.pool(i)
        if kind == "gene_pool_max":
            return amount * max(self.pool(j) for j in range(len(self.piles)))
        if kind == "if_most_traits":
            return 0 if any(len(self.piles[j]) >= len(pile) for j in self.others(i)) else amount
        if kind == "if_color_strictly_most":
            rest = [each[color] for color in FOUR if color != p["color"]]
            return amount if each[p["color"]] > max(rest) else 0
        if kind == "per_lowest_color":
            present = [n for n in each.values() if n]
            return amount * min(present) if len(present) >= p["min_colors"] else 0
        if kind == "per_lesser_of_two_colors":
            one, other = p["colors"]
            return amount * min(each[one], each[other])
        if kind == "if_all_four_colors":
            return amount if all(n >= p["each"] for n in each.values()) else 0
        if kind == "per_full_color_set":
            return amount * min(each.values())
        if kind == "per_color_with_at_least":
            return amount * len([n for n in each.values() if n >= p["count"]])
        if kind == "if_color_at_least":
            return amount if each[p["color"]] >= p["count"] else 0
        if kind == "if_any_opponent_color_at_least":
            return amount if [j for j in self.others(i) if self.count(j, p["color"]) >= p["count"]] else 0
        if kind == "if_any_negative_face":
            return amount if min(faces, default=0) < 0 else 0
        if kind == "if_few_low_faces":
            return amount if len([f for f in faces if f <= p["face_at_most"]]) <= p["max_count"] else 0
        if kind == "per_discard_pile_card":
            return amount * (self.in_discard_pile(p["filter"]) // p["every"])
        if kind == "chosen_color_own":
            return amount * self.count(i, trait.choice) if trait.choice else 0
        if kind == "color_everyone":
            return amount * self.count(i, p["color"])
        if kind == "host_color_count":
            return amount * sum(self.count(i, color) for color in trait.host.colors) if trait.host else 0
        if kind == "host_face":
            return trait.host.face if trait.host and trait.host.face is not None else 0
        if kind == "per_returned_trait":
            return amount * min(p["max"], len(self.players[i].get("returned", [])))
        if kind == "per_other_drop_and_max_color":
            drops = len([t for t in pile if t is not trait and t.row["drop_of_life"] == "yes"])
            return p["per_other_drop"] * drops + (p["per_max_color"] * max(each.values()) if min(each.values()) else 0)
        assert kind in (
            "chosen_color_opponents", "opponents_colors_fewer_than_owner", "opponents_per_discarded_color",
            "if_in_hand_at_end",
        ), kind  # fmt: skip
        return 0

    def in_hand(self, i, wanted):
        if wanted == "any":
            return self.hand_size(i)
        if wanted == "effect":
            return len([row for row in self.hand(i) if row["effectless"] != "yes"])
        return len([row for row in self.hand(i) if row[wanted] == "yes"])

    def in_discard_pile(self, wanted):
        rows = [CATALOGUE[name] for name in self.sheet.get("discard_pile", [])]
        if wanted == "dominant":
            return len([row for row in rows if row["dominant"] == "yes"])
        if wanted == "negative_face":
            return len([row for row in rows if row["face"] is not None and row["face"] < 0])
        return len([row for row in rows if "set:" + row["set"] == wanted])

    def given(self, i, trait, j):
        """The points that one card of player i gives player j."""
        kind, p = trait.kind, trait.params
        if kind == "chosen_color_opponents":
            return p["amount"] * self.count(j, trait.choice) if trait.choice else 0
        if kind == "color_everyone":
            return p["amount"] * self.count(j, p["color"])
        if kind == "opponents_colors_fewer_than_owner":
            return p["amount"] * len([color for color in FOUR if self.count(j, color) < self.count(i, color)])
        if kind == "opponents_per_discarded_color":
            colors = set()
            for name in self.effects[i][: p["max_discards"]]:
                colors |= set(CATALOGUE[name]["colors"])
            return p["amount"] * len(colors)
        return 0

    def catastrophe(self, i):
        """What the gold text gives player i."""
        if self.gold is None:
            return 0
        kind, p, pile, player = self.gold["worlds_end_kind"], self.gold["params"], self.piles[i], self.players[i]
        amount = p.get("amount")
        faces = [t.face for t in pile if t.face is not None]
        sizes = [len(each) for each in self.piles]
        if kind.startswith("discard_") or kind == "colorless_fixed_value":
            return 0
        if kind == "per_color":
            return amount * self.count(i, p["color"])
        if kind == "per_negative_face":
            return amount * len([f for f in faces if f < 0])
        if kind == "per_hand_card":
            return amount * self.hand_size(i)
        if kind == "gene_pool_own":
            return amount * self.pool(i)
        if kind == "per_missing_color":
            return amount * len([color for color in FOUR if not self.count(i, color)])
        if kind == "most_traits":
            return amount if sizes[i] == max(sizes) else 0
        if kind == "fewest_traits":
            return amount if sizes[i] == min(sizes) else 0
        if kind == "if_any_color_at_least":
            return amount if [color for color in FOUR if self.count(i, color) >= p["count"]] else 0
        if kind == "if_color_at_most":
            return amount if self.count(i, p["color"]) <= p["count"] else 0
        if kind == "if_traits_at_least":
            return amount if sizes[i] >= p["count"] else 0
        if kind == "if_gene_pool_at_least":
            return amount if self.pool(i) >= p["count"] else 0
        if kind == "left_neighbour_color":
            if len(self.piles) == 1:
                return 0
            neighbour = 0 if i == len(self.piles) - 1 else i + 1
            return amount * self.count(neighbour, p["color"])
        if kind in ("per_action", "per_drop_of_life"):
            return amount * len([t for t in pile if t.row[kind.removeprefix("per_")] == "yes"])
        if kind == "per_face_at_least":
            return amount * len([f for f in faces if f >= p["face"]])
        if kind == "draw_face":
            return min(player.get("drawn_face") or 0, p.get("max", 10**9))
        if kind in ("hand_card_face", "hand_card_face_if_few"):
            if "hand_at_most" in p and self.hand_size(i) > p["hand_at_most"]:
                return 0
            face = CATALOGUE[player["hand_pick"]]["face"] if player.get("hand_pick") else 0
            return min(face or 0, p.get("max", 10**9))
        if kind == "hand_set_faces":
            return sum(row["face"] or 0 for row in self.hand(i) if row["set"] == p["set"])
        if kind == "per_revealed_color":
            return amount * self.count(i, player["revealed"]) if player.get("revealed") in FOUR else 0
        assert kind == "if_dominant_of_sets", kind
        held = len([t for t in pile if t.row["dominant"] == "yes" and t.row["set"] in p["sets"]])
        return [0, p["first"], p["first"] + p["second"]][min(held, 2)]

    def scores(self):
        """(face values, bonuses, catastrophe) of each player."""
        answer = []
        for i, pile in enumerate(self.piles):
            faces = sum(trait.face for trait in pile if trait.face is not None)
            bonus = sum(self.bonus(i, trait) for trait in pile)
            for row in self.hand(i):
                if row["bonus_kind"] == "if_in_hand_at_end":
                    bonus += row["params"]["amount"]
            for j in self.others(i):
                bonus += sum(self.given(j, trait, i) for trait in self.piles[j])
            answer.append((faces, bonus, self.catastrophe(i)))
        return answer


def plain_tally(sheet):
    """(face values, bonuses, catastrophe) of each player of a lawful sheet."""
    return Table(sheet).scores()
