"""Standings, pure: results, points, tiebreakers, their explanations, leagues.

For `tournaments.standings`, leagues and commands. Whole numbers and fractions, never floats.
"""
