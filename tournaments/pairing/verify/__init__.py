"""Checkers written apart from what they check, and certificates of optimality.

For tests, `verify_pairings` and recomputation. They import nothing of the solvers.
"""
