"""Rehearsals: an event with made-up players, played on by a button.

For organisers who try a structure. It calls the services that people call.
"""
