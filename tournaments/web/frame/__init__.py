"""What is around every page of an event: finding it, permission, navigation, confirmations, undo.

For all audiences. It knows no page.
"""
