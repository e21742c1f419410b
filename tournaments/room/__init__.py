"""The room: announcements, judge calls, clocks, result slips.

For judges, the desk and screens. It knows rounds and matches.
"""
