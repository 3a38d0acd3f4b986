"""Preparing requests so that nobody waits for long ones: what waits, what is deferred, fair turns, other processes.

Not here: what a request does (`requests`), and appending it (`commits`).
"""
