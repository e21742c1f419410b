"""Dates as people write them.

Templates name a pattern as English writes it (`date:"j F Y, H:i"`); Django looks each pattern up in the module of the
reader's language before it uses it as it is. Patterns for programs ("c", "U") are in none of them.
"""
