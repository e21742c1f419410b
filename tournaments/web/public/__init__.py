"""Pages that everybody may read: events, pairings, standings, brackets, decks, statistics, embeds.

For visitors. What is not public yet is not found here.
"""
