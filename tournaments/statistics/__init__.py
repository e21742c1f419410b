"""Figures of an event, profiles of players, ratings.

For everybody who may see the event, and for players who want a profile. Lists are read only where they are public.
"""
