"""What every capability of an event asks for: its locks and ledger entries, its rounds and matches, names and forms.

For the services and selectors of all capabilities. It knows the models and permissions, and no capability.
"""
