"""Graphviz DOT: diagrams written in it, and graphs of others read, within bounds.

`syntax` reads the language, `reader` makes a workspace of each graph, `writer` writes one; `attributes` is what the two
agree on. Nothing is drawn here.
"""
