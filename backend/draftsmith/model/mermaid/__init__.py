"""Mermaid flowcharts: reading one into a diagram, line by line and never failing, and writing a diagram as one.

Not here: how a Markdown file with a flowchart becomes a workspace (`markdown_import`).
"""
