"""People: accounts, persons, personal links, API tokens, passwords, second factors.

For whoever signs in and for staff who hand out links. Writes are services that leave a line in the log.
"""
