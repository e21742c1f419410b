"""The judges' map of tables, calls, penalties, decks side by side.

For judges with a phone in one hand. Each reading of a deck is logged.
"""
