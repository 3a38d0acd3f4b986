"""Which graphs are drawn: the templates, graphs made by chance, and what is in the folder that `SAMPLES` names.

The folder holds real files of other programs, below `compose/`, `structurizr/`, `kubernetes/` and `drawio/`; none of
them is part of this project.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from bench.drawings.compose import read_compose
from bench.drawings.drawio import read_drawio
from bench.drawings.graph import Graph, joined
from bench.drawings.kubernetes import read_kubernetes
from bench.drawings.random_graphs import random_graphs
from bench.drawings.structurizr import read_structurizr

VARIABLE = "SAMPLES"
_TEMPLATES = Path(__file__).parents[2] / "backend/draftsmith/templates"
_LEAST_NODES, _LEAST_EDGES, _MOST_NODES = 5, 4, 80


def all_graphs() -> Iterator[Graph]:
    """Every graph there is, those of the samples only where their folder is."""
    yield from templates()
    yield from sample_graphs()
    yield from random_graphs()


def templates() -> Iterator[Graph]:
    """The sample and the templates; their places are their author's."""
    for file in sorted(_TEMPLATES.glob("*.json")):
        diagram = json.loads(file.read_text("utf-8"))["diagram"]
        graph = Graph(f"templates/{file.stem}")
        for one in diagram["nodes"]:
            graph.node(one["id"], one["type"], one["label"], one.get("parent"))
        for one in diagram["edges"]:
            graph.edge(one["source"], one["target"], one.get("label", ""), one.get("kind", "sync"))
        if graph.edges:
            graph.author = _as_given(graph, diagram)
            yield graph


def samples_folder() -> Path | None:
    """The folder of the samples; None where there is none."""
    folder = Path(os.environ.get(VARIABLE) or "/nowhere")
    return folder if folder.is_dir() else None


def sample_graphs() -> Iterator[Graph]:
    """The graphs of real files that are neither tiny nor huge."""
    folder = samples_folder()
    for graph in _read(folder) if folder else ():
        count = sum(one["type"] != "group" for one in graph.nodes.values())
        if _LEAST_NODES <= count <= _MOST_NODES and len(graph.edges) >= _LEAST_EDGES:
            yield graph


def _read(folder: Path) -> Iterator[Graph]:
    files = sorted(folder.glob("compose/*/compose.y*ml"))
    services = [read_compose(f"compose/{file.parent.name}", file) for file in files]
    yield from services
    if services:
        yield joined("compose/all of them", services)
    for file in sorted(folder.glob("structurizr/dsl/**/workspace.dsl")):
        if not list(file.parent.glob("*/workspace.dsl")):  # one that joins others repeats them
            yield read_structurizr(f"structurizr/{file.parent.name}", file)
    for part in sorted(folder.glob("kubernetes/*/*")):
        yield read_kubernetes(f"kubernetes/{part.name}", part)
    for file in sorted(folder.glob("drawio/**/*.*")):
        yield read_drawio(f"drawio/{file.stem}", file)


def _as_given(graph: Graph, diagram: dict[str, list[dict[str, object]]]) -> dict[str, list[dict[str, object]]]:
    """The template's own diagram, with the fields that it leaves out."""
    given = {str(one["id"]): one for one in diagram["nodes"]}
    routes = {(one["source"], one["target"], one.get("label", "")): one.get("route") for one in diagram["edges"]}
    made = graph.diagram()
    nodes = [{**one, **{name: given[one["id"]].get(name) for name in ("position", "size")}} for one in made["nodes"]]
    edges = [{**one, "route": routes.get((one["source"], one["target"], one["label"]))} for one in made["edges"]]
    return {"nodes": nodes, "edges": edges}
