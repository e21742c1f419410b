"""Results of matches: reported, confirmed, accepted, corrected.

For players, tables, the desk and judges alike. It knows penalties and score sheets, and never how a page asks.
"""
