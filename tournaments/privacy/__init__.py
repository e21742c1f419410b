"""What is held on one account: handed out as one file, and erased.

Results, standings and logs of events stay, under a pseudonym.
"""
