"""Run the noise suite by hand and print its table.

python -m tests.noise [--full] [--seed 1] [--count 1500] [--kind repeated] [--only 17,42] [--show 5] [--own]
                      [--apply module:function]
python -m tests.noise --as-read [--own] [--apply module:function]
"""

from __future__ import annotations

import argparse
import importlib
from collections import defaultdict

from tests.noise.judging import Outcome, outcome_in_words, outcome_table, outcomes
from tests.noise.repeating import as_read
from tests.noise.samples import OWN, Library, corpus_files, library

FULL = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.noise", description="Edits with imperfect quotes.")
    parser.add_argument("--full", action="store_true", help=f"{FULL} cases")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--kind", default="", help="only kinds that begin so")
    parser.add_argument("--as-read", action="store_true", help="one sentence more for each paragraph with links")
    parser.add_argument("--only", help="numbers of cases, with commas")
    parser.add_argument("--show", type=int, default=3, help="failures to show of each kind")
    parser.add_argument("--own", action="store_true", help="our own documents alone")
    parser.add_argument("--apply", default="draftsmith.document:apply_edits", help="what to measure")
    given = parser.parse_args()
    module, name = given.apply.split(":")
    apply = getattr(importlib.import_module(module), name)
    shelf = Library(OWN) if given.own else library()
    if given.as_read:
        print(as_read(apply, shelf))
        return
    numbers = [int(one) for one in given.only.split(",")] if given.only else range(FULL if given.full else given.count)
    found = list(outcomes(apply, shelf, given.seed, numbers, given.kind))
    failures: dict[str, list[Outcome]] = defaultdict(list)
    for one in found:
        expected = "right" if one.case.is_positive else "refused"
        if one.verdict != expected or one.code is False or one.hint is False or given.only:
            failures[one.case.kind].append(one)
    for some in sorted(failures.values(), key=len, reverse=True):
        print(f"-- {some[0].case.kind}: {len(some)}")
        for one in some[: given.show]:
            print(outcome_in_words(one))
    print(f"\n{len(corpus_files())} documents of the corpus, {len(OWN)} of our own; seed {given.seed}\n")
    print(outcome_table(found))


if __name__ == "__main__":
    main()
