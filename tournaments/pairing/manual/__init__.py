"""A round changed by hand: the draft, what it costs, the smallest repair.

For `tournaments.manual_pairing`. Pure.
"""
