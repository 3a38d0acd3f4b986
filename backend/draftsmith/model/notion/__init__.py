"""Exports of Notion: a zip or a folder of Markdown, CSV and images, which becomes one document.

Pages are sections, below the page that they stand in; links between pages lead to the headings of these, tables of
databases are tables. Not here: HTML and PDF, which Notion exports too.
"""

from draftsmith.model.notion.reader import read, recognizes, sets_of

__all__ = ["read", "recognizes", "sets_of"]
