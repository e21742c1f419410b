"""Random tables of Doomlings for tests: lawful sheets with every card, choice and catastrophe among them."""

from random import Random

from tests.scoring.tallies.plain_doomlings import CATALOGUE, FOUR

TRAITS = [row for row in CATALOGUE.values() if row["type"] == "Trait"]
DOMINANT = [row for row in TRAITS if row["dominant"]]
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
    sheet["discard_pile"] = box.deal(0, 12, [TRAITS])
    left = [name for player in sheet["players"] for name in player.get("discarded_at_worlds_end", [])]
    sheet["discard_pile"] += random.choice([left, []])
    sheet["catastrophe"] = random.choice([*CATASTROPHES, *CATASTROPHES, None])
    return sheet


def random_player(random: Random, box: Box, name: str) -> dict:
    dominants = box.deal(0, 2, [DOMINANT])
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
    leaving = random.sample(plain, min(len(plain), random.choice([0, 0, 1, 2, 4])))
    cut = random.randint(0, len(leaving))
    player["discarded_at_worlds_end"], player["returned"] = leaving[:cut], leaving[cut:]
    player["hand"] += random.choice([player["returned"], []])
    player["choices"] = {key: value for key, value in random_choices(random, traits) if random.random() < 0.8}
    for key in [key for key, value in player.items() if key != "traits" and value in (None, [], {})]:
        if random.random() < 0.5:
            del player[key]
    return player


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
