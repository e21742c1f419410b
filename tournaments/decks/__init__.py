"""Decks at an event: registered, checked, committed to, shown when the policy says so, ready at the table.

For players and judges; everybody else sees states and, later, published lists. The rules are in `decks` and
`rules_engine`.
"""
