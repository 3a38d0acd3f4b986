"""Operations as callers write them: their fields, a batch of them, and the faults of form in it.

Not here: whether an operation fits the workspace that it meets (`resolvers`).
"""
