"""The structure of a Markdown text: blocks, segments, sections, addresses of headings and links to them.

It knows nothing else of the model. Not here: the document that holds a text (`document`), and lint (`rules`).
"""
