"""What the assistant keeps in the store: runs, conversations, proposals, calls that wait for a yes, counted usage.

Not here: workspaces and their logs, people and keys (`access`).
"""
