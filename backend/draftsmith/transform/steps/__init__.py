"""What a commit changes: steps, each exact and invertible, and changes of a text with their spans.

Not here: operations as callers ask for them (`requests`), and how they become steps (`resolvers`).
"""
