"""From an operation to its steps, one module a noun, with the checks that they share.

Not here: places of nodes that were added without a position (`placement`).
"""
