"""Rounds: paired, published, taken back, computed again from their stored input.

For organisers and for everybody who asks why two meet. The pairing itself is `tournaments.pairing`; here are its
inputs and rows.
"""
