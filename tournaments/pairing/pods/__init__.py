"""Rounds at tables of several: sizes, seats, costs, the search, fairness.

For games that seat more than two. Costs and bounds have their own terms.
"""
