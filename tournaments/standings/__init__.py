"""Standings of an event with their reasons, and which lines a correction moved.

For everybody who may see the event. The arithmetic is `scoring.standings`; this package reads rows and hands them on.
"""
