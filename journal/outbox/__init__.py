"""Background work: messages written with the act, handed to Celery, leased, retried.

For services that need work done later. Redis may be down at any moment; nothing is lost.
"""
