"""Change the product in small ways and look whether a test notices: `python -m tests.mutants [--seed 1] [--only undo]`.

The changes are drawn by a seed and made one at a time. Each is tried by the few tests of its area, and where those
notice nothing by more of them. What none notices is printed with its place: either a test is missing, or the change
makes no difference.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.areas import AREAS, Area
from tests.mutants.changes import Change, changes_of
from tests.mutants.checkout_copy import Copy
from tests.places import ROOT

OWN, WIDER, NOBODY = "its own tests", "wider tests", "nobody"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Changes that a test should notice.")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", choices=[area.name for area in AREAS], help="one area")
    parser.add_argument("--share", default="1/1", metavar="3/10", help="of ten shares the third")
    given = parser.parse_args(arguments)
    drawn = [(area, change) for area in AREAS if given.only in (None, area.name) for change in draw(area, given.seed)]
    number, shares = map(int, given.share.split("/"))
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        copy = Copy(Path(name))
        noticed = [(area, _noticed_by(copy, area, change)) for area, change in drawn[number - 1 :: shares]]
    print("\n| Part | Changes | Noticed by its own tests | Noticed at all |\n|---|---|---|---|")
    for area in AREAS:
        if found := [by for one, by in noticed if one is area]:
            print(_row(area.name, found))
    print(_row("all", [by for _, by in noticed]))
    count = sum(by != NOBODY for _, by in noticed)
    print(f"{count} of {len(noticed)} mutants noticed in {(time.monotonic() - begun) / 60:.0f} min")
    return 0


def draw(area: Area, seed: str) -> Sequence[Change]:
    """As many changes of an area as are tried."""
    changes = changes_of(area.files(ROOT), ROOT)
    return random.Random(f"{seed} {area.name}").sample(changes, area.count)


def _noticed_by(copy: Copy, area: Area, change: Change) -> str:
    """Try one change, and print what came of it."""
    by = NOBODY
    for name, tests in ((OWN, tuple(area.own)), (WIDER, tuple(area.wider))):
        most_seconds = 10 + 3 * copy.seconds(tests)
        with copy.changed(change):
            if not copy.passes(tests, most_seconds):
                by = name
                break
    print(f"{area.name}: noticed by {by}: {change.words_in((ROOT / change.file).read_bytes())}", flush=True)
    return by


def _row(name: str, noticed: Sequence[str]) -> str:
    at_all = sum(by != NOBODY for by in noticed)
    return f"| {name} | {len(noticed)} | {noticed.count(OWN)} | {at_all} ({at_all / len(noticed):.0%}) |"


if __name__ == "__main__":
    sys.exit(main())
