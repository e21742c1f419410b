"""Entries of an event: sign-up, walk-ins, check-in, teams, drops, and the pairing constraints of single players.

For organisers, the desk and players themselves. It knows links that let a person act for an entry.
"""
