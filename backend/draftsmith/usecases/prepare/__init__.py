"""Preparing requests so that nobody waits for long ones: queues, fair turns, other processes, the layout engine.

Not here: what a request does (`requests`), and appending it (`commits`).
"""
