"""Push messages and mail: who asked for them, and how they are delivered.

For whoever wants to be notified. What is said is decided in `tournaments.notifications`.
"""
