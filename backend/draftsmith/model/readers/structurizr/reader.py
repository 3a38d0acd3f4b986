"""Structurizr as a format that is read (`model.readers`): which files belong together, and what they become."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from draftsmith.model.readers.images import IMAGE_ENDINGS
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource
from draftsmith.model.readers.structurizr.c4 import C4Model
from draftsmith.model.readers.structurizr.dsl import read_dsl
from draftsmith.model.readers.structurizr.workspace_json import read_json
from draftsmith.model.readers.structurizr.workspaces import workspaces_of

_LOOKED_AT: Final = 1_000_000
_DSL: Final = ".dsl"
_JSON: Final = ".json"
_WORKSPACE = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*+workspace\b", re.IGNORECASE | re.MULTILINE)
_OF_JSON: Final = (b'"softwareSystems"', b'"people"', b'"deploymentNodes"', b'"customElements"')
_TWIN: Final = "Structurizr makes it of the DSL with the same name, which was read"


def recognizes(file: SourceFile) -> bool:
    """Whether a file holds a workspace, in the DSL or as JSON."""
    head = file.content[:_LOOKED_AT]
    name = file.path.lower()
    if name.endswith(_DSL):
        return _WORKSPACE.search(head) is not None
    is_object = name.endswith(_JSON) and head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    return is_object and b'"model"' in head and any(key in head for key in _OF_JSON)


def sets_of(files: Sequence[SourceFile]) -> Sequence[SourceSet]:
    """A set for each file that no other extends or includes, with what it is read from.

    The JSON that stands beside a DSL of the same name is in its set.
    """
    by_path = {file.path: file for file in files}
    found: list[SourceSet] = []
    parts: set[str] = set()
    for file in files:
        if recognizes(file) and not _is_json(file):
            read_for = _paths_read(file, by_path)
            twin = by_path.get(_twin_of(file.path))
            read_for += [twin.path] if twin is not None and recognizes(twin) and twin.path not in read_for else []
            found.append(SourceSet(file, {path: by_path[path] for path in read_for}))
            parts.update(path for path in read_for if path != file.path)
    # Those that extend one another in a circle are parts of each other; each is read by itself.
    outer = {one.root.path for one in found} - parts
    covered = {path for one in found if one.root.path in outer for path in one.files}
    roots = {one.root.path for one in found}
    found += [
        SourceSet(file, {file.path: file})
        for file in files
        if file.path not in roots and (len(files) == 1 or file.path.lower().endswith((_DSL, _JSON)))
    ]
    return [one for one in found if one.root.path in outer or one.root.path not in covered]


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read a workspace and its deployment environments.

    Raises:
        UnreadableSource: it is no workspace, is beyond a bound, or there is nothing in it.
    """
    path = sources.root.path
    model = C4Model()
    if _is_json(sources.root):
        read_json(sources.root, model)
    else:
        model, paths = read_dsl(path, sources.files)
        if _twin_of(path) in sources.files.keys() - set(paths):
            model.list_unread(_twin_of(path), "", "", _TWIN)
    for one, file in sources.files.items():
        if one.lower().endswith(IMAGE_ENDINGS):
            model.files[one] = file.content
    if not (model.elements or model.documents or any(one.elements for one in model.environments.values())):
        first = f" ({model.unread[0].place}: {model.unread[0].reason})" if model.unread else ""
        raise UnreadableSource(f"there are no elements in it{first}", path)
    return workspaces_of(model, path)


def _is_json(file: SourceFile) -> bool:
    return file.path.lower().endswith(_JSON) or file.content[:100].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def _twin_of(path: str) -> str:
    """Where the JSON stands that Structurizr makes of a DSL."""
    return f"{path[: -len(_DSL)]}{_JSON}" if path.lower().endswith(_DSL) else ""


def _paths_read(file: SourceFile, files: Mapping[str, SourceFile]) -> list[str]:
    """The files that a workspace is read from; itself alone if it cannot be read, which `read` says."""
    try:
        return read_dsl(file.path, files)[1]
    except UnreadableSource:
        return [file.path]
