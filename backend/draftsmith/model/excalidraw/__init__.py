"""Drawings of Excalidraw: `files` finds the scene in a file, `reader` makes a workspace of it.

What lies in what, and what is a part of what, is decided as for draw.io (`model.drawio.sketch`).
"""
