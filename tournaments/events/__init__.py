"""An event as a whole: created, opened, started, finished; its settings, staff, templates, to-do list, undo and
background jobs.

For organisers. It knows every capability below it.
"""
