"""Makes states to pair: whole events played from latent strength, random states, and the adversarial families.

See docs/how-it-works/pairing.md#families.
"""

from itertools import combinations

from tournaments.pairing.swiss.contenders import Apart, Contender, Finish, Order, PairingPolicy, RoundInput


def field_of(scores, met=(), byes=(), clubs=None, **more):
    """Contenders 1, 2, … with these scores; `met` are pairs of ids, each as often as they met."""
    opponents = {one: [] for one in range(1, len(scores) + 1)}
    for one, other in met:
        opponents[one].append(other)
        opponents[other].append(one)
    extra = {one: {name: values[one] for name, values in more.items() if one in values} for one in opponents}
    return tuple(
        Contender(one, score, tuple(sorted(opponents[one])), one in byes, (clubs or {}).get(one), **extra[one])
        for one, score in enumerate(scores, start=1)
    )


def pairs_but(size, allowed):
    """Every pair of 1..size but the allowed ones: the met pairs of a field in which only those are lawful."""
    lawful = {tuple(sorted(pair)) for pair in allowed}
    return [pair for pair in combinations(range(1, size + 1), 2) if pair not in lawful]


def clique(*ids):
    """Every pair of some ids."""
    return list(combinations(sorted(ids), 2))


def cycle(*ids):
    """The ring of some ids."""
    return list(zip(ids, (*ids[1:], ids[0]), strict=True))


def berger(size):
    """The rounds of a round robin of 1..size (even): lists of pairs."""
    ring = list(range(1, size))
    rounds = []
    for turn in range(size - 1):
        turned = ring[turn:] + ring[:turn]
        rounds.append([(size, turned[0])] + [(turned[k], turned[-k]) for k in range(1, size // 2)])
    return rounds


def random_state(chance, size, policy=None, density=None):
    """A random RoundInput: uneven histories, byes, clubs, teams, apart pairs, awarded byes and a locked pair."""
    ids = range(1, size + 1)
    density = chance.random() if density is None else density
    met = [pair for pair in combinations(ids, 2) if chance.random() < density]
    met += chance.choices(met, k=len(met) // 10) if met else []
    top = chance.choice((3, 9, 30))
    apart = {one: (chance.choice([other for other in ids if other != one]),) for one in ids if chance.random() < 0.1}
    field = field_of(
        [chance.choice((0, 1, 3, 3)) * chance.randint(0, top) for _ in ids],
        met,
        [one for one in ids if chance.random() < 0.3],
        {one: chance.choice("ABC") for one in ids if chance.random() < 0.6},
        team={one: chance.choice("RSTUV") for one in ids if chance.random() < 0.5},
        apart=apart if size > 1 else {},
        place=dict(zip(ids, chance.sample(ids, size), strict=True)),
        downfloats={one: chance.randint(0, 2) for one in ids},
        upfloats={one: chance.randint(0, 2) for one in ids},
        awarded_bye={one: True for one in ids if chance.random() < 0.05},
        fixed_table={one: chance.randint(1, size) for one in ids if chance.random() < 0.1},
    )
    seated = [each.id for each in field if not each.awarded_bye]
    locked = (tuple(chance.sample(seated, 2)),) if len(seated) > 3 and chance.random() < 0.3 else ()
    if chance.random() < 0.1:  # what the services refuse has an answer all the same
        locked += ((1, size + 1), (1, 1), (chance.randint(1, size), chance.randint(1, size)))
    return RoundInput(field, policy or random_policy(chance), chance.getrandbits(32), locked)


def random_policy(chance):
    """Any order, any strictness, any finish."""
    pick = {"order": Order, "clubs": Apart, "teams": Apart, "finish": Finish}
    return PairingPolicy(**{name: chance.choice(list(kinds)) for name, kinds in pick.items()})


class Event:
    """A whole Swiss event of made-up people: 3/1/0, draws, drops and returns, late entries, awarded byes, clubs."""

    def __init__(self, chance, players, draws=0.05, drops=0.02, late=0.1):
        self.chance, self.draws, self.drops, self.late = chance, draws, drops, late
        self.policy = PairingPolicy(
            order=chance.choice(list(Order)),
            clubs=chance.choice(list(Apart)),
            finish=chance.choice(list(Finish)),
        )
        self.strength, self.score, self.met, self.floats = {}, {}, {}, {}
        self.had_bye, self.club, self.away = set(), {}, set()
        for _ in range(players):
            self.enter()

    def enter(self):
        """One more player, with nothing played."""
        player = len(self.score) + 1
        self.strength[player], self.score[player], self.met[player] = self.chance.gauss(0, 1), 0, []
        self.floats[player] = [0, 0]
        self.club[player] = self.chance.choice("ABCDEFG") if self.chance.random() < 0.5 else None

    def state(self):
        """The next round's RoundInput; a few of those present were awarded a bye."""
        present = [player for player in self.score if player not in self.away]
        order = sorted(self.score, key=lambda player: (-self.score[player], player))
        place = {player: number for number, player in enumerate(order, start=1)}
        return RoundInput(
            tuple(
                Contender(
                    player,
                    self.score[player],
                    tuple(sorted(self.met[player])),
                    player in self.had_bye,
                    self.club[player],
                    place=place[player],
                    downfloats=self.floats[player][0],
                    upfloats=self.floats[player][1],
                    fixed_table=player % 5 + 1 if player % 17 == 0 else None,
                    awarded_bye=self.chance.random() < 0.01,
                )
                for player in present
            ),
            self.policy,
            self.chance.getrandbits(32),
        )

    def play(self, paired):
        """Take a paired round's results, then let people leave, return and come."""
        for one, other in paired.pairs:
            self.met[one].append(other)
            self.met[other].append(one)
            low, high = sorted((one, other), key=self.score.__getitem__)
            if self.score[low] != self.score[high]:
                self.floats[high][0] += 1
                self.floats[low][1] += 1
        for one, other in paired.pairs:
            self._settle(one, other)
        for player in (*paired.awarded_byes, *([] if paired.bye is None else [paired.bye])):
            self.score[player] += 3
            self.had_bye.add(player)
        self._move()

    def _settle(self, one, other):
        if self.chance.random() < self.draws:
            self.score[one] += 1
            self.score[other] += 1
        else:
            upset = self.chance.gauss(0, 1)
            self.score[one if self.strength[one] + upset > self.strength[other] else other] += 3

    def _move(self):
        for player in self.score:
            if self.chance.random() < self.drops:
                self.away ^= {player}
        if self.chance.random() < self.late:
            self.enter()
