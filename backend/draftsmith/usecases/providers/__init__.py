"""Which provider of models answers, and how this server reaches it.

Not here: the providers themselves (`adapters`).
"""
