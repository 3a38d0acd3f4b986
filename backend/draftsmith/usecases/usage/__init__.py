"""What the assistant uses: calls, tokens, prices, the limit of a day, and how well batches of models fit.

Not here: what the providers are (`providers`).
"""
