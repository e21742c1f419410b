"""Random tables of Doomlings for tests: lawful sheets with every card, choice and catastrophe among them."""

from random import Random

from tests.scoring.tallies.plain_doomlings import CATALOGUE, FOUR, Table

TRAITS = [row for row in CATALOGUE.values() if row["type"] == "Trait"]
DOMINANT = [row for row in TRAITS if row["dominant"]]
BOX_DOMINANTS = {row["name"] for row in DOMINANT}
MOVERS = [row for row in DOMINANT if row["name"] in ("Amatoxins", "Lily Pad", "Opposable Thumbs")]
PLAIN = [row for row in TRAITS if not row["dominant"]]
WITH_BONUS = [row for row in PLAIN if row["bonus_kind"] or row["worlds_end"]]
CATASTROPHES = [row["name"] for row in CATALOGUE.values() if row["type"] == "Catastrophe"]
HOSTED = ("host_color_count", "host_face", "per_effectless", "per_set")
NAMES = ["Ada", "Ben", "Cyd", "Dot", "Eli", "Fay"]


class Box:
    """The cards not yet dealt."""

    def __init__(self, random):
        self.random = random
        self.left = {row["name"]: int(row["copies"] or 1) for row in TRAITS}

    def draw(self, kinds):
        """A card from one of some lists of rows; None where luck finds none left."""
        for row in self.random.choices(self.random.choice(kinds), k=20):
            if self.left[row["name"]]:
                self.left[row["name"]] -= 1
                return row["name"]
        return None

    def deal(self, least, most, kinds):
        return [name for name in (self.draw(kinds) for _ in range(self.random.randint(least, most))) if name]


def random_table(random: Random) -> dict:
    """A sheet of 1 to 6 players that breaks no limit."""
    box = Box(random)
    sheet = {"players": [random_player(random, box, name) for name in NAMES[: random.randint(1, 6)]]}
    if len(sheet["players"]) == 1:
        sheet["options"] = {"genetic_mishap": True}
    sheet["discard_pile"] = box.deal(0, 12, [TRAITS])
    sheet["catastrophe"] = random.choice([*CATASTROPHES, *CATASTROPHES, None])
    for place, player in enumerate(sheet["players"]):
        follow_gold_text(random, sheet, place)
        player["hand"] = player.get("hand", []) + random.choice([player.get("returned", []), []])
        drop_some_empty_keys(random, player)
    left = [name for player in sheet["players"] for name in player.get("discarded_at_worlds_end", [])]
    sheet["discard_pile"] += random.choice([left, []])
    return sheet


def follow_gold_text(random: Random, sheet: dict, place: int) -> None:
    """Discard what the catastrophe takes from a pile, card by card while one fits."""
    gold = CATALOGUE[sheet["catastrophe"]] if sheet["catastrophe"] else {"worlds_end_kind": ""}
    player = sheet["players"][place]
    if not gold["worlds_end_kind"].startswith("discard_"):
        return
    player["discarded_by_effects"] = player.pop("discarded_at_worlds_end")
    player["discarded_at_worlds_end"] = []
    for _ in range(gold["params"].get("count", 1)):
        fitting = Table(sheet).takeable(place)
        if fitting:
            player["discarded_at_worlds_end"].append(random.choice(fitting))
    if random.random() < 0.5:
        player["discarded_at_worlds_end"] = player.pop("discarded_by_effects") + player["discarded_at_worlds_end"]


def random_player(random: Random, box: Box, name: str) -> dict:
    dominants = box.deal(0, 2, [DOMINANT, DOMINANT, MOVERS])
    plain = box.deal(0, 16, [PLAIN, WITH_BONUS])
    traits = dominants + plain
    random.shuffle(traits)
    player = {
        "name": name,
        "traits": traits,
        "hand": box.deal(0, 8, [TRAITS, WITH_BONUS]),
        "gene_pool": random.randint(1, 8),
    }
    player["drawn_face"] = random.choice([None, *range(-3, 18)])
    player["revealed"] = random.choice([None, "colorless", *FOUR])
    player["hand_pick"] = random.choice([None, *player["hand"]])
    if random.random() < 0.3:
        player["hand_size"] = random.randint(0, 9)
    leaving = random.sample(plain, len(plain))
    moved = {key: random.randint(0, most) for key, most in allowed_moves(traits).items()}
    cut = moved["discarded_at_worlds_end"]
    player["discarded_at_worlds_end"], player["returned"] = leaving[:cut], leaving[cut : cut + moved["returned"]]
    player["choices"] = {key: value for key, value in random_choices(random, traits) if random.random() < 0.8}
    return player


def allowed_moves(traits: list[str]) -> dict[str, int]:
    """How many traits the cards of a pile let their owner discard and return at World's End."""
    copied = next((name for name in traits if name in BOX_DOMINANTS and name != "Opposable Thumbs"), None)
    acting = [copied if name == "Opposable Thumbs" else name for name in traits]
    return {"discarded_at_worlds_end": 3 * acting.count("Amatoxins"), "returned": 3 * acting.count("Lily Pad")}


def drop_some_empty_keys(random: Random, player: dict) -> None:
    for key in [key for key, value in player.items() if key != "traits" and value in (None, [], {})]:
        if random.random() < 0.5:
            del player[key]


def random_choices(random: Random, traits: list[str]):
    for name in traits:
        others = list(traits)
        others.remove(name)
        if name == "Faith" or (name == "Opposable Thumbs" and "Faith" in traits):
            yield name, {"from": random.choice(FOUR), "to": random.choice(FOUR)}
        else:
            yield name, random.choice(FOUR)
        if CATALOGUE[name]["bonus_kind"] in HOSTED and others:
            yield f"{name}_host", random.choice(others)
