"""Pages of leagues.

For everybody who reads a league and for those who organise it.
"""
