"""Sources for readers by path, what is read of them, and what each diagram that is read keeps to."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from draftsmith.model.fields import SparseDiagram, SparseNode
from draftsmith.model.ids import is_edge_id, is_id
from draftsmith.model.limits import WorkspaceLimits
from draftsmith.model.readers.compose import reader as compose_reader
from draftsmith.model.readers.kubernetes import reader as kubernetes_reader
from draftsmith.model.readers.limits import MAX_NAME, MAX_UNREAD
from draftsmith.model.readers.reading import Reader, ReadWorkspace, SourceFile, UnreadableSource
from draftsmith.model.vocabulary import DIRECTIONS, EDGE_KINDS, GROUP, NODE_TYPES
from draftsmith.transform.requests.operation_fields import EdgeFields, WholeNode


def files_of(texts: Mapping[str, str | bytes]) -> list[SourceFile]:
    """Files by path."""
    return [SourceFile(path, one if isinstance(one, bytes) else one.encode()) for path, one in texts.items()]


def read_sets(reader: Reader, texts: Mapping[str, str | bytes]) -> list[ReadWorkspace]:
    """Every workspace of every set among some files, each checked."""
    files = files_of(texts)
    found = [one for sources in reader.sets_of(files) for one in reader.read(sources)]
    for one in found:
        check_valid(one, says_directions=_says_directions(reader))
    return found


def _says_directions(reader: Reader) -> bool:
    """Whether lines of a format have a direction of their own."""
    return reader not in (compose_reader, kubernetes_reader)


def check_valid(found: ReadWorkspace, *, says_directions: bool = True) -> None:
    """Check that what was read can be put into a workspace, and that what was not is said in words."""
    limits = WorkspaceLimits()
    nodes, edges = found.diagram["nodes"], found.diagram["edges"]
    assert len(nodes) <= limits.nodes
    assert len(edges) <= limits.edges
    assert len(found.name) <= MAX_NAME
    assert len(found.document) <= limits.document_chars
    check_diagram(found.diagram, says_directions=says_directions)
    assert found.sources.keys() <= {one["id"] for one in [*nodes, *edges]}
    assert len(found.unread) <= MAX_UNREAD + 1
    for part in found.unread:
        assert part.reason
        assert len(part.text) <= 200
        assert not part.reason.endswith(".")


def check_diagram(diagram: SparseDiagram, *, says_directions: bool = True) -> None:
    """Check that a diagram that was read can be put into a workspace: groups stand before what is in them."""
    known: dict[str, SparseNode] = {}
    depths: dict[str | None, int] = {None: 0}
    for node in diagram["nodes"]:
        WholeNode.model_validate(node)
        assert is_id(node["id"])
        assert node["id"] not in known
        assert node["type"] in NODE_TYPES
        assert node.get("parent") is None or known[node["parent"]]["type"] == GROUP
        depths[node["id"]] = depths[node.get("parent")] + 1
        assert depths[node["id"]] <= 33
        known[node["id"]] = node
    seen = set()
    for one in diagram["edges"]:
        EdgeFields.model_validate(one)
        assert is_edge_id(one["id"])
        assert known.keys() >= {one["source"], one["target"]}
        assert one["source"] != one["target"]
        assert one["kind"] in EDGE_KINDS
        assert one.get("direction", None if says_directions else "forward") in DIRECTIONS
        seen.add((one["source"], one["target"], one.get("label", ""), one["kind"]))
    assert len(seen) == len(diagram["edges"]) == len({one["id"] for one in diagram["edges"]})


def nodes_by_id(diagram: SparseDiagram) -> dict[str, dict[str, Any]]:
    """The nodes of a diagram by their ids."""
    return {node["id"]: dict(node) for node in diagram["nodes"]}


def nodes_by_label(diagram: SparseDiagram) -> dict[str, dict[str, Any]]:
    """The nodes of a diagram by their labels."""
    return {node["label"]: dict(node) for node in diagram["nodes"]}


def edges_by_label(diagram: SparseDiagram) -> list[tuple[str, str, str]]:
    """The edges of a diagram: the labels of both ends and their own."""
    labels = {node["id"]: node["label"] for node in diagram["nodes"]}
    return [(labels[one["source"]], labels[one["target"]], one.get("label", "")) for one in diagram["edges"]]


def ends(found: ReadWorkspace) -> set[tuple[str, str, str, str]]:
    """The edges by the labels of their ends, their own label and their kind."""
    names = {node["id"]: node["label"] for node in found.diagram["nodes"]}
    return {
        (names[one["source"]], names[one["target"]], one.get("label", ""), one["kind"])
        for one in found.diagram["edges"]
    }


def unread(found: ReadWorkspace) -> dict[str, tuple[str, str]]:
    """What was not read: by its text, the place and the reason."""
    return {part.text: (part.place, part.reason) for part in found.unread}


def damaged(content: bytes, dice: random.Random) -> bytes:
    """A file cut off, with bits turned over, pieces twice and pieces missing."""
    found = bytearray(content)
    for _ in range(dice.randrange(1, 10)):
        place = dice.randrange(len(found) or 1)
        kind = dice.randrange(5)
        if kind == 0 and found:
            found[place] ^= 1 << dice.randrange(8)
        elif kind == 1:
            found[place:place] = found[place // 2 : place]
        elif kind == 2:
            del found[place : place + dice.randrange(40)]
        elif kind == 3:
            found[place:place] = dice.choice(
                [b"\t", b"&a ", b"*a ", b"[", b"{", b"- ", b": ", b"!!x ", b"<<: ", b"\x00", b"\n"]
            )
        elif dice.random() < 0.3:
            del found[place:]
    return bytes(found)


def read_or_refused(reader: Reader, texts: Mapping[str, str | bytes]) -> Sequence[ReadWorkspace]:
    """What is read of some files; nothing where they are refused in words."""
    found: list[ReadWorkspace] = []
    for sources in reader.sets_of(files_of(texts)):
        refusal: UnreadableSource | None = None
        try:
            found += reader.read(sources)
        except UnreadableSource as failure:
            refusal = failure
        if refusal is not None:
            assert refusal.reason
            assert not refusal.reason.endswith(".")
            assert refusal.line is None or refusal.line > 0
    for one in found:
        check_valid(one, says_directions=_says_directions(reader))
    return found
