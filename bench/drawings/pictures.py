"""Draws graphs as pictures, each column in both themes: `python -m bench.drawings.pictures FOLDER [NAME ...]`.

The diagrams are written to the folder as JSON; the editor's own export makes SVG of them and a browser makes PNG of
that (`frontend/bench/pictures.bench.ts`). NAMEs say which graphs: those whose name contains one of them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench.drawings.columns import Row, draw_by_engine, draw_over_rest
from bench.drawings.engine import Engine
from bench.drawings.graph import Graph
from bench.drawings.graphs import all_graphs
from bench.drawings.scores import Scored, score
from tests.conftest import running_store
from tests.integration.client import Api
from tests.integration.servers import running

_FRONTEND = Path(__file__).parents[2] / "frontend"
TEN = (
    "templates/sample",
    "templates/web-service",
    "structurizr/internet-banking-system",
    "structurizr/microservices",
    "compose/all of them",
    "kubernetes/guestbook",
    "drawio/ibm_iot_architecture",
    "drawio/retail_pci",
    "drawio/NetworkDiagram",
    "random/60-1",
)
_COLUMNS = ("batch", "between", "tidy", "plain", "author")


def main(folder: Path, names: list[str]) -> None:
    """Draw the graphs, write their diagrams and have pictures made of them."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [graph for graph in all_graphs() if any(name in graph.name for name in names)]
    with running_store() as store, running(store, "w") as [server], Api(server.url) as api, Engine() as engine:
        for graph in wanted:
            _write(folder, engine, api, graph)
    npx = shutil.which("npx")
    assert npx is not None, "Node.js is not installed"
    command = [npx, "vitest", "run", "--config", "bench/vitest.config.ts", "bench/pictures.bench.ts"]
    subprocess.run(command, cwd=_FRONTEND, env={**os.environ, "PICTURES": str(folder.resolve())}, check=True)


def _write(folder: Path, engine: Engine, api: Api, graph: Graph) -> None:
    row = Row(graph)
    draw_over_rest(api, row)
    draw_by_engine(engine, row)
    scored = score(engine, row)
    name = graph.name.replace("/", "-").replace(" ", "-")
    for column in _COLUMNS:
        of_column = _better_plain(scored) if column == "plain" else column
        if of_column in row.drawn and of_column in scored.scores:
            found = {"diagram": row.drawn[of_column].diagram, "column": of_column, "score": scored.scores[of_column]}
            (folder / f"{name}-{column}.json").write_text(json.dumps(found), "utf-8")
    for column, why in scored.failed.items():
        print(f"{graph.name}, {column}: {why}")


def _better_plain(scored: Scored) -> str:
    plain = [column for column in ("right", "down") if column in scored.scores]
    return min(plain, key=lambda column: scored.scores[column]["crossings"], default="right")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(TEN))
