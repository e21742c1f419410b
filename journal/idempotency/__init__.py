"""Repeated requests: one effect, and the same answer for each repeat.

For every unsafe request of pages and API. The answer is stored in the transaction of the act.
"""
