"""What commands on the document do."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from draftsmith.assistant.builtin.clause import Clause, Edit, Op
from draftsmith.assistant.builtin.masking import Slot, word_set
from draftsmith.assistant.builtin.new_things import quote_text
from draftsmith.assistant.builtin.refusal import UnclearSentence

_ITEM = re.compile(r"( {0,3})(?:([-*+])|(\d{1,8})([.)]))([ \t]+)(\S.*)?$")
_PLACES: Final = word_set("before after into")
"""Slots for the section beside or in which another one is to stand."""
_FENCE = re.compile(r" {0,3}(```|~~~)")


def change_text(clause: Clause, *, everywhere: bool = False) -> Edit:
    """Change a text in a section, once or wherever it stands."""
    section, find, replace = clause.section(), clause.slots["find"], clause.slots["replace"]
    if not (find.is_quoted and replace.is_quoted):
        both = f"{quote_text(find.text)} to {quote_text(replace.text)}"
        reason = f"Put both texts into quotation marks: change {both}."
        is_bare = not (find.is_quoted or replace.is_quoted)
        whole = Slot(both, find.start, replace.end, is_quoted=False)
        raise UnclearSentence("unquoted", reason, whole, [both] if is_bare else ())
    if not find.text.strip():
        raise UnclearSentence("unquoted", "There is nothing to find between the first quotation marks.")
    if find.text == replace.text:
        raise UnclearSentence("same", "Both quotations are the same; nothing would change.")
    operation: Op = {
        "op": "edit_section",
        "section": clause.outline.path(section),
        "find": find.text,
        "replace": replace.text,
    }
    old, new = quote_text(find.text), quote_text(replace.text)
    if everywhere:
        return Edit([operation | {"all": True}], f"Replaces every {old} with {new} in '{section.plain}'.")
    return Edit([operation], f"Changes {old} to {new} in '{section.plain}'.")


replace_all = partial(change_text, everywhere=True)


def add_bullet(clause: Clause) -> Edit:
    """Add an item to the list of a section."""
    section, text = clause.section(), _text(clause)
    start = _next_item(clause.names.workspace.document.text[section.body : section.own_end])
    item = start + text.replace("\n", "\n" + " " * len(start))
    operation = {"op": "append_to_section", "section": clause.outline.path(section), "text": item}
    return Edit([operation], f"Adds {quote_text(text)} to the list in '{section.plain}'.")


def _next_item(own: str) -> str:
    """How the next list item of a section begins: as its last one, counted on where its list ends the text."""
    found: re.Match[str] | None = None
    is_last, fenced = False, False
    for line in own.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        item = None if fenced else _ITEM.match(line)
        if item is not None and (found is None or not is_last or len(item[1]) <= len(found[1])):
            found, is_last = item, True
        elif line.strip() and item is None and not (found is not None and line.startswith((" ", "\t"))):
            is_last = False
    if found is None:
        return "- "
    if found[2] is not None:
        return f"{found[1]}{found[2]} "
    return f"{found[1]}{int(found[3]) + 1}{found[4]} " if is_last else "- "


def add_paragraph(clause: Clause) -> Edit:
    """Add a paragraph at the end of a section."""
    section = clause.section()
    operation = {"op": "append_to_section", "section": clause.outline.path(section), "text": _text(clause)}
    return Edit([operation], f"Adds a paragraph to '{section.plain}'.")


def _text(clause: Clause) -> str:
    text = clause.quotation("text").strip()
    if not text:
        raise UnclearSentence("unquoted", "There is no text between the quotation marks.")
    return text


def add_section(clause: Clause) -> Edit:
    """Add a section; before, after or into another one if that is said."""
    title = clause.title("title")
    operation: Op = {"op": "insert_section", "title": title}
    says = f"Adds the section '{title}'"
    for where in _PLACES & clause.slots.keys():
        beside = clause.section(where)
        operation[where] = clause.outline.path(beside)
        says += f" {where} '{beside.plain}'"
    if "text" in clause.slots:
        operation["text"] = clause.quotation("text")
    there = [one for one in clause.outline.sections if one.plain.casefold() == title.casefold()]
    if there:
        raise UnclearSentence("exists", f"The document has a section '{there[0].plain}' already; choose another title.")
    return Edit([operation], f"{says}.")


def remove_section(clause: Clause) -> Edit:
    """Remove a section with those inside it."""
    section = clause.section(exact=True)
    inner = [one for one in clause.outline.sections if section.start < one.start < section.end]
    more = f" with its {len(inner)} subsection{'s' if len(inner) != 1 else ''}" if inner else ""
    operation = {"op": "delete_section", "section": clause.outline.path(section)}
    return Edit([operation], f"Removes the section '{section.plain}'{more}.")


def rename_section(clause: Clause) -> Edit:
    """Rename a section."""
    section, title = clause.section(exact=True), clause.title("title")
    if title == section.title:
        raise UnclearSentence("same", f"It is called '{title}' already.")
    operation = {"op": "rename_section", "section": clause.outline.path(section), "title": title}
    return Edit([operation], f"Renames the section '{section.plain}' to '{title}'.")


def move_section(clause: Clause) -> Edit:
    """Move a section before, after or into another one."""
    (where,) = _PLACES & clause.slots.keys()
    section, beside = clause.section(), clause.section(where)
    if section.start <= beside.start < section.end:
        raise UnclearSentence("not_possible", "A section cannot be moved into or beside itself.")
    operation = {"op": "move_section", "section": clause.outline.path(section), where: clause.outline.path(beside)}
    return Edit([operation], f"Moves the section '{section.plain}' {where} '{beside.plain}'.")
