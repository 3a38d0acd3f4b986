"""Replicas of workspaces on this worker, and the log that they are read from.

Not here: who writes (`commits`).
"""
