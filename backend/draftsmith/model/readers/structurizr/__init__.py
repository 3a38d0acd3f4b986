"""Workspaces of Structurizr: the DSL that people write, and the JSON that its tools keep.

Both become one model (`c4`), and that becomes diagrams (`diagrams`): the static model one workspace, each deployment
environment another. Nothing is fetched or run: what the DSL includes, extends and documents with is looked up among the
files that came together.
"""

from draftsmith.model.readers.structurizr.reader import read, recognizes, sets_of

__all__ = ["read", "recognizes", "sets_of"]
