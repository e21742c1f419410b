"""What people call the entries of a Doomtrooper ledger and their keys: English templates for the translators."""

from rules_engine.messages import Message, Sentence, gettext_noop

KINDS = {
    "kill": gettext_noop("Kill"),
    "sabotage": gettext_noop("Sabotage"),
    "muster": gettext_noop("Warrior enters"),
    "cover": gettext_noop("Out of cover"),
    "meditate": gettext_noop("Meditate"),
    "spend": gettext_noop("Spend Destiny"),
    "gain": gettext_noop("A card's effect"),
    "enter": gettext_noop("Other card enters"),
    "attack": gettext_noop("Attack"),
    "attack_secondary": gettext_noop("Attack on a secondary target"),
    "turn": gettext_noop("Turn begins"),
    "fit": gettext_noop("Has a fit warrior"),
    "end_turn": gettext_noop("Turn ends"),
    "draw_pile_out": gettext_noop("Draw pile out"),
    "warriors_in_play": gettext_noop("Count warriors"),
    "time_called": gettext_noop("Time is called"),
    "concede": gettext_noop("Concede"),
    "win": gettext_noop("Win by a card"),
    "next_game": gettext_noop("Next game"),
}
"""Every kind of act that the form offers, in its order."""

CARD_KINDS = {
    "wound": gettext_noop("Wounded"),
    "heal": gettext_noop("Healed"),
    "seek": gettext_noop("Seeks cover"),
    "exit": gettext_noop("Leaves cover"),
    "leave": gettext_noop("Leaves play"),
    "discard": gettext_noop("Leaves play"),
}
"""What the buttons of a card in play say of it."""

KEYS = {
    "act": gettext_noop("What happened"),
    "player": gettext_noop("Who"),
    "victim": gettext_noop("Against whom"),
    "target": gettext_noop("Against whom"),
    "value": gettext_noop("Value"),
    "count": gettext_noop("Warriors in play"),
    "promotion": gettext_noop("Promotion Points"),
    "destiny": gettext_noop("Destiny"),
    "card": gettext_noop("Card"),
}
"""The labels of the form that asks for them."""


def place_of_act(number: int, kind: str) -> Sentence:
    """What refusals call an act: a program reads its kind by the key, people by the words of the form."""
    words = Message({**KINDS, **CARD_KINDS}[kind])
    message = Message(gettext_noop("entry %(number)d (%(kind)s)"), {"number": number, "kind": words})
    return Sentence(message, f"act {number} ({kind})")
