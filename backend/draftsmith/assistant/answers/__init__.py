"""From what a model answers to operations, and back: parsing, refusals in words, what is lost, commit or proposal.

Not here: the turns with a provider (`loop`), and resolving the operations (`transform`).
"""
