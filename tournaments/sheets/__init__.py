"""Score sheets of matches: opened at a table, filed, signed, and turned into results.

For players, tables and staff. The sheet and its tally are `scoring`'s; this package binds one to a match.
"""
