"""Score sheets of any game: opened, written on, filed, tallied, signed.

For tables at events and without one. What a game adds is found in its folder of `scoring.games`.
"""
