"""What a workspace holds, as the bytes of an answer: functions of the workspace alone, so another process can run them.

Not here: who is answered what (`api.routes.contents`), forms of export (`import_export`).
"""

from __future__ import annotations

import orjson

from draftsmith.model.formats import Format
from draftsmith.model.rules import lint_all
from draftsmith.model.workspace import Workspace, diagram_json, document_json
from draftsmith.usecases.upkeep.import_export import WRITERS


def parts(workspace: Workspace) -> bytes:
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
    """A list of sections: `{level, title, path, line, chars}`."""
    found = workspace.document.outline
    items = [
        {
            "level": section.level,
            "title": section.plain,
            "path": found.path(section),
            "line": section.line,
            "chars": section.end - section.start,
        }
        for section in found.sections
    ]
    return orjson.dumps(items)


def lint(workspace: Workspace) -> bytes:
    """A list of all warnings, as problems."""
    return orjson.dumps([problem.to_json() for problem in lint_all(workspace)])


def export(form: Format, workspace: Workspace) -> bytes:
    """A file in one of the forms."""
    return WRITERS[form].part(workspace)
