"""The assistant: runs are started, watched, taken over and finished, and what changed is told in one turn.

Not here: what it uses (`usage`), and what it stages (`staging`).
"""
