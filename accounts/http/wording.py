"""Sentences of pure code in the reader's language."""

from django.utils.translation import gettext

from rules_engine.messages import Message, Sentence


def worded(message: object) -> str:
    """A sentence of pure code in the reader's language."""
    if isinstance(message, Sentence):
        return worded(message.wording)
    if not isinstance(message, Message):
        return str(message)
    params = {
        name: worded(value) if isinstance(value, Message | Sentence) else value
        for name, value in message.params.items()
    }
    return gettext(message.template) % params
