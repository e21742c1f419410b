"""The stream of changes, the hub behind it, and pages kept while nothing changes.

For open pages. It says that something changed, never what.
"""
