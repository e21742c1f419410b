"""What the tests of decklist formats read against: two shipped games, names that nobody should print, decks of them."""

from hypothesis import strategies as st

from decks.formats.headings import Setting
from decks.formats.registry import read_any, write
from rules_engine.cards import CardFacts, index_cards, normalise_name
from rules_engine.catalogue import CardSchema
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.systems import get_system


def listed(reading):
    """What was read: count, name and section of each line."""
    return [(entry.count, entry.name, entry.section) for entry in reading.entries]


class Bench:
    """A game's format with cards, its own or invented ones, against which decks are read and written."""

    def __init__(self, game, format_slug, cards=None):
        self.system = get_system(game)
        self.game_format = self.system.get_format(format_slug)
        self.sets = {each.slug: each.name for each in self.system.shipped}
        self.cards = index_cards(self.system.shipped_cards if cards is None else cards)

    @property
    def schema(self) -> CardSchema:
        return self.system.card_schema

    @property
    def setting(self):
        return Setting(self.game_format, self.schema, self.cards, self.sets)

    @property
    def sections(self):
        return [rule.key for rule in self.game_format.sections]

    def read(self, text, hint=""):
        return read_any(text, self.setting, hint)

    def write(self, decklist, key, name=""):
        return write(decklist, key, self.setting, name)

    def decks(self, largest=999, entries=25):
        """Decks of these cards over all sections."""
        names = sorted(card.name for card in self.cards.values())
        entry = st.builds(DeckEntry, st.sampled_from(names), st.integers(1, largest), st.sampled_from(self.sections))
        return st.lists(entry, max_size=entries).map(lambda each: Decklist(tuple(each)))


DOOM_PILE = Bench("doom_pile", "standard")
TROOPER = Bench("doomtrooper", "tournament-1997")
SECOND_EDITION = Bench("doomtrooper", "second-edition")
BENCHES = {"doom_pile": DOOM_PILE, "doomtrooper": TROOPER, "second-edition": SECOND_EDITION}

HOSTILE_NAMES = (
    *("BAUHAUS", "INQUISITION", "Sideboard", "Side Bar", "Deck", "Warriors", "Name", "About", "SB", "count,name"),
    *(
        "Lantern, Copper",
        "Salt; Smoke",
        'The "Bolter"',
        "O’Neil's End",
        "River / Stone",
        "River // Stone",
        "River",
        "A/B",
    ),
    *("Lantern (unl)", "Lantern", "Lantern (unl) 12", "Lantern (3)", "Lantern x3", "Lantern #2", "Lantern [inq]"),
    *("3 Wishes", "Wishes", "3x Wishes", "x3 Wishes", "X-Ray", "Ray", "1 2 3", "Catch 22", "22", "12 (12)", "HQ 2"),
    *("SECRET", "SECRET HQ", "Sideboard: Wishes", "SB: Wishes", "Author: Me", "Expansions: None", "Total Cards: 60"),
    *("// no comment", "#1 Fan", "-- Frame --", "== Frame ==", "- dash", "* star", "<card/>", "&amp;", "<!-- x -->"),
    *('{"name"', "[{", "=1+1", "+5", "-3 Curse", "@home", "'quoted'", '"', "((", "))", "*F*", "Foil *F*", "(unl)"),
    *(
        "ALGEROTH–APOSTLE OF WAR",
        "Überkobold",
        "Æon Œuvre",
        "ﬁre ﬂy",
        "Ⅷ legion",
        "Straße",
        "ΣΊΣΥΦΟΣ",
        "İstanbul",
        "猫",
        "🂡",
    ),
)


def hostile(names=HOSTILE_NAMES):
    """A bench of invented cards with such names, in the types and sets of Doomtrooper in turn."""
    types = [each.name for each in TROOPER.schema.types]
    sets = list(TROOPER.sets)
    cards = [
        CardFacts(name, types[place % len(types)], sets[place % len(sets)])
        for place, name in enumerate({normalise_name(name): name for name in names}.values())
    ]
    return Bench("doomtrooper", "tournament-1997", cards)


NAMES = (
    st.text(min_size=1, max_size=30)
    .map(lambda name: " ".join(name.split()))
    .filter(lambda name: name.isprintable() and normalise_name(name).strip())
)
DECK_NAMES = st.one_of(
    st.just(""),
    st.sampled_from(["My deck", "3 Wishes", "Warriors", 'A "best": v1.0', "Sideboard", "<b>&amp;", "x" * 250]),
)


def line_count(reading, text):
    """How many lines the reader of this format counts in `text`."""
    if reading.format in ("csv", "json", "cockatrice", "octgn"):
        return max(1, len(text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")))
    return len(text.splitlines())
