"""The write path: the single writer of a workspace on a worker, the group commit, its answers, all workspaces.

Not here: what can be asked (`requests`), and what is prepared elsewhere (`prepare`).
"""
