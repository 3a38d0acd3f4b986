"""Find the one place that a path of headings, a quoted text or a name of a node means (docs/matching.md).

Not here: what is done with the place that was found (`resolvers`).
"""
