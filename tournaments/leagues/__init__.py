"""Leagues: events that count together, points, who is who.

For league organisers and everybody who reads the league. It knows finished events and their standings.
"""
