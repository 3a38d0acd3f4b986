"""Undo commits as far as they still fit: undo, reverted typing, restore; and rebase staged operations.

Not here: which commit is undone next (`history.undo_stacks`).
"""
