"""Pairing, pure: no framework, no database, chance and time as arguments.

For `tournaments.rounds` and for commands that pair from a file. docs/how-it-works/pairing.md explains it.
"""
