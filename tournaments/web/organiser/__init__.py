"""Pages on which organisers run an event.

For organisers, and for staff where a rule lets them. Every view asks for its permission by name.
"""
