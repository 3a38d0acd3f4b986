"""The record of the soak: of each of its slices the seed, and the commit and the result of its last run.

`python -m tests.simulation.soak` writes `tests/soak.toml`, and whoever ran it commits it. Not here: what a slice runs.
"""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
FILE: Final = ROOT / "tests" / "soak.toml"
SLICES: Final = 10
MOST_COMMITS: Final = 150
"""After so many commits a slice has to be run again."""
_HEAD: Final = """\
# The soak is run in ten slices, each with a seed of its own. `make soak-slice` runs the one that was run longest ago
# and writes here on which commit that was and what came of it; whoever runs it commits that.
"""


@dataclass(frozen=True, slots=True)
class Slice:
    """A tenth of the soak.

    Attributes:
        number: from 1.
        seed: of everything that it draws.
        commit: what it was run on last; empty for never.
        result: what came of that.
    """

    number: int
    seed: int
    commit: str
    result: str


def read_slices(file: Path = FILE) -> Sequence[Slice]:
    """All slices, in the order of their numbers."""
    return [Slice(int(number), **table) for number, table in tomllib.loads(file.read_text("utf-8")).items()]


def write_slices(slices: Sequence[Slice], file: Path = FILE) -> None:
    """Write all of them anew."""
    # A string of JSON is one of TOML as well.
    tables = [
        f"\n[{one.number}]\nseed = {one.seed}\ncommit = {json.dumps(one.commit)}\nresult = {json.dumps(one.result)}\n"
        for one in slices
    ]
    file.write_text("".join([_HEAD, *tables]), "utf-8")


def oldest_slice(slices: Sequence[Slice], repository: Path = ROOT) -> Slice:
    """The one to run next: the first that was run on no commit of this history, else the one run longest ago."""
    ages = [_commits_since(one, repository) for one in slices]
    return slices[ages.index(None) if None in ages else ages.index(max(filter(None, ages), default=0))]


def overdue_slices(slices: Sequence[Slice], repository: Path = ROOT) -> Sequence[str]:
    """A sentence for each slice that has to be run again; none where no whole history is there to count in."""
    if git("rev-parse", "--is-shallow-repository", repository=repository) != "false":
        return []
    found = []
    for one in slices:
        age = _commits_since(one, repository)
        if age is None:
            found.append(f"slice {one.number} was run on no commit of this history")
        elif age > MOST_COMMITS:
            found.append(f"slice {one.number} was run {age} commits ago, and may be {MOST_COMMITS} old")
    return found


def git(*words: str, repository: Path = ROOT) -> str | None:
    """What git answers; None where it refuses."""
    run = subprocess.run(["git", *words], cwd=repository, capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else None


def _commits_since(one: Slice, repository: Path) -> int | None:
    counted = git("rev-list", "--count", f"{one.commit}..HEAD", repository=repository) if one.commit else None
    return None if counted is None else int(counted)
