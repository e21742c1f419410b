"""Made-up languages for checks: every text that is marked for translation comes out longer, in brackets, mirrored."""

import re

from django.utils.translation import trans_real

LONG, RIGHT_TO_LEFT = "en-xa", "ar-xb"
"""Texts 40 % longer; the same on pages that read from right to left."""
PARTS = re.compile(r"(%\(\w+\)[sdif]|%[sdifn%]|\{[^{}]*\}|<[^<>]*>|&\w+;)")
"""What must come through untouched: placeholders, markup, entities."""
PLAIN, ACCENTED = "AEIOUYaeiouycn", "ÅÉÎÖÛÝåéîöûýçñ"
ACCENTS = str.maketrans(PLAIN, ACCENTED)


def stretch(text: str) -> str:
    """The text 40 % longer in brackets, its vowels accented; placeholders and markup as they are."""
    if not text.strip():
        return text
    inner = "".join(part if PARTS.fullmatch(part) else part.translate(ACCENTS) for part in PARTS.split(text))
    return f"⟦{inner}{'·' * (len(text) * 4 // 10)}⟧"


def install() -> None:
    """Let Django's translations answer in the made-up languages without any catalogue."""
    kind = trans_real.DjangoTranslation
    gettext, ngettext = kind.gettext, kind.ngettext

    def one(self: trans_real.DjangoTranslation, message: str) -> str:
        if self.language() not in (LONG, RIGHT_TO_LEFT):
            return gettext(self, message)
        return stretch(message.rpartition(trans_real.CONTEXT_SEPARATOR)[2])

    def several(self: trans_real.DjangoTranslation, single: str, plural: str, number: int) -> str:
        if self.language() not in (LONG, RIGHT_TO_LEFT):
            return ngettext(self, single, plural, number)
        return stretch((single if number == 1 else plural).rpartition(trans_real.CONTEXT_SEPARATOR)[2])

    kind.gettext, kind.ngettext = one, several  # type: ignore[method-assign]
