"""Pages, by audience.

An audience knows `shared`, `frame` and `live`, and never another audience. Pages read forms and call services; they
decide nothing.
"""
