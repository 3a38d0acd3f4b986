"""Commands on the document."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from draftsmith.assistant.builtin.forms import Clause, Edit, Form, Op
from draftsmith.assistant.builtin.new_names import quoted
from draftsmith.assistant.builtin.refusal import Unclear
from draftsmith.model.markdown.sections import Section

_ITEM = re.compile(r"( {0,3})(?:([-*+])|(\d{1,8})([.)]))([ \t]+)(\S.*)?$")
_FENCE = re.compile(r" {0,3}(```|~~~)")


def _change(everywhere: bool, clause: Clause) -> Edit:
    section = clause.section("section")
    find, replace = _two_quotations(clause)
    if not find.strip():
        raise Unclear("unquoted", "There is nothing to find between the first quotation marks.")
    if find == replace:
        raise Unclear("same", "Both quotations are the same; nothing would change.")
    operation: Op = {"op": "edit_section", "section": _path(clause, section), "find": find, "replace": replace}
    if everywhere:
        return Edit(
            [operation | {"all": True}], f"Replaces every {quoted(find)} with {quoted(replace)} in '{section.plain}'."
        )
    return Edit([operation], f"Changes {quoted(find)} to {quoted(replace)} in '{section.plain}'.")


def _two_quotations(clause: Clause) -> tuple[str, str]:
    find, replace = clause.slots["find"], clause.slots["replace"]
    if find.is_quoted and replace.is_quoted:
        return find.text, replace.text
    both = f"{quoted(find.text)} to {quoted(replace.text)}"
    reason = f"Put both texts into quotation marks: change {both}."
    raise Unclear("unquoted", reason, ((find.start, replace.end, both),))


def _add_bullet(clause: Clause) -> Edit:
    section, text = clause.section("section"), clause.quotation("text")
    _check_text(text)
    start = _next_item(clause.workspace.document.text[section.body : section.own_end])
    item = start + text.strip().replace("\n", "\n" + " " * len(start))
    operation = {"op": "append_to_section", "section": _path(clause, section), "text": item}
    return Edit([operation], f"Adds {quoted(text.strip())} to the list in '{section.plain}'.")


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


def _add_paragraph(clause: Clause) -> Edit:
    section, text = clause.section("section"), clause.quotation("text")
    _check_text(text)
    operation = {"op": "append_to_section", "section": _path(clause, section), "text": text.strip()}
    return Edit([operation], f"Adds a paragraph to '{section.plain}'.")


def _check_text(text: str) -> None:
    if not text.strip():
        raise Unclear("unquoted", "There is no text between the quotation marks.")


def _add_section(where: str, clause: Clause) -> Edit:
    title = _title(clause, "title")
    operation: Op = {"op": "insert_section", "title": title}
    says = f"Adds the section '{title}'"
    if where:
        beside = clause.section("section")
        operation[where] = _path(clause, beside)
        says += f" {where} '{beside.plain}'"
    if "text" in clause.slots:
        operation["text"] = clause.quotation("text")
    there = [one for one in clause.workspace.document.outline.sections if one.plain.casefold() == title.casefold()]
    if there:
        raise Unclear("exists", f"The document has a section '{there[0].plain}' already; choose another title.")
    return Edit([operation], f"{says}.")


def _title(clause: Clause, name: str) -> str:
    title = " ".join(clause.title(name).split())
    if not title or title.startswith("#") or len(title) > 300 or "\x00" in title:
        raise Unclear("name_unclear", "A section's title is one line of at most 300 characters, without # marks.")
    return title


def _remove_section(clause: Clause) -> Edit:
    section = clause.section("section", exact=True)
    inner = [one for one in clause.workspace.document.outline.sections if section.start < one.start < section.end]
    more = f" with its {len(inner)} subsection{'s' if len(inner) != 1 else ''}" if inner else ""
    operation = {"op": "delete_section", "section": _path(clause, section)}
    return Edit([operation], f"Removes the section '{section.plain}'{more}.")


def _rename_section(clause: Clause) -> Edit:
    section, title = clause.section("section", exact=True), _title(clause, "title")
    if title == section.title:
        raise Unclear("same", f"It is called '{title}' already.")
    operation = {"op": "rename_section", "section": _path(clause, section), "title": title}
    return Edit([operation], f"Renames the section '{section.plain}' to '{title}'.")


def _move_section(where: str, clause: Clause) -> Edit:
    section, beside = clause.section("section"), clause.section("beside")
    if section.start <= beside.start < section.end:
        raise Unclear("not_possible", "A section cannot be moved into or beside itself.")
    operation = {"op": "move_section", "section": _path(clause, section), where: _path(clause, beside)}
    return Edit([operation], f"Moves the section '{section.plain}' {where} '{beside.plain}'.")


def _path(clause: Clause, section: Section) -> str:
    return clause.workspace.document.outline.path(section)


_PLACES: Final = {"before": "before", "after": "after", "into": "(into|under|in)"}
_IN: Final = "in [the ]<section >{section:section}[,] "
_TEXT: Final = "[ with [the ]text {text:text}]"

DOCUMENT_FORMS: Final = (
    Form(
        "replace_all",
        _IN + "(replace|change) (all|every) {find:quote} (with|by|to) {replace:text}",
        partial(_change, True),
        "document",
        is_risky=True,
    ),
    Form(
        "change_text",
        _IN + "(change|replace) {find:quote} (to|with|by) {replace:text}",
        partial(_change, False),
        "document",
        is_risky=True,
    ),
    Form(
        "add_bullet",
        _IN + "add <a >[the ][new ](bullet|bullet point|list item|item) {text:text}",
        _add_bullet,
        "document",
    ),
    Form("add_paragraph", _IN + "add <a >[the ][new ]paragraph {text:text}", _add_paragraph, "document"),
    *(
        Form(
            f"add_section_{where}",
            f"add <a >[the ][new ]section [called ]{{title:title}} {word} [the ][section ]{{section:section}}{_TEXT}",
            partial(_add_section, where),
            "document",
        )
        for where, word in _PLACES.items()
    ),
    Form(
        "add_section",
        f"add <a >[the ][new ]section [called ]{{title:title}}{_TEXT}",
        partial(_add_section, ""),
        "document",
    ),
    Form(
        "remove_section", "(remove|delete) [the ]section {section:section}", _remove_section, "document", is_risky=True
    ),
    Form(
        "rename_section",
        "rename [the ]section {section:section} (to|as) {title:title}",
        _rename_section,
        "document",
        is_risky=True,
    ),
    *(
        Form(
            f"move_section_{where}",
            f"move [the ]section {{section:section}} {word} [the ][section ]{{beside:section}}",
            partial(_move_section, where),
            "document",
        )
        for where, word in _PLACES.items()
    ),
)
