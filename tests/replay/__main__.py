"""Replay sixty natural requests against a running server that has a model, and say how many were done right.

python -m tests.replay [--base-url http://127.0.0.1:8000] [--only cache-between,rename] [--workflow edit]
python -m tests.replay --edit-mode both
python -m tests.replay --relay [--count 5] [--pairs 10] [--seed 1]
python -m tests.replay --habits [--only tools-and-doc-edits]
python -m tests.replay compare --a anthropic:claude-sonnet-5-5 --b openai:gpt-6-sol

With `--edit-mode`, requests that edit are made in that mode, or in both, and the two are compared. With `--relay`,
edits and their reversal in turn over some documents, while two people edit beside them (`relay`).
With `--habits`, what models are known to write, played by a script on a store of its own (`habits`): no server, no key.
With `compare`, two providers, models, edit modes or sets of prompts, without a server (`comparing`).
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
from tests.replay.cases import WORKFLOWS, Case, cases
from tests.replay.comparing import command
from tests.replay.running import Replayed, run_one

KEY = "ANTHROPIC_API_KEY"


def main(arguments: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] == ["compare"]:
        return command.main(words[1:])
    parser = argparse.ArgumentParser(prog="python -m tests.replay", description="Natural requests, replayed.")
    parser.add_argument("--base-url", default="http://127.0.0.1:8000", help="of a running server with a model")
    parser.add_argument("--only", help="ids of requests, with commas")
    parser.add_argument("--workflow", choices=WORKFLOWS)
    parser.add_argument("--edit-mode", choices=["tools", "regenerate", "both"], help="default: as the server is set")
    parser.add_argument("--relay", action="store_true", help="edits and their reversal in place of the requests")
    parser.add_argument("--count", type=int, default=5, help="documents of the relay")
    parser.add_argument("--pairs", type=int, default=10, help="edits with their reversal for each document")
    parser.add_argument("--seed", default="1", help="of the relay")
    parser.add_argument("--habits", action="store_true", help="scripted habits of models in place of a model")
    given = parser.parse_args(words)
    only = set(given.only.split(",")) if given.only else None
    if given.habits:
        return habits.play_and_report(only)
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
            return relay.relay_and_report(given.base_url, given.count, given.pairs, given.seed)
        done = []
        for case in chosen:
            for mode in _modes(case, given.edit_mode):
                done.append(run_one(client, case, mode))
                print(_line_of_case(done[-1]), flush=True)
    print(summary(done))
    return 0 if all(one.is_right for one in done) else 1


def _modes(case: Case, asked: str | None) -> Sequence[str | None]:
    """The edit modes that a request is made in; None: as the server is set. Only requests that edit have any."""
    if case.workflow != "edit" or asked is None:
        return [None]
    return ["tools", "regenerate"] if asked == "both" else [asked]


def _line_of_case(one: Replayed) -> str:
    tokens = f"{one.tokens('input_tokens'):>7} in {one.tokens('output_tokens'):>5} out"
    failed = f"  does not hold: {one.failed}" if one.failed else ""
    mark = "right" if one.is_right else "WRONG"
    name = f"{one.case.id:<20} {one.edit_mode if one.case.workflow == 'edit' else '':<10}"
    return f"{mark}  {name} {one.status:<10} {tokens} {one.seconds:6.1f} s  {one.provider}{failed}"


def summary(done: Sequence[Replayed]) -> str:
    """A line for each workflow and edit mode: how many were right, and what they took on average."""
    lines = []
    for workflow, mode in sorted({(one.case.workflow, one.edit_mode) for one in done}):
        some = [one for one in done if (one.case.workflow, one.edit_mode) == (workflow, mode)]
        right = sum(one.is_right for one in some)
        sent, came = (sum(one.tokens(kind) for one in some) / len(some) for kind in ("input_tokens", "output_tokens"))
        seconds = sum(one.seconds for one in some) / len(some)
        refused = sum(one.refused for one in some)
        name = f"{workflow} ({mode})" if workflow == "edit" else workflow
        lines.append(
            f"{name}: {right} of {len(some)} right ({100 * right / len(some):.0f} %), "
            f"each {sent:.0f} tokens in, {came:.0f} out, {seconds:.1f} s; {refused} batches refused"
        )
    return "\n".join(["", *lines])


if __name__ == "__main__":
    sys.exit(main())
