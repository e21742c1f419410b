"""Names of things inside a sentence: with a small letter, where the reader's language writes them so."""

from django.utils.translation import get_language

PROPER = ("Buchholz", "Sonneborn-Berger", "Median", "Swiss", "Yu-Gi-Oh", "Pokémon")
CAPITAL_NOUNS = "de"
"""The language that writes nouns with a capital letter everywhere."""


def inside_sentence(name: str) -> str:
    """A name as it stands inside a sentence; proper names and abbreviations such as "OMW" stay as they are."""
    is_proper = name[:2].isupper() or name.split()[0] in PROPER
    if is_proper or (get_language() or "").startswith(CAPITAL_NOUNS):
        return name
    return name[:1].lower() + name[1:]
