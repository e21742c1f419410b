"""Codes on tables: issued, revoked, and what a phone that opened one may do.

For whoever sits at a table. It lets through to results, sheets and decks what the code allows.
"""
