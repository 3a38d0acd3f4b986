"""Workspaces of Structurizr: the DSL that people write, and the JSON that its tools keep.

Both become one model (`c4`), and that becomes workspaces (`workspaces`): the static model one, each deployment
environment another. Nothing is fetched or run: what the DSL includes, extends and documents with is looked up among the
files that came together.
"""
