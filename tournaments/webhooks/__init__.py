"""Webhooks: other programs are sent what happens at an event, in order and until they have it.

For organisers, by page and API. `selectors` is also what the API answers to whoever asks for changes.
"""
