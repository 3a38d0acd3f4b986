"""Drawings of draw.io: the pages of a file in any form that it saves, and a page as a diagram, within bounds.

From the file inwards: `files` and `markup`, then `cells`, `vertices` and `lines`, then `sketch`, then `reader`.
Not here: how a page becomes a workspace (`usecases.upkeep.drawio_import`).
"""
