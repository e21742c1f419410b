"""Requests: who asks, by which rule, with which numbers; how the API signs in, pages and describes itself.

For every view of the site. It knows accounts and persons, and no page.
"""
