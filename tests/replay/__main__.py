"""Replay forty natural requests against a running server that has a model, and say how many were done right.

python -m tests.replay [--base-url http://127.0.0.1:8000] [--only cache-between,rename] [--workflow edit]
python -m tests.replay --relay [--count 5] [--pairs 10] [--seed 1]
python -m tests.replay --habits [--only tools-and-doc-edits]

With `--relay`, edits and their reversal in turn over some documents, while two people edit beside them (`relay`).
With `--habits`, what models are known to write, played by a script on a store of its own (`habits`): no server, no key.
Everything else asks a model; without ANTHROPIC_API_KEY it says so and ends: a figure about a model comes from a model
or not at all.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import httpx

from tests.replay import habits, relay
from tests.replay.cases import cases
from tests.replay.running import Replayed, run_one

KEY = "ANTHROPIC_API_KEY"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.replay", description="Natural requests, replayed.")
    parser.add_argument("--base-url", default="http://127.0.0.1:8000", help="of a running server with a model")
    parser.add_argument("--only", help="ids of requests, with commas")
    parser.add_argument("--workflow", choices=["edit", "ask", "generate"])
    parser.add_argument("--relay", action="store_true", help="edits and their reversal in place of the requests")
    parser.add_argument("--count", type=int, default=5, help="documents of the relay")
    parser.add_argument("--pairs", type=int, default=10, help="edits with their reversal for each document")
    parser.add_argument("--seed", default="1", help="of the relay")
    parser.add_argument("--habits", action="store_true", help="scripted habits of models in place of a model")
    given = parser.parse_args(arguments)
    only = set(given.only.split(",")) if given.only else None
    if given.habits:
        return habits.run(only)
    if not os.environ.get(KEY):
        print(f"Not measured: {KEY} is not set, so there is no model to ask. Nothing was run.")
        return 0
    chosen = [case for case in cases() if (only is None or case.id in only) and given.workflow in (None, case.workflow)]
    with httpx.Client(base_url=given.base_url, timeout=60.0) as client:
        provider = client.get("/api/v1/assistant").raise_for_status().json()["provider"]
        if provider == "builtin":
            print(
                f"Not measured: {given.base_url} answers with the built-in commands, which are no model. Give it a key."
            )
            return 1
        if given.relay:
            return relay.run(given.base_url, given.count, given.pairs, given.seed)
        done = []
        for case in chosen:
            done.append(run_one(client, case))
            print(_line(done[-1]), flush=True)
    print(_summary(done))
    return 0 if all(one.is_right for one in done) else 1


def _line(one: Replayed) -> str:
    tokens = f"{one.tokens('input_tokens'):>7} in {one.tokens('output_tokens'):>5} out"
    failed = f"  does not hold: {one.failed}" if one.failed else ""
    mark = "right" if one.is_right else "WRONG"
    return f"{mark}  {one.case.id:<20} {one.status:<10} {tokens} {one.seconds:6.1f} s  {one.provider}{failed}"


def _summary(done: Sequence[Replayed]) -> str:
    lines = []
    for workflow in sorted({one.case.workflow for one in done}):
        some = [one for one in done if one.case.workflow == workflow]
        right = sum(one.is_right for one in some)
        output = sum(one.tokens("output_tokens") for one in some) / len(some)
        lines.append(
            f"{workflow}: {right} of {len(some)} right ({100 * right / len(some):.0f} %), {output:.0f} tokens out each"
        )
    return "\n".join(["", *lines])


if __name__ == "__main__":
    sys.exit(main())
