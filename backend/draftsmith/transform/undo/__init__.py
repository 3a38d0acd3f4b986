"""Taking commits back, as far as they still fit: undo, reverted typing, restore; and carrying what is staged.

Not here: which commit is undone next (`history.undo_stacks`).
"""
