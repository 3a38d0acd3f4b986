"""The tools of a model: their names, schemas and inputs, and the answers of those that read.

Not here: what is made of calls that edit (`answers`), and who carries a call out (`usecases.runs`).
"""
