"""How much of charts of Mermaid comes in, against what Mermaid's own database holds.

`python -m bench.drawings.mermaid_import FOLDER COUNTS` with `.mmd` files and what
`frontend/bench/mermaidCounts.mjs` counts in them; `FOLDER --cut SEED` reads each cut and changed in place of that.
Prints a table of kinds as Markdown, then every file that differs.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from draftsmith.model.readers.reading import SourceFile
from draftsmith.model.vocabulary import GROUP
from draftsmith.usecases.prepare.parsed_charts import MERMAID
from draftsmith.usecases.upkeep.files_import import ReadSet, read_sets
from tests.mermaid_charts import parse_charts

_BY_DESIGN = ("a node cannot be linked to itself", "the same link is there already")
_KINDS = {"flowchart-v2": "flowchart", "flowchart-elk": "flowchart", "classDiagram": "class", "stateDiagram": "state"}
_CUTS = 20


def main(folder: Path, counts: Path) -> None:
    expected = json.loads(counts.read_text("utf-8"))
    files = [SourceFile(path, (folder / path).read_bytes()) for path in sorted(expected)]
    begun = perf_counter()
    sets, _ = read_sets(asyncio.run(parse_charts(files)), MERMAID)
    took = perf_counter() - begun
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    differing: list[str] = []
    for one in sets:
        wanted = expected[one.path]
        kind = _KINDS.get(wanted.get("type", ""), wanted.get("type", "refused by Mermaid"))
        if "counts" not in wanted:
            sums[kind].update(files=1, none=one.problem is not None)
            continue
        found, left = _found(one)
        sums[kind].update(files=1)
        for name, want, got in zip(("nodes", "edges", "groups"), wanted["counts"], found, strict=True):
            sums[kind].update({f"{name} wanted": want, name: got})
        sums[kind]["by design"] += left
        whole = (found[0], found[1] + left, found[2])
        if list(whole) != wanted["counts"]:
            differing.append(f"{one.path}: {found} and {left} left by design, Mermaid {wanted['counts']}")
        else:
            sums[kind]["whole"] += 1
    print(f"{len(files)} files, {took:.1f} s")
    print("| Kind | Files | Whole | Vertices | Edges | Left by design | Groups |")
    print("|---|---|---|---|---|---|---|")
    for kind, row in sorted(sums.items()):
        pairs = [f"{row[name]:,} of {row[f'{name} wanted']:,}" for name in ("nodes", "edges", "groups")]
        print(
            f"| {kind} | {row['files']} | {row['whole']} | {pairs[0]} | {pairs[1]} | {row['by design']} | {pairs[2]} |"
        )
    for line in differing:
        print(f"- {line}")


def _found(one: ReadSet) -> tuple[tuple[int, int, int], int]:
    """Nodes, edges and groups that were read, and edges that are left out for what an edge is here."""
    nodes = [node for found in one.found for node in found.diagram["nodes"]]
    groups = sum(node["type"] == GROUP for node in nodes)
    edges = sum(len(found.diagram["edges"]) for found in one.found)
    left = sum(part.reason in _BY_DESIGN for found in one.found for part in found.unread)
    return (len(nodes) - groups, edges, groups), left


def cut(folder: Path, seed: int) -> None:
    """Read each file cut, with pieces taken out, and with signs changed."""
    draw = random.Random(seed)
    files: list[SourceFile] = []
    for path in sorted(folder.rglob("*.mmd")):
        text = path.read_text("utf-8")
        files += [SourceFile(f"{path.stem}-{n}.mmd", damage(text, draw).encode()) for n in range(_CUTS)]
    begun = perf_counter()
    outcomes = Counter(map(_outcome, _read(files)))
    print(f"{len(files)} files, seed {seed}, {perf_counter() - begun:.1f} s: {dict(outcomes)}")


def damage(text: str, draw: random.Random) -> str:
    """A text cut in half, or at random, without a piece of it, or with other signs in places."""
    at, to = sorted((draw.randrange(len(text) + 1), draw.randrange(len(text) + 1)))
    kind = draw.randrange(4)
    if kind == 0:
        return text[: len(text) // 2]
    if kind == 1:
        return text[:at]
    if kind == 2:
        return text[:at] + text[to:]
    signs = list(text)
    for _ in range(min(len(signs), 5)):
        signs[draw.randrange(len(signs))] = draw.choice('"[](){}<>-=.|@&;:%\n#`~')
    return "".join(signs)


def _read(files: Sequence[SourceFile]) -> Sequence[ReadSet]:
    return read_sets(asyncio.run(parse_charts(files)), MERMAID)[0]


def _outcome(one: ReadSet) -> str:
    return "read" if one.problem is None else "refused"


if __name__ == "__main__":
    if sys.argv[2] == "--cut":
        cut(Path(sys.argv[1]), int(sys.argv[3]))
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
