"""Draftsmith: a collaborative editor for an architecture diagram and the design document that explains it."""

__version__ = "0.2.2.dev0"
"""The version of the product: the one place that states it. Between releases the next one, with `.dev0`."""
