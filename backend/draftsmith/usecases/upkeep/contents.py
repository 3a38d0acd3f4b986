"""What a workspace holds, as the bytes of an answer: functions of the workspace alone, so another process can run them.

Not here: who is answered what (`api.routes.contents`), forms of export (`import_export`).
"""

from __future__ import annotations

from collections.abc import Collection

import orjson

from draftsmith.assistant.builtin import complete
from draftsmith.model.formats import Format
from draftsmith.model.markdown.sections import Outline, Section
from draftsmith.model.rules import images_missing, lint_all
from draftsmith.model.workspace import Workspace, diagram_json, document_json
from draftsmith.transform.matching.locate import find_section
from draftsmith.transform.refusal import OperationRefused, missing
from draftsmith.usecases.upkeep.import_export import WRITERS
from draftsmith.usecases.upkeep.shapes import SectionOut


def content_json(workspace: Workspace) -> bytes:
    """`{name, diagram, document}`."""
    return orjson.dumps(
        {
            "name": workspace.name,
            "diagram": diagram_json(workspace.diagram),
            "document": document_json(workspace.document),
        }
    )


def diagram(workspace: Workspace) -> bytes:
    """`{nodes, edges}`."""
    return orjson.dumps(diagram_json(workspace.diagram))


def outline(workspace: Workspace) -> bytes:
    """A list of sections: `{level, title, path, line, chars, anchor}`."""
    found = workspace.document.outline
    items = [
        {
            "level": section.level,
            "title": section.plain,
            "path": found.path(section),
            "line": section.line,
            "chars": section.end - section.start,
            "anchor": anchor,
        }
        for section, anchor in zip(found.sections, found.anchors.of_sections, strict=True)
    ]
    return orjson.dumps(items)


def section(path: str, workspace: Workspace) -> bytes:
    """One section: `{path, level, title, line, text, own_text}`; the empty path is the text before the first heading.

    Raises:
        DraftsmithError: there is no such section, or several are called that.
    """
    found = workspace.document.outline
    if not path.strip():
        return orjson.dumps(_preamble(found))
    try:
        one = find_section(found, path, "/path")
    except OperationRefused as refused:
        raise missing(refused) from None
    return orjson.dumps(_section(found, one))


def _preamble(outline: Outline) -> SectionOut:
    text = outline.text[outline.preamble : outline.preamble_end]
    line = outline.line_at(outline.preamble)
    return {"path": "", "level": 0, "title": "", "line": line, "text": text, "own_text": text}


def _section(outline: Outline, one: Section) -> SectionOut:
    text = outline.text
    return {
        "path": outline.path(one),
        "level": one.level,
        "title": one.plain,
        "line": one.line,
        "text": text[one.start : one.end],
        "own_text": text[one.body : one.own_end],
    }


def completions(text: str, limit: int, workspace: Workspace, *, may_edit: bool) -> bytes:
    """How a built-in command may go on, as a list."""
    return orjson.dumps(complete(text, workspace, limit, may_edit=may_edit))


def lint(images: Collection[str], workspace: Workspace) -> bytes:
    """A list of all warnings, as problems; `images` are those that the workspace has."""
    found = (*lint_all(workspace), *images_missing(workspace, images))
    return orjson.dumps([problem.to_json() for problem in found])


def export(form: Format, workspace: Workspace) -> bytes:
    """A file in one of the forms."""
    return WRITERS[form].part(workspace)
