"""The reader of our own export (JSON): a file is a set by itself, and nothing of it is left out.

What fields may hold is checked where the workspace is made, or where the operations run. Here is checked what everybody
who handles a diagram relies on.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence, Set
from typing import Any, Final, cast

from draftsmith.model.custom_types import CustomTypes
from draftsmith.model.fields import SparseDiagram
from draftsmith.model.images import ENDINGS
from draftsmith.model.readers.alone import head_of, sets_of, text_of
from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, SourceSet, UnreadableSource
from draftsmith.model.workspace import FORMAT

__all__ = ["read", "recognizes", "sets_of"]

_LOOKED_AT: Final = 4_096
_NODE: Final = ("id", "type", "label")
_EDGE: Final = ("id", "source", "target")
_TYPE: Final = ("name", "base")
_OF_A_SHAPE: Final = ("properties", "position", "size", "route")
_POINT: Final = frozenset(("x", "y"))
_SIZE: Final = frozenset(("width", "height"))
_SHAPES: Final = "nodes and edges must be lists of objects as an export has them"


def recognizes(file: SourceFile) -> bool:
    """Whether it names our format in its beginning, as every export does."""
    return f'"{FORMAT}"' in head_of(file, _LOOKED_AT)


def read(sources: SourceSet) -> Sequence[ReadWorkspace]:
    """Read an export.

    Raises:
        UnreadableSource: it is no JSON, or not an export.
    """
    path, content = sources.root.path, _json_of(sources.root)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise UnreadableSource(f"it is not an export of Draftsmith ({FORMAT})", path)
    name, diagram, document = content.get("name", ""), content.get("diagram") or {}, content.get("document") or {}
    text = document.get("text", "") if isinstance(document, dict) else None
    if not (isinstance(name, str) and isinstance(diagram, dict) and isinstance(text, str)):
        raise UnreadableSource("name and text must be texts, diagram and document objects", path)
    found = _diagram(diagram.get("nodes", []), diagram.get("edges", []), path)
    if diagram.get("types"):
        found["types"] = _types(diagram["types"], path)
    images = _images(content.get("images") or {}, path)
    return [ReadWorkspace(name, found, text, is_placed=True, images=images)]


def _json_of(file: SourceFile) -> object:
    try:
        content: object = json.loads(text_of(file), parse_int=_whole_number, parse_constant=_refuse_constant)
        json.dumps(content, ensure_ascii=False).encode()  # lone surrogates, which no text has
    except json.JSONDecodeError as error:
        raise UnreadableSource(f"it is not JSON: {error.msg}", file.path, error.lineno) from None
    except RecursionError:
        raise UnreadableSource("it is nested too deeply", file.path) from None
    except ValueError as error:
        raise UnreadableSource(f"it is not JSON: {error}", file.path) from None
    return content


def _whole_number(digits: str) -> float:
    """A whole number; as a float where 64 bits do not hold it, since nothing writes it again then."""
    return int(digits) if len(digits) < 19 else float(digits)


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _diagram(nodes: object, edges: object, path: str) -> SparseDiagram:
    if not (_is_list(nodes, _NODE) and _is_list(edges, _EDGE)):
        raise UnreadableSource(_SHAPES, path)
    diagram = cast(SparseDiagram, {"nodes": _without_nulls(nodes), "edges": _without_nulls(edges)})
    parents = {node["id"]: node.get("parent") for node in diagram["nodes"]}
    if len(parents) < len(diagram["nodes"]) or len({edge["id"] for edge in diagram["edges"]}) < len(diagram["edges"]):
        raise UnreadableSource("an id is there twice", path)
    if any(end not in parents for edge in diagram["edges"] for end in (edge["source"], edge["target"])):
        raise UnreadableSource("an edge ends at a node that is not there", path)
    if not _are_nested(cast(Mapping[str, object], parents)):
        raise UnreadableSource("a parent is not there, or groups stand in each other", path)
    return diagram


def _types(types: object, path: str) -> CustomTypes:
    """The types of nodes that the workspace had of its own."""
    if not (isinstance(types, dict) and all(_is_type(one) for one in types.values())):
        raise UnreadableSource("types must be an object of {name, base, icon?, color?}", path)
    return cast(CustomTypes, {key: {n: v for n, v in one.items() if v is not None} for key, one in types.items()})


def _is_type(found: object) -> bool:
    return (
        isinstance(found, dict)
        and all(isinstance(found.get(name), str) for name in _TYPE)
        and all(one is None or isinstance(one, str) for one in found.values())
    )


def _without_nulls(elements: Any) -> Any:
    """Elements without the fields that are null, which are those that they have not."""
    return [{name: value for name, value in one.items() if value is not None} for one in elements]


def _are_nested(parents: Mapping[str, object]) -> bool:
    """Whether every parent is there and none stands in itself."""
    reaching: set[object] = {None}
    for node_id in parents:
        way: list[object] = []
        current: object = node_id
        while current not in reaching:
            if not isinstance(current, str) or current not in parents or len(way) > len(parents):
                return False
            way.append(current)
            current = parents[current]
        reaching.update(way)
    return True


def _is_list(found: object, texts: Sequence[str]) -> bool:
    return isinstance(found, list) and all(_is_element(one, texts) for one in found)


def _is_element(found: object, texts: Sequence[str]) -> bool:
    """Whether something has the texts that it must have, and nothing in it is of another shape than in an export."""
    if not isinstance(found, dict) or not all(isinstance(found.get(name), str) for name in texts):
        return False
    properties, position, size, route = (found.get(name) for name in _OF_A_SHAPE)
    points = [*([] if position is None else [position]), *(route if isinstance(route, list) else [])]
    rest = [value for name, value in found.items() if name not in _OF_A_SHAPE]
    return (
        (
            properties is None
            or (isinstance(properties, dict) and all(isinstance(one, str) for one in properties.values()))
        )
        and (route is None or isinstance(route, list))
        and (size is None or _is_place(size, _SIZE))
        and all(_is_place(one, _POINT) for one in points)
        and not any(isinstance(one, (dict, list)) for one in rest)
    )


def _is_place(found: object, names: Set[str]) -> bool:
    """Whether it has these names, and numbers under them."""
    return (
        isinstance(found, dict)
        and found.keys() == names
        and all(isinstance(one, (int, float)) for one in found.values())
    )


def _images(found: object, path: str) -> Mapping[str, bytes]:
    """The bytes of images by their file names."""
    images: dict[str, bytes] = {}
    for sha256, image in found.items() if isinstance(found, dict) else ():
        ending, content = _image(image)
        if not content:
            raise UnreadableSource("images must be an object of {type, data}", path)
        images[f"{sha256}.{ending}"] = content
    return images


def _image(found: Any) -> tuple[str, bytes]:
    """The ending and the bytes of an image; no bytes for what is none."""
    try:
        return ENDINGS[found["type"]], base64.b64decode(found["data"], validate=True)
    except (KeyError, TypeError, ValueError):
        return "", b""
