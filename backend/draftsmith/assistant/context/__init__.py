"""What a model is told before it answers: the workspace in words, as much as there is room for, and what changed.

Not here: the prompts of the workflows (`prompts`), and what it may read by itself (`tools`).
"""
