"""Operations on documents, as clients send them; those on diagrams stand in `tests/builders.py`."""

from __future__ import annotations

from typing import Any

from tests.builders import Op


def edit_section(section: str, find: str, replace: str, **more: Any) -> Op:
    """Replace a quotation in a section."""
    return {"op": "edit_section", "section": section, "find": find, "replace": replace, **more}


def replace_section(section: str, text: str, **more: Any) -> Op:
    """Replace the own text of a section, or all of it with `scope="subtree"`."""
    return {"op": "replace_section", "section": section, "text": text, **more}


def append_to_section(section: str, text: str) -> Op:
    """Add text at the end of a section's own text."""
    return {"op": "append_to_section", "section": section, "text": text}


def insert_section(title: str, **more: Any) -> Op:
    """Insert a section: `text`, `level` and its place among the others are in `more`."""
    return {"op": "insert_section", "title": title, **more}


def rename_section(section: str, title: str) -> Op:
    """Give a section another title."""
    return {"op": "rename_section", "section": section, "title": title}


def delete_section(section: str) -> Op:
    """Delete a section with its subsections."""
    return {"op": "delete_section", "section": section}
