"""Where new nodes and their lines go, and what is asked of the layout engine for it.

Not here: the operation that lays out what is there (`resolvers.layout`), and who asks the engine (`usecases`).
"""
