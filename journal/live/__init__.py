"""Notices that something changed, over Redis, after the commit.

For open pages. A notice says which stream changed and never what.
"""
