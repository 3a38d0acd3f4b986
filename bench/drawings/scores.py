"""What the judge says of every graph in every column. Not here: the tables of it (`tables.py`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bench.drawings.columns import COLUMNS, OF_OTHERS, Row
from bench.drawings.engine import Engine

FLAWS = {
    "overlaps": "nodes on nodes",
    "strangersInFrames": "nodes in frames of others",
    "framesOverFrames": "frames over frames",
    "linesThroughNodes": "lines through nodes",
    "linesThroughTitles": "lines through titles",
    "labelsHidden": "labels hidden",
    "labelsOnLabels": "labels on labels",
}
"""Each of these is wrong in a picture, whatever else is good about it."""
MEASURES = {
    **FLAWS,
    "coincident": "lines on lines, px",
    "crossings": "crossings",
    "bends": "bends",
    "length": "length of lines, px",
    "area": "area, thousand px²",
    "moved": "moved, px",
}
SIZES = ((10, 20), (25, 35), (50, 70))
"""Nodes of the graphs of which names are counted together: 15 ± 5, 30 ± 5 and 60 ± 10."""
ROOMS = ("diagram", "split")
_PLAIN = ("right", "down")
DRAWN_BY_US = tuple(column for column in COLUMNS if column not in OF_OTHERS)


@dataclass
class Scored:
    """A graph's scores by column.

    Attributes:
        legible: by column, how many names of `nodes` and of `groups` there are in `all`, and how many of them can be
            read where everything is shown in each room.
        seconds: of the columns that are timed.
        failed: why a column is missing.
    """

    name: str
    nodes: int
    edges: int
    scores: dict[str, dict[str, float]]
    legible: dict[str, dict[str, dict[str, int]]]
    seconds: dict[str, float]
    failed: dict[str, str]

    def better_plain(self) -> dict[str, float] | None:
        """The score of the plain run with fewer crossings; None where both failed."""
        plain = [self.scores[column] for column in _PLAIN if column in self.scores]
        return min(plain, key=lambda score: score["crossings"], default=None)


def score(engine: Engine, row: Row) -> Scored:
    """Have a row judged, column by column."""
    failed = dict(row.failed)
    scores, legible = {}, {}
    for column, drawn in row.drawn.items():
        try:
            answer = engine.judge(drawn.diagram, drawn.before)
        except Exception as error:  # noqa: BLE001  # said in the table
            failed[column] = f"judge: {error}"[:300]
        else:
            found, legible[column] = answer["score"], answer["legible"]
            scores[column] = {name: float(found.get(name) or 0) for name in MEASURES} | {"shape": found.get("shape", 0)}
            scores[column]["area"] /= 1000
    groups = sum(one["type"] == "group" for one in row.graph.nodes.values())
    seconds = {column: drawn.seconds for column, drawn in row.drawn.items() if drawn.seconds}
    return Scored(row.graph.name, len(row.graph.nodes) - groups, len(row.graph.edges), scores, legible, seconds, failed)


def flaws(score: dict[str, float]) -> int:
    """How much is wrong; each begun hundred pixels on which lines coincide count as one flaw."""
    return round(sum(score[name] for name in FLAWS)) + math.ceil(score["coincident"] / 100)


def complete(rows: Sequence[Scored]) -> list[Scored]:
    """The rows with a score in all columns but those of others, which not every graph has."""
    return [row for row in rows if all(column in row.scores for column in DRAWN_BY_US)]


def crossings_ratio(rows: Sequence[Scored], column: str) -> float:
    """Crossings of a column over those of the better plain run of each graph."""
    plain = sum((row.better_plain() or {})["crossings"] for row in rows)
    return sum(row.scores[column]["crossings"] for row in rows) / plain if plain else 1.0


def worse_than_plain(rows: Sequence[Scored], column: str) -> int:
    """In how many graphs a column has more crossings than the better plain run."""
    return sum(row.scores[column]["crossings"] > (row.better_plain() or {})["crossings"] for row in rows)


def time_ratios(rows: Sequence[Scored]) -> list[float]:
    """How long Tidy took, as a multiple of two plain runs on the same graph."""
    return [row.seconds["tidy"] / (row.seconds["right"] + row.seconds["down"]) for row in rows]


def of_size(rows: Sequence[Scored], size: tuple[int, int]) -> list[Scored]:
    """The rows of graphs of so many nodes."""
    return [row for row in rows if size[0] <= row.nodes <= size[1]]


def legible_share(rows: Sequence[Scored], column: str, room: str, kind: str) -> float:
    """The share of all names of `nodes` or `groups` that can be read where everything is shown in a room."""
    all_names = sum(row.legible[column]["all"][kind] for row in rows)
    return sum(row.legible[column][room][kind] for row in rows) / all_names if all_names else 1.0
