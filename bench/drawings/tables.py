"""Tables of scores: a line for each graph, sums for each measure, and times."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from bench.drawings.columns import COLUMNS
from bench.drawings.d2 import LAYOUTS
from bench.drawings.scores import (
    DRAWN_BY_US,
    MEASURES,
    ROOMS,
    SIZES,
    Scored,
    complete,
    crossings_ratio,
    flaws,
    legible_share,
    of_size,
    time_ratios,
    worse_than_plain,
)

_LARGE = 200
_TIMED = ((0, 20), (20, 50), (50, 150), (150, 400), (400, 5000))


def all_tables(rows: Sequence[Scored]) -> str:
    """Everything that is printed."""
    made = [row for row in rows if row.name.startswith("random/")]
    kinds = {
        "real files and templates": [row for row in rows if row not in made],
        f"random, below {_LARGE} nodes": [row for row in made if row.nodes < _LARGE],
        f"random, {_LARGE} nodes and more": [row for row in made if row.nodes >= _LARGE],
    }
    sums = [sum_table(title, of_kind) for title, of_kind in kinds.items() if complete(of_kind)]
    failed = [f"{row.name}, {column}: {why}" for row in rows for column, why in row.failed.items()]
    return "\n\n".join(
        [graph_table(rows), *sums, legible_table(rows), author_table(rows), d2_tables(rows), time_table(rows), *failed]
    )


def graph_table(rows: Sequence[Scored]) -> str:
    """A line for each graph: in each column how much is wrong, and the crossings."""
    heads = [f"{'graph':<52} {'nodes':>5} {'edges':>5}  " + "".join(f"{column:>14}" for column in COLUMNS),
             f"{'':<64}  " + "".join(f"{'flaws cross':>14}" for _ in COLUMNS)]  # fmt: skip
    return "\n".join([*heads, *map(graph_line, rows)])


def graph_line(row: Scored) -> str:
    """A graph as the table shows it."""
    cells = "".join(_cell(row, column) for column in COLUMNS)
    return f"{row.name[:52]:<52} {row.nodes:>5} {row.edges:>5}  {cells}"


def _cell(row: Scored, column: str) -> str:
    if column in row.failed:
        return f"{'FAILED':>14}"
    if column not in row.scores:
        return f"{'–':>14}"
    score = row.scores[column]
    return f"{flaws(score):>8} {score['crossings']:>5.0f}"


def sum_table(title: str, rows: Sequence[Scored]) -> str:
    """The sums of every measure over the graphs that have all columns but those of others."""
    whole = complete(rows)
    lines = [_line(f"{title}: {len(whole)} graphs", DRAWN_BY_US)]
    for name, words in MEASURES.items():
        lines.append(_line(words, [f"{sum(row.scores[column][name] for row in whole):,.0f}" for column in DRAWN_BY_US]))
    ratios = [crossings_ratio(whole, column) for column in DRAWN_BY_US]
    lines.append(_line("crossings / better plain", [f"{ratio:.2f}" for ratio in ratios]))
    lines.append(_line("graphs with more crossings", [f"{worse_than_plain(whole, column)}" for column in DRAWN_BY_US]))
    return "\n".join(lines)


def legible_table(rows: Sequence[Scored]) -> str:
    """The share of names that can be read where everything is shown, for graphs of about the same size."""
    return _legible_lines(complete(rows), DRAWN_BY_US)


def _legible_lines(rows: Sequence[Scored], columns: Sequence[str]) -> str:
    lines = [_line("names legible, nodes / groups, %", columns)]
    for size in SIZES:
        some = of_size(rows, size)
        for room in ROOMS if some else ():
            shares = [
                " / ".join(f"{100 * legible_share(some, column, room, kind):.0f}" for kind in ("nodes", "groups"))
                for column in columns
            ]
            lines.append(_line(f"{size[0]} to {size[1]} nodes, {room}: {len(some)} graphs", shares))
    return "\n".join(lines)


def author_table(rows: Sequence[Scored]) -> str:
    """The sums over the graphs that somebody has drawn by hand."""
    return _beside("drawn by somebody", ["author"], rows)


def d2_tables(rows: Sequence[Scored]) -> str:
    """The sums over the graphs that D2 has drawn, and which names can be read there."""
    columns = [column for column in LAYOUTS if any(column in row.scores for row in rows)]
    if not columns:
        return "D2 has drawn nothing."
    lines = [_beside("drawn by D2", columns, rows)]
    drawn = [row for row in complete(rows) if all(column in row.scores for column in columns)]
    return "\n".join([*lines, _legible_lines(drawn, [*DRAWN_BY_US, *columns])])


def _beside(title: str, others: Sequence[str], rows: Sequence[Scored]) -> str:
    """Flaws and crossings of the graphs that have these columns of others, too."""
    drawn = [row for row in complete(rows) if all(column in row.scores for column in others)]
    columns = [*DRAWN_BY_US, *others]
    wrong = [sum(flaws(row.scores[column]) for row in drawn) for column in columns]
    crossings = [sum(row.scores[column]["crossings"] for row in drawn) for column in columns]
    head = _line(f"{title}: {len(drawn)} graphs", columns)
    return "\n".join(
        [head, _line("flaws", [f"{one}" for one in wrong]), _line("crossings", [f"{one:.0f}" for one in crossings])]
    )


def time_table(rows: Sequence[Scored]) -> str:
    """Seconds of Tidy and of the plain runs, for graphs of about the same size."""
    lines = [f"{'nodes':<12} {'graphs':>6} {'Tidy s':>8} {'plain s':>8} {'ratio':>6}"]
    whole = complete(rows)
    for least, most in _TIMED:
        of_size = [row for row in whole if least <= row.nodes < most]
        if of_size:
            tidy = statistics.mean(row.seconds["tidy"] for row in of_size)
            plain = statistics.mean(row.seconds["right"] + row.seconds["down"] for row in of_size)
            ratio = statistics.median(time_ratios(of_size))
            lines.append(f"{f'{least} to {most - 1}':<12} {len(of_size):>6} {tidy:>8.2f} {plain:>8.2f} {ratio:>6.2f}")
    return "\n".join(lines)


def _line(title: str, cells: Sequence[str]) -> str:
    return f"{title:<42}" + "".join(f"{cell:>12}" for cell in cells)
