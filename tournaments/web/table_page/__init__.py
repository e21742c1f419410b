"""The page that the code on a table opens.

For whoever sits there, without an account. It may do what the code allows at this table and no other.
"""
