"""How well the product draws: each graph in every way that it can be drawn, judged as it is shown, in a table.

`SAMPLES=/folder` adds real files of other programs; `DRAWINGS=random/30` draws only the graphs whose name contains
that. The tables are also written to `build/drawings.txt`, all scores to `build/drawings.json`.
"""

from __future__ import annotations

import json
import os
import statistics
from contextlib import ExitStack
from pathlib import Path

import pytest

from bench.conftest import Report
from bench.drawings.columns import Row, draw_by_d2, draw_by_engine, draw_over_rest
from bench.drawings.d2 import D2
from bench.drawings.d2 import missing as d2_missing
from bench.drawings.engine import Engine, missing
from bench.drawings.graphs import VARIABLE, all_graphs, samples_folder
from bench.drawings.scores import (
    Scored,
    complete,
    crossings_ratio,
    flaws,
    legible_share,
    of_size,
    score,
    time_ratios,
    worse_than_plain,
)
from bench.drawings.tables import all_tables, graph_line
from tests.integration.client import Api
from tests.integration.servers import running

_ONLY = os.environ.get("DRAWINGS", "")
_PATIENCE_S = 600
_LEGIBLE = {
    ((10, 20), "diagram"): 1.0,
    ((10, 20), "split"): 1.0,
    ((25, 35), "diagram"): 0.9,
    ((25, 35), "split"): 0.7,
    ((50, 70), "diagram"): 0.6,
}
"""The least share of names that can be read, for graphs of so many nodes, where everything is shown in a room."""


def test_drawings(redis_url: str, report: Report) -> None:
    """No flaws and no more crossings than the better of two plain runs, however a graph came to be drawn."""
    if reason := missing():
        pytest.skip(reason)
    rows = _scored(redis_url)
    if samples_folder() is None:
        print(f"\nReal files were not drawn: {VARIABLE} names no folder.")
    text = all_tables(rows)
    print(f"\n\n{text}\n")
    folder = Path("build")
    folder.mkdir(exist_ok=True)
    (folder / "drawings.txt").write_text(f"{text}\n", "utf-8")
    (folder / "drawings.json").write_text(json.dumps([vars(row) for row in rows], indent=1), "utf-8")
    whole = complete(rows)
    assert whole, "no graph has all its columns"
    for column in ("batch", "layout", "between", "tidy"):
        report(f"drawings: flaws, {column}", sum(flaws(row.scores[column]) for row in whole), "<=", 0)
        report(f"drawings: crossings / better plain, {column}", crossings_ratio(whole, column), "<=", 1)
    report("drawings: graphs that Tidy leaves with more crossings than plain", worse_than_plain(whole, "tidy"), "<=", 0)
    for (size, room), least in _LEGIBLE.items():
        some = of_size(whole, size)
        for column in ("batch", "tidy") if some else ():
            of = f"{column}, {size[0]} to {size[1]} nodes, {room}"
            report(f"drawings: names legible, {of}", legible_share(some, column, room, "nodes"), ">=", least)
            report(f"drawings: groups' names legible, {of}", legible_share(some, column, room, "groups"), ">=", 1)
    report(
        "Tidy / both plain runs one after the other, seconds, median", statistics.median(time_ratios(whole)), "<=", 1.3
    )


def _scored(redis_url: str) -> list[Scored]:
    rows = []
    with running(redis_url, "w") as [server], Api(server.url) as api, Engine() as engine, ExitStack() as stack:
        d2 = None if d2_missing() else stack.enter_context(D2())
        api.timeout = _PATIENCE_S
        for graph in all_graphs():
            if _ONLY in graph.name:
                row = Row(graph)
                draw_over_rest(api, row)
                draw_by_engine(engine, row)
                if d2:
                    draw_by_d2(d2, row)
                rows.append(score(engine, row))
                print(graph_line(rows[-1]), flush=True)
    return rows
