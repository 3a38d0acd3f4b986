"""The diagram as text: a line is a node or a connection, as in the page's pane. Read into a diagram, written from one.

The grammar and its cases are those of the page (`frontend/src/model/diagramText`): both run
`tests/fixtures/diagram-text.json`. Not here: which lines somebody has edited, and the batch that this makes, which the
page alone knows. Decision 0079.
"""
