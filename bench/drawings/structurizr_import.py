"""How much of real Structurizr workspaces comes in.

`python -m bench.drawings.structurizr_import FOLDER [COUNTS]`

Counts were made by eye by somebody who did not write the reader (`tests/fixtures/structurizr_counts.json`); without
counts for a file, what was read is printed alone. Prints a table of workspaces as Markdown, and what is not kept.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

from draftsmith.model.readers.reading import ReadWorkspace, SourceFile, UnreadableSource
from draftsmith.model.readers.structurizr.reader import read, sets_of

_KINDS = {"people": "person", "systems": "software system", "containers": "container", "components": "component"}


def main(folder: Path, counts: Path) -> None:
    by_eye = json.loads(counts.read_text("utf-8"))["samples"]
    files = [
        SourceFile(file.relative_to(folder).as_posix(), file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    ]
    listed: Counter[str] = Counter()
    print("| Workspace | Elements found | Groups | Relationships | Environments | Nodes of these | Refused | ms |")
    print("|---|---|---|---|---|---|---|---|")
    # What others are made of is read by itself, too.
    sets = [*sets_of(files), *(one for file in files for one in sets_of([file]) if file.path.endswith(".dsl"))]
    done: set[str] = set()
    for one in sets:
        if one.root.path in done:
            continue
        done.add(one.root.path)
        begun = perf_counter()
        try:
            found = read(one)
        except UnreadableSource as problem:
            print(f"| {one.root.path} | | | | | | {problem.reason} | |")
            continue
        took = (perf_counter() - begun) * 1_000
        row = _row(found, by_eye.get(one.root.path))
        print(f"| {one.root.path} | {' | '.join(row)} | | {took:.1f} |")
        for workspace in found:
            listed.update(f"{part.reason}: {part.text}" for part in workspace.unread)
    for reason, number in listed.most_common():
        print(f"- {number} × {reason}")


def _row(found: list[ReadWorkspace], by_eye: dict | None) -> list[str]:
    first, *environments = found
    kinds = Counter(node.get("properties", {}).get("c4", "group") for node in first.diagram["nodes"])
    labels = Counter((node.get("properties", {}).get("c4", "group"), node["label"]) for node in first.diagram["nodes"])
    elements = str(sum(number for kind, number in kinds.items() if kind != "group"))
    groups, edges = str(kinds["group"]), str(len(first.diagram["edges"]))
    nodes = [str(len(one.diagram["nodes"])) for one in environments]
    if by_eye is not None:
        wanted = Counter((kind, label) for key, kind in _KINDS.items() for label in by_eye[key])
        elements = f"{sum((labels & wanted).values())} of {wanted.total()}"
        groups = f"{groups} of {len(by_eye['groups'])}"
        edges = f"{edges} of {by_eye['relationships']}"
        expected = [
            sum(one[key] for key in ("nodes", "infrastructure", "container_instances", "system_instances"))
            for one in by_eye["environments"].values()
        ]
        nodes = [f"{one} of {other}" for one, other in zip(nodes, expected, strict=True)]
    return [elements, groups, edges, str(len(environments)), ", ".join(nodes)]


if __name__ == "__main__":
    default = Path(__file__).parents[2] / "tests" / "fixtures" / "structurizr_counts.json"
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else default)
