"""Play the relay by hand and print its table.

python -m tests.simulation.relay [--edits 2000] [--seed 1] [--documents DIR] [--only 'docs/api.md'] [--show 5]
    [--details]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.simulation.relay.documents import Shelf, shelf
from tests.simulation.relay.doors import InProcess
from tests.simulation.relay.relay import PAIRS, Relay
from tests.simulation.relay.tally import Tally


async def play(documents: Sequence[tuple[str, str]], edits: int, seed: str) -> Tally:
    """Play over all documents in turn, with a seed of its own each time, until so many edits were made."""
    tally, number = Tally(), 0
    tally.counts["documents"] = len(documents)
    while tally.counts["edits"] < edits:
        name, text = documents[number % len(documents)]
        await play_one(name, text, f"{seed}.{number // len(documents)}", tally)
        number += 1
    return tally


async def play_one(name: str, text: str, seed: str, tally: Tally, pairs: int = PAIRS) -> None:
    """One relay in this process."""
    door = InProcess()
    try:
        await Relay(door, name, text, seed, tally, pairs).play()
    finally:
        await door.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation.relay", description="Edits and their reversal, in turn."
    )
    parser.add_argument("--edits", type=int, default=2000, help="how many, at least")
    parser.add_argument("--seed", default="1", help="as a finding shows it, together with --only, to repeat one relay")
    parser.add_argument("--documents", type=Path, help="a folder with more documents")
    parser.add_argument("--only", help="one document, one relay")
    parser.add_argument("--show", type=int, default=10, help="findings to show")
    parser.add_argument("--details", action="store_true", help="also tables by kind and by what was wrong with quotes")
    given = parser.parse_args(arguments)
    found = shelf(given.documents)
    start = time.monotonic()
    if given.only:
        tally = Tally()
        [(name, text)] = [one for one in found.all if one[0] == given.only]
        asyncio.run(play_one(name, text, given.seed, tally))
    else:
        tally = asyncio.run(play(found.all, given.edits, given.seed))
    print(_report(tally, found, given.show, details=given.details))
    counts = f"{tally.counts['edits']:,} edits, {len(tally.findings)} findings"
    print(f"{counts}, {time.monotonic() - start:.0f} s; seed {given.seed}")
    return 1 if tally.findings else 0


def _report(tally: Tally, found: Shelf, show: int, *, details: bool) -> str:
    lines = [str(one) for one in tally.findings[:show]]
    if len(tally.findings) > show:
        lines.append(f"… and {len(tally.findings) - show} more")
    ours = [*found.templates, *found.pages]
    counts = f"{len(ours)} documents of our own, {len(found.generated)} generated, {len(found.others)} others"
    lines += ["", counts, "", tally.table(), ""]
    lines += [f"guesses: {len(tally.guesses)}", *(str(one) for one in tally.guesses[:show])] if tally.guesses else []
    refusals = ", ".join(f"{code} {count}" for code, count in tally.refusals.most_common())
    lines.append(f"refused for good: {refusals or 'none'}")
    return "\n".join([*lines, "", tally.kind_table(), "", tally.noise_table()] if details else lines)


if __name__ == "__main__":
    sys.exit(main())
