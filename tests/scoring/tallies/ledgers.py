"""Random lawful ledgers of Doomtrooper with what each act is worth, worked out apart from the tally."""

from random import Random


def lawful_ledger(seed, length=60, names=(), options=None):
    """A sheet whose acts are all lawful, and the Promotion and Destiny Points of each player after each act.

    With the `options` of an event for these `names`; of teams one member each acts, and nothing leaves its cover.
    """
    chance = Random(seed)
    names = names or ["Ada", "Ben", "Cay", "Dan", "Eve", "Fox"][: chance.randint(2, 6)]
    drawn = {"mode": chance.choice(["free_for_all", "primary_targets"])}
    drawn["sabotage"] = chance.choice(["off", "on", "multiple"])
    mode, sabotage = (options or drawn)["mode"], (options or drawn)["sabotage"]
    acts, after = [], []
    pools = {name: [0, 5] for name in names}
    on_turn, begun, sabotaged, armed = None, {}, set(), set()

    def write(kind, player, promotion=0, destiny=0, /, **facts):
        pools[player][0] += promotion
        pools[player][1] += destiny
        acts.append({"act": kind, "player": player, **facts})
        after.append({name: tuple(pool) for name, pool in pools.items()})

    def earn(kind, player, worth, destiny_only, /, **facts):
        promotion = 0 if destiny_only else chance.randint(0, worth)
        told = {"promotion": promotion, "destiny": worth - promotion}
        for key in chance.sample(sorted(told), chance.randint(0, 1)):
            del told[key]
        write(kind, player, promotion, worth - promotion, **facts, **told)

    for _number in range(length):
        player = chance.choice(names)
        others = [name for name in names if name != player]
        move = chance.choice(
            ["turn", "turn", "kill", "kill", "sabotage", "cover", "muster", "meditate", "spend", "second"]
        )
        if move == "turn":
            on_turn = names[0] if on_turn is None else names[(names.index(on_turn) + 1) % len(names)]
            begun[on_turn] = begun.get(on_turn, 0) + 1
            sabotaged = set()
            armed.add(on_turn)
            write("turn", on_turn, warriors=1)
        elif move == "kill":
            victim = chance.choice(names)
            freelancer, affiliated = chance.random() < 0.2, chance.random() < 0.5
            armed.discard(victim)
            value = chance.randint(-2, 12)
            only = victim == player or (freelancer and not affiliated)
            told = {"freelancer": freelancer, "affiliated": affiliated} if freelancer else {}
            earn("kill", player, max(value, 0), only, victim=victim, value=value, **told)
        elif move == "sabotage":
            target = chance.choice(others)
            had = all(begun.get(name, 0) > (name == on_turn) for name in names)
            again = target in sabotaged and sabotage == "on"
            if sabotage == "off" or not had or on_turn != player or target in armed or again:
                continue
            sabotaged.add(target)
            value = chance.randint(0, 9)
            earn("sabotage", player, -(-value // 2), False, target=target, value=value)
        elif move == "cover" and mode != "teams":
            value, (promotion, destiny) = chance.randint(0, 9), pools[player]
            paid = min(value, destiny)
            write("cover", player, -min(value - paid, promotion), -paid, value=value)
        elif move == "muster":
            in_cover = chance.random() < 0.3
            value = chance.randint(0, 12 if in_cover else pools[player][1])
            armed.add(player)
            write("muster", player, 0, 0 if in_cover else -value, value=value, in_cover=in_cover)
        elif move == "meditate":
            write("meditate", player, 0, 1)
        elif move == "spend":
            points = chance.randint(0, pools[player][1])
            write("spend", player, 0, -points, destiny=points)
        elif mode == "primary_targets" and len(names) > 2 and pools[player][1] >= 2:
            left = names[(names.index(player) + 1) % len(names)]
            target = chance.choice([name for name in others if name != left])
            write("attack_secondary", player, 0, -2, target=target)
    players = [{"name": name} for name in names]
    options = {"mode": mode, "sabotage": sabotage, "target": None}
    return {"players": players, "acts": acts, "options": options}, after


def any_ledger(seed, length=40):
    """A sheet of well-formed acts with no care for what is lawful."""
    chance = Random(seed)
    teams = chance.random() < 0.4
    names = ["Ada", "Ben", "Cay", "Dan"][: 4 if teams else chance.randint(2, 4)]
    players = [{"name": name} for name in names]
    if teams:
        players = [{"name": "Red", "members": ["Ada", "Cay"]}, {"name": "Blue", "members": ["Ben", "Dan"]}]
    kinds = [
        "turn", "turn", "end_turn", "muster", "kill", "kill", "sabotage", "cover", "meditate", "spend", "gain",
        "attack_secondary", "draw_pile_out", "warriors_in_play", "concede", "win", "time_called",
        "fit",
    ]  # fmt: skip
    weights = [4, 4, 2, 4, 6, 6, 3, 3, 3, 3, 3, 2, 1, 2, 0.3, 0.1, 0.5, 1]

    def facts(kind):
        told = {
            "turn": {"warriors": chance.choice([0, 1, False, None])},
            "muster": {
                "value": chance.randint(0, 9),
                "in_cover": chance.random() < 0.3,
                "fights": chance.random() < 0.8,
            },
            "kill": {"victim": chance.choice(names), "value": chance.randint(-3, 15)},
            "sabotage": {"target": chance.choice(names), "value": chance.randint(0, 9)},
            "cover": {"value": chance.randint(0, 12)},
            "spend": {"destiny": chance.randint(0, 9)},
            "gain": {"promotion": chance.randint(-9, 9), "destiny": chance.randint(-9, 9)},
            "attack_secondary": {"target": chance.choice(names)},
            "warriors_in_play": {"count": chance.randint(0, 3)},
            "win": {"card": "A CARD"},
        }.get(kind, {})
        if kind in ("kill", "sabotage"):
            told["promotion"] = chance.choice([None, chance.randint(0, 15)])
            told["destiny"] = chance.choice([None, chance.randint(0, 15)])
            told["freelancer"] = chance.random() < 0.3
        if kind == "kill":
            told["same_combat"] = chance.random() < 0.3
        return told

    acts = [
        {"act": kind, "player": chance.choice(names), **facts(kind)}
        for kind in chance.choices(kinds, weights, k=chance.randint(0, length))
    ]
    options = {
        "sabotage": chance.choice(["off", "on", "multiple"]),
        "team_pool": chance.choice(["destiny", "promotion"]),
        "rules_1997": chance.random() < 0.5,
        "time": chance.choice(["1997", "one_turn", "none"]),
        "target": chance.choice([None, 10, 25, 40]),
        "mode": chance.choice(["free_for_all", "primary_targets"]),
        "check_limits": False,
    }
    return {"players": players, "acts": acts, "options": options}
