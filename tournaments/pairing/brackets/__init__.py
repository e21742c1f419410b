"""Brackets and fixed schedules: elimination, cuts, round robin, rounds given by a list.

For stages that are no Swiss. Pure.
"""
