"""What can be asked of a workspace, as values: each knows how to become a transaction on a replica.

Not here: who prepares and commits them (`prepare`, `commits`), and staged operations (`commits.staged_request`).
"""
