"""What players are notified of, and the messages.

For whoever asked for push or mail. It hands messages to `accounts`, which knows addresses and devices.
"""
