"""Penalties: given, taken back, and what they do to a match.

For judges; players read their own. It knows results, which a penalty may set.
"""
