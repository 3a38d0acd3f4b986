"""Structurizr DSL, in which diagrams are written as models of C4. Not here: reading it (`model.readers`)."""
