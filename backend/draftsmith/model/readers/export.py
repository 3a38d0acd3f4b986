"""The reader of our own export (JSON): a file is a set by itself, and nothing of it is left out.

What fields may hold is checked where the workspace is made, or where the operations run. Here is checked what everybody
who handles a diagram relies on.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from draftsmith.model.fields import SparseDiagram
from draftsmith.model.images import ENDINGS
from draftsmith.model.readers.alone import head_of, sets_of, text_of
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource
from draftsmith.model.workspace import FORMAT

__all__ = ["read", "recognizes", "sets_of"]

_LOOKED_AT: Final = 4_096
_NODE: Final = ("id", "type", "label")
_EDGE: Final = ("id", "source", "target")


def recognizes(file: SourceFile) -> bool:
    """Whether it names our format in its beginning, as every export does."""
    return f'"{FORMAT}"' in head_of(file, _LOOKED_AT)


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read an export.

    Raises:
        UnreadableSource: it is no JSON, or not an export.
    """
    path, content = sources.root.path, _parsed(sources.root)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise UnreadableSource(f"it is not an export of Draftsmith ({FORMAT})", path)
    name, diagram, document = content.get("name", ""), content.get("diagram") or {}, content.get("document") or {}
    text = document.get("text", "") if isinstance(document, dict) else None
    if not (isinstance(name, str) and isinstance(diagram, dict) and isinstance(text, str)):
        raise UnreadableSource("name and text must be texts, diagram and document objects", path)
    nodes, edges = diagram.get("nodes", []), diagram.get("edges", [])
    for what, found, fields in (("nodes", nodes, _NODE), ("edges", edges, _EDGE)):
        if not isinstance(found, list) or not all(_has_texts(one, fields) for one in found):
            raise UnreadableSource(f"{what} must be a list of objects with {', '.join(fields)}", path)
    known = {node["id"] for node in nodes}
    if len(known) < len(nodes) or any(one not in known for one in map(_parent, nodes) if one is not None):
        raise UnreadableSource("ids of nodes are there twice, or a parent is none of its nodes", path)
    return [
        ReadWorkspace(
            name,
            cast(SparseDiagram, {"nodes": nodes, "edges": edges}),
            text,
            is_placed=True,
            images=_images(content.get("images") or {}, path),
        )
    ]


def _parsed(file: SourceFile) -> Any:
    try:
        return json.loads(text_of(file), parse_constant=_refused)
    except json.JSONDecodeError as error:
        raise UnreadableSource(f"it is not JSON: {error.msg}", file.path, error.lineno) from None
    except RecursionError:
        raise UnreadableSource("it is nested too deeply", file.path) from None
    except ValueError as error:
        raise UnreadableSource(f"it is not JSON: {error}", file.path) from None


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _parent(node: Mapping[str, Any]) -> object:
    return node.get("parent")


def _has_texts(found: object, fields: Sequence[str]) -> bool:
    return (
        isinstance(found, dict)
        and all(isinstance(found.get(field), str) for field in fields)
        and isinstance(found.get("properties") or {}, dict)
    )


def _images(found: object, path: str) -> Mapping[str, bytes]:
    """The bytes of images by their file names."""
    images: dict[str, bytes] = {}
    for sha256, image in found.items() if isinstance(found, dict) else ():
        ending = ENDINGS.get(image.get("type")) if isinstance(image, dict) else None
        try:
            content = base64.b64decode(image["data"], validate=True) if ending else b""
        except (KeyError, TypeError, ValueError):
            content = b""
        if not content:
            raise UnreadableSource("images must be an object of {type, data}", path)
        images[f"{sha256}.{ending}"] = content
    return images
