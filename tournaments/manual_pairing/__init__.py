"""Changing the tables of a round by hand, with what it costs before it is stored.

For organisers. The cost is computed by `tournaments.pairing.manual`; here are the draft, its checks and its rows.
"""
