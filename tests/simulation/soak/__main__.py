"""Run one slice of the soak and write down what came of it: `python -m tests.simulation.soak [--slice 3] [--check]`.

A slice is a tenth of everything, with a seed of its own: every tenth law, contract, relay, fault and route with all its
examples, 20,000 requests of the naive model, three rounds of the live fuzz, 2,000 edits of the relay, and six mutants.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.seeds import VARIABLE as SEED
from tests.simulation.soak.record import (
    ROOT,
    SLICES,
    Slice,
    git,
    oldest_slice,
    overdue_slices,
    read_slices,
    write_slices,
)
from tests.simulation.soak.share import VARIABLE as NUMBER

_TESTS = (
    "tests/laws", "tests/noise", "tests/simulation", "tests/contracts", "tests/faults",
    "tests/integration/test_contract.py", "tests/integration/test_naive_model.py",
    "tests/integration/test_typing_day.py",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """One command of a slice, and what it adds to the environment."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)


def parts_of(one: Slice) -> Sequence[Part]:
    """What a slice runs, in this order."""
    python = (sys.executable, "-m")
    tests = (*python, "pytest", "-q", "-n", "auto", "--dist", "worksteal", "-p", "tests.simulation.soak.share", *_TESTS)
    environment = {
        SEED: str(one.seed),
        NUMBER: str(one.number),
        "NAIVE_CALLS": str(200_000 // SLICES),
        "CONTRACT_EXAMPLES": "30",
        "LIVE_SEEDS": ",".join(f"{one.seed}-{game}" for game in range(30 // SLICES)),
    }
    return (
        Part("tests", tests, environment),
        Part("relay", (*python, "tests.simulation.relay", "--edits", str(20_000 // SLICES), "--seed", str(one.seed))),
        Part("mutants", (*python, "tests.mutants", "--seed", str(one.seed), "--share", f"{one.number}/{SLICES}")),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.soak", description="Run a tenth of the soak.")
    parser.add_argument("--slice", type=int, choices=range(1, SLICES + 1), help="else the one that was run longest ago")
    parser.add_argument("--check", action="store_true", help="only say which slices have to be run again")
    given = parser.parse_args(arguments)
    slices = read_slices()
    if given.check:
        return _check(slices)
    if git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!tests/soak.toml") != "":
        print("Commit first: a slice is run on a commit, which its line names.")
        return 2
    one = oldest_slice(slices) if given.slice is None else slices[given.slice - 1]
    ran = replace(one, commit=git("rev-parse", "--short=12", "HEAD") or "", result=_play(one))
    write_slices([ran if each.number == one.number else each for each in slices])
    print(f"Slice {ran.number}, seed {ran.seed}: {ran.result}\nCommit tests/soak.toml.")
    return 0 if ran.result.startswith("passed") else 1


def _check(slices: Sequence[Slice]) -> int:
    """Name what is overdue; it is a failure once every slice was run."""
    found = overdue_slices(slices)
    for sentence in found:
        print(f"tests/soak.toml: {sentence}; `make soak-slice` runs one")
    return 1 if found and all(one.commit for one in slices) else 0


def _play(one: Slice) -> str:
    """Run all parts of a slice; what came of them, in a sentence."""
    print(f"Slice {one.number} of {SLICES}, seed {one.seed}", flush=True)
    begun = time.monotonic()
    came = [_run(part) for part in parts_of(one)]
    word = "passed" if all(passed for passed, _ in came) else "failed"
    minutes = (time.monotonic() - begun) / 60
    return f"{word} in {minutes:.0f} min: " + "; ".join(words for _, words in came)


def _run(part: Part) -> tuple[bool, str]:
    """Whether a part passed, and the last line that it prints, after the names of the tests that failed."""
    environment = {**os.environ, **part.environment}
    failed, last = [], ""
    with subprocess.Popen(part.command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            last = line.strip() or last
            if line.startswith(("FAILED ", "ERROR ")):
                failed.append(line.split(" - ")[0].split(maxsplit=1)[1].strip())
    return process.returncode == 0, ", ".join([*failed, last])


if __name__ == "__main__":
    sys.exit(main())
