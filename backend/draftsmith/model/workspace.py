"""A workspace: its name, its diagram and its document. Steps change it."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Final, Literal, NotRequired, TypedDict, cast

from draftsmith.model.custom_types import CustomType, CustomTypes
from draftsmith.model.diagram import Diagram
from draftsmith.model.document import Document
from draftsmith.model.fields import (
    EDGE_DEFAULTS,
    NODE_DEFAULTS,
    EdgeAttributes,
    NodeAttributes,
    SparseDiagram,
    edge_json,
    node_json,
)
from draftsmith.model.ids import EdgeId, NodeId
from draftsmith.model.shapes import DiagramOut, DocumentOut, ExportOut, NodeOut
from draftsmith.model.slices import run_slices

FORMAT: Final = "draftsmith/1"
_SLICE: Final = 1_000  # nodes or edges that are put in without a pause


class WorkspaceSummary(TypedDict, total=False):
    """What lists show of a workspace: its name, how many nodes, edges and characters it has, and who changed it last.

    Releases before did not write the last one down, nor do repairs.
    """

    name: str
    nodes: int
    edges: int
    chars: int
    changed_by: str


class DocumentContent(TypedDict, total=False):
    """A document in export form."""

    text: str
    eol: str


class WorkspaceContent(TypedDict, total=False):
    """What a workspace can start from, in export form; `flow`: the direction of a diagram that has no positions."""

    format: str
    name: str
    diagram: SparseDiagram | None
    document: DocumentContent | None
    flow: str


class Dump(TypedDict):
    """The whole content of a workspace: `nodes` as (id, attributes), `edges` as (id, source, target, attributes).

    `types` by id, only where it has types of its own.
    """

    name: str
    eol: str
    text: str
    nodes: list[tuple[NodeId, NodeAttributes]]
    edges: list[tuple[EdgeId, NodeId, NodeId, EdgeAttributes]]
    types: NotRequired[CustomTypes]


class Workspace:
    """The state that results from a log of steps."""

    __slots__ = ("diagram", "document", "name")

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.diagram = Diagram()
        self.document = Document()

    def summary(self) -> WorkspaceSummary:
        """The summary shown in lists: `{name, nodes, edges, chars}`."""
        return {
            "name": self.name,
            "nodes": self.diagram.node_count,
            "edges": self.diagram.edge_count,
            "chars": len(self.document.text),
        }


def diagram_json(diagram: Diagram) -> DiagramOut:
    """The full JSON shape `{nodes, edges}`, oldest first (by birth, then id), without births."""
    nodes = sorted(diagram.nodes().items(), key=lambda item: (item[1]["birth"], item[0]))
    edges = sorted(diagram.edges(), key=lambda item: (item[3]["birth"], item[0]))
    shape: DiagramOut = {
        "nodes": [node_json(node_id, attributes) for node_id, attributes in nodes],
        "edges": [edge_json(key, source, target, attributes) for key, source, target, attributes in edges],
    }
    if diagram.types:
        shape["types"] = _in_order(diagram.types)
    return shape


def _in_order(types: CustomTypes) -> dict[str, CustomType]:
    """Types by id, as dumps and answers have them: equal ones in equal bytes."""
    return {type_id: types[type_id] for type_id in sorted(types)}


def document_json(document: Document) -> DocumentOut:
    """The JSON shape of a document."""
    return {"text": document.text, "eol": cast(Literal["lf", "crlf", "mixed"], document.eol)}


def export_json(workspace: Workspace) -> ExportOut:
    """The lossless export form, empty fields left out."""
    full = diagram_json(workspace.diagram)
    nodes = [
        _with_defaults(_without_lost_type(node, workspace.diagram), NODE_DEFAULTS, ("type", "label", "position"))
        for node in full["nodes"]
    ]
    edges = [_with_defaults(edge, EDGE_DEFAULTS, ()) for edge in full["edges"]]
    types = {"types": full["types"]} if "types" in full else {}
    return {
        "format": FORMAT,
        "name": workspace.name,
        "diagram": {"nodes": nodes, "edges": edges, **types},
        "document": document_json(workspace.document),
    }


def _without_lost_type(node: NodeOut, diagram: Diagram) -> NodeOut:
    """A node without a custom type that does not count, which nothing that reads it would know."""
    if "custom_type" in node and diagram.custom_type(node["id"]) is None:
        node = node.copy()
        del node["custom_type"]
    return node


def _with_defaults(
    shape: Mapping[str, object], empty: Mapping[str, object], always: tuple[str, ...]
) -> Mapping[str, object]:
    return {k: v for k, v in shape.items() if k in always or k not in empty or v != empty[k]}


def dump(workspace: Workspace) -> Dump:
    """The canonical dump, births included: equal workspaces give equal dumps in any order of creation."""
    diagram = workspace.diagram
    content: Dump = {
        "name": workspace.name,
        "eol": workspace.document.eol,
        "text": workspace.document.text,
        "nodes": sorted(diagram.nodes().items(), key=lambda node: node[0]),
        "edges": sorted(diagram.edges(), key=lambda edge: edge[0]),
    }
    if diagram.types:
        content["types"] = _in_order(diagram.types)
    return content


def load(content: Dump) -> Workspace:
    """Build a workspace from the result of `dump`; values are shared, not copied."""
    return run_slices(loading(content))


def loading(content: Dump) -> Generator[None, None, Workspace]:
    """As `load`, in slices."""
    workspace = Workspace(content["name"])
    workspace.document = Document(content["text"], content["eol"])
    diagram = workspace.diagram
    for type_id, definition in content.get("types", {}).items():
        diagram.set_type(type_id, definition)
    for number, (node_id, attributes) in enumerate(content["nodes"], 1):
        diagram.add_node(node_id, attributes)
        if not number % _SLICE:
            yield
    for number, (edge_id, source, target, fields) in enumerate(content["edges"], 1):
        diagram.add_edge(edge_id, source, target, fields)
        if not number % _SLICE:
            yield
    return workspace


def copying(workspace: Workspace) -> Generator[None, None, Workspace]:
    """Make a workspace of its own with the same content, in slices; it is of the moment of the first one."""
    content = dump(workspace)
    content["nodes"] = [(node_id, attributes.copy()) for node_id, attributes in content["nodes"]]
    content["edges"] = [
        (key, source, target, attributes.copy()) for key, source, target, attributes in content["edges"]
    ]
    yield
    return (yield from loading(content))
