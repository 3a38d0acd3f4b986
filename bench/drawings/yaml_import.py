"""How much of compose files and Kubernetes manifests comes in: `python -m bench.drawings.yaml_import FOLDER`.

Prints a table of files, each read by itself, and one of folders, whose files are read together. What stands in compose
files is compared with counts that somebody made by eye who did not write it (`tests/fixtures`), and what runs in
manifests with the objects that a plain YAML parser finds. `--damage N` damages each file N times, with a seed, and says
how that ended.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from draftsmith.model.readers.compose import reader as compose
from draftsmith.model.readers.kubernetes import reader as kubernetes
from draftsmith.model.readers.reading import Reader, ReadWorkspace, SourceFile, UnreadableSource
from tests.kit.readers import check_valid, damaged

_COUNTS = Path(__file__).parents[2] / "tests" / "fixtures" / "compose_counts.json"
_RUNS = {"Deployment", "StatefulSet", "DaemonSet", "ReplicationController", "ReplicaSet", "Job", "CronJob", "Pod"}
_ROW = "| {} | {} | {} | {} | {} | {} |"


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--damage", type=int, default=0)
    given = arguments.parse_args()
    files = [one for one in sorted(given.folder.rglob("*")) if one.suffix in (".yaml", ".yml", ".json")]
    print(_ROW.format("File", "Read as", "Nodes", "Edges", "Unread", "Refused"))
    print("|---|---|---|---|---|---|")
    for file in files:
        print_row(given.folder, file)
    print()
    print(_ROW.format("Folder, read together", "Read as", "Nodes", "Edges", "Unread", "Refused"))
    print("|---|---|---|---|---|---|")
    for folder in sorted({file.parent for file in files}):
        together = [
            SourceFile(str(one.relative_to(given.folder)), one.read_bytes()) for one in files if one.parent == folder
        ]
        print_sets(str(folder.relative_to(given.folder)), together)
    compare_compose(given.folder)
    compare_kubernetes(given.folder, files)
    if given.damage:
        print_damage(files, given.damage)


def reader_of(file: SourceFile) -> tuple[str, Reader] | None:
    """The name of the reader that takes a file, and the reader."""
    for name, one in (("compose", compose), ("kubernetes", kubernetes)):
        if one.recognizes(file):
            return name, one
    return None


def print_row(root: Path, file: Path) -> None:
    source = SourceFile(str(file.relative_to(root)), file.read_bytes())
    if reader_of(source) is None:
        print(_ROW.format(source.path, "not recognized", "", "", "", ""))
    else:
        print_sets(source.path, [source])


def print_sets(title: str, files: Sequence[SourceFile]) -> None:
    found = next(filter(None, map(reader_of, files)), None)
    for sources in found[1].sets_of(files) if found else ():
        assert found is not None
        try:
            for one in found[1].read(sources):
                check_valid(one)
                diagram = one.diagram
                print(_ROW.format(title, found[0], len(diagram["nodes"]), len(diagram["edges"]), len(one.unread), ""))
        except UnreadableSource as refusal:
            print(_ROW.format(title, found[0], "", "", "", f"line {refusal.line}: {refusal.reason}"))


def compare_compose(root: Path) -> None:
    """Compare with the counts that were made by eye."""
    if not _COUNTS.exists():
        return
    totals: Counter[str] = Counter()
    for counted in json.loads(_COUNTS.read_text("utf-8"))["files"]:
        path = next((one for one in (root / counted["file"], root / "compose" / counted["file"]) if one.exists()), None)
        if path is None:
            continue
        source = SourceFile(counted["file"], path.read_bytes())
        (sources,) = compose.sets_of([source])
        (read,) = compose.read(sources)
        for key, found in _facts(read).items():
            wanted = {tuple(one) if isinstance(one, list) else one for one in counted[key]}
            totals[f"{key}, counted"] += len(wanted)
            totals[f"{key}, found"] += len(wanted & found)
            if wanted != found:
                print(f"- {counted['file']}: {key}: missing {sorted(wanted - found)}, more {sorted(found - wanted)}")
    print(f"\nCompose, counted by eye: {dict(totals)}")


def _facts(read: ReadWorkspace) -> dict[str, set[Any]]:
    sources: Mapping[str, str] = read.sources
    names = {one: source.rpartition("/")[2].partition(".")[2] for one, source in sources.items()}
    kinds = {one: source.rpartition("/")[2].partition(".")[0] for one, source in sources.items()}
    edges = [(one, names[one["source"]], names[one["target"]]) for one in read.diagram["edges"]]
    joined = {
        (names[node["id"]], network)
        for node in read.diagram["nodes"]
        for network in node.get("properties", {}).get("networks", "").split(", ")
        if network
    }
    joined |= {
        (names[node["id"]], names[node["parent"]])
        for node in read.diagram["nodes"]
        if "parent" in node and kinds[node["id"]] == "services"
    }
    return {
        "services": {name for one, name in names.items() if kinds[one] == "services"},
        "volumes": {name for one, name in names.items() if kinds[one] == "volumes"},
        "networks": {network for _, network in joined},
        "depends_on": {
            (source, target)
            for one, source, target in edges
            if "depends_on" in one.get("properties", {}).get("evidence", "")
        },
        "mounts": {(source, target) for one, source, target in edges if kinds[one["target"]] == "volumes"},
        "joins": joined,
    }


def compare_kubernetes(root: Path, files: Sequence[Path]) -> None:
    """Look for every object that runs, as a plain parser finds it, among the nodes."""
    wanted, found, missing = 0, 0, []
    for file in files:
        source = SourceFile(str(file.relative_to(root)), file.read_bytes())
        if not kubernetes.recognizes(source):
            continue
        try:
            documents = [one for one in yaml.safe_load_all(source.content) if isinstance(one, dict)]
            (sources,) = kubernetes.sets_of([source])
            (read,) = kubernetes.read(sources)
        except (yaml.YAMLError, UnreadableSource):
            continue
        flat = [inner for one in documents for inner in (one.get("items") or [one])]
        for one in flat:
            if one.get("kind") in _RUNS:
                named = one["metadata"]
                title = "/".join((one["kind"], named.get("namespace") or "default", named["name"]))
                wanted += 1
                found += title in read.sources.values()
                missing += [] if title in read.sources.values() else [f"{source.path}: {title}"]
    print(f"\nKubernetes, what runs: {found} of {wanted} {missing}")


def print_damage(files: Sequence[Path], times: int) -> None:
    ended: Counter[str] = Counter()
    longest = 0.0
    for file in files:
        content = file.read_bytes()
        for seed in range(times):
            halved = content[: len(content) // 2] if seed == 0 else damaged(content, random.Random(seed))
            source = SourceFile(file.name, halved)
            began = time.perf_counter()
            found = reader_of(source)
            try:
                for sources in found[1].sets_of([source]) if found else ():
                    assert found is not None
                    for one in found[1].read(sources):
                        check_valid(one)
                ended["read" if found else "not recognized"] += 1
            except UnreadableSource:
                ended["refused"] += 1
            longest = max(longest, time.perf_counter() - began)
    print(f"\nDamaged: {dict(ended)}, longest {longest:.2f} s")


if __name__ == "__main__":
    main()
