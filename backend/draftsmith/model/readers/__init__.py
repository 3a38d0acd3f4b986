"""Readers of other tools' formats: from the files of somebody's system to workspaces, within bounds.

`reading` says what a reader is given and what it returns; each format is a package or a module of its own beside it.
Not here: how what was read becomes a workspace, or a batch for one that is open (`usecases.upkeep`).
"""
