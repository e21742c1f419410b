"""The ledger: one chained entry for each act, its contents committed to, personal values beside it.

For services, which write it in their transaction, and for whoever verifies it. Rows are append-only by trigger.
"""
