"""What several audiences show: rows of matches, words, score sheets, impact, look-ups.

For all audiences. It knows none of them.
"""
