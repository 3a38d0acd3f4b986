"""The command line of a comparison: `python -m tests.replay compare`."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from draftsmith.adapters.embedded.server import EmbeddedServer
from draftsmith.adapters.process.logs import configure_logs
from draftsmith.errors import DraftsmithError
from tests.replay.cases import WORKFLOWS, Case, WrongRequests, cases
from tests.replay.comparing.comparison import Budget, compare, head_of
from tests.replay.comparing.journal import Journal, OtherComparison
from tests.replay.comparing.report import result_of, table
from tests.replay.comparing.sides import Side, WrongSide, read_side
from tests.standin import serve
from tests.standin.kinds import KINDS
from tests.standin.solving import solver

_TOKENS: Final = 5_000_000
_KEY: Final = "COMPARE_STANDIN_KEY"
_STANDINS: Final = {"A": ("anthropic", "anthropic:claude-sonnet-5-5"), "B": ("chat", "openai:gpt-6-sol")}


def main(arguments: Sequence[str]) -> int:
    """Compare two sides; 0 when all is answered, 1 when it stopped before, 2 where the command makes no sense."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        known = cases(given.requests)
    except WrongRequests as problem:
        parser.error(str(problem))
    if bool(given.a or given.b) == given.standins or bool(given.a) != bool(given.b):
        parser.error("name both sides, --a and --b, or --standins alone")
    chosen = _chosen(parser, given, known)
    configure_logs("error", "console")
    try:
        with (
            tempfile.TemporaryDirectory(prefix="ds-compare-") as folder,
            EmbeddedServer(Path(folder) / "store") as store,
        ):
            return asyncio.run(compare_and_report(given, chosen, store.url, Path(folder)))
    except KeyboardInterrupt:
        print("Stopped. The same command goes on from here; the request that was going on is asked again.")
        return 130
    except (WrongSide, OtherComparison, DraftsmithError) as problem:
        parser.error(str(getattr(problem, "detail", problem)))


async def compare_and_report(given: argparse.Namespace, chosen: Sequence[Case], store_url: str, folder: Path) -> int:
    """Compare on a store, print the figures and write them down.

    Args:
        given: the options of the command.
        chosen: the requests.
        store_url: of a store that may be filled.
        folder: for what the sides would keep.

    Raises:
        WrongSide: a side cannot be read or asked, or has no price for a budget.
        OtherComparison: the folder of `--out` holds another one.
    """
    async with AsyncExitStack() as stack:
        environment = dict(os.environ)
        words = {"A": given.a, "B": given.b}
        if given.standins:
            words = await _standins(stack, environment)
        sides = [read_side(letter, words[letter], environment, folder / letter) for letter in "AB"]
        budget = _budget(given, sides)
        head = head_of(sides, chosen, standins=given.standins)
        journal = Journal(given.out, head, [side.key for side in sides])
        stopped = await compare(sides, chosen, journal, budget, store_url, lambda line: print(line, flush=True))
    result = result_of(head, journal.judged(), journal.rows, stopped)
    (given.out / "result.json").write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(journal.hidden(table(result, sides[0].settings.assistant_price_currency)))
    print(f"\nFigures: {given.out / 'result.json'}; every answer: {given.out / 'answers.jsonl'}")
    return 1 if stopped else 0


def _budget(given: argparse.Namespace, sides: Sequence[Side]) -> Budget:
    if given.budget:
        for side in sides:
            if side.cost is None:
                raise WrongSide(
                    f"{side.letter}: a budget in money needs a price: add price=input/output for a million tokens, "
                    "set ASSISTANT_PRICES, or use --budget-tokens."
                )
    return Budget(given.budget, given.budget_tokens)


async def _standins(stack: AsyncExitStack, environment: dict[str, str]) -> dict[str, str]:
    """Two stand-ins: A does everything right, B errs and declines now and then."""
    words = {}
    for letter, (kind, side) in _STANDINS.items():
        standin = KINDS[kind].standin(solver("right" if letter == "A" else "uneven"))
        url = await stack.enter_async_context(serve(standin)) + KINDS[kind].path
        environment[_KEY] = standin.key
        words[letter] = f"{side},base_url={url},key_from={_KEY},price=2/10/0.2"
    return words


def _chosen(parser: argparse.ArgumentParser, given: argparse.Namespace, known: Sequence[Case]) -> list[Case]:
    only = set(given.only.split(",")) if given.only else None
    chosen = [one for one in known if (only is None or one.id in only) and given.workflow in (None, one.workflow)]
    missing = (only or set()) - {one.id for one in chosen}
    if missing or not chosen:
        parser.error(f"no such request: {', '.join(sorted(missing)) or 'none is left'}")
    return chosen


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.replay compare",
        description="Ask two sides the same requests, judge what comes of them, and say whether they differ. "
        "A side is provider[:model][,name=value…]: edit_mode, prompts (a folder), effort, max_tokens, turns, "
        "ask_model, base_url, key_from (a variable), price (input/output[/cached], of a million tokens) and the "
        "provider's own settings. Keys come from the environment alone.",
    )
    parser.add_argument("--a", help="one side, such as anthropic:claude-sonnet-5-5")
    parser.add_argument("--b", help="the other, such as openai:gpt-6-sol,edit_mode=regenerate,prompts=my-prompts")
    parser.add_argument("--standins", action="store_true", help="two stand-ins in place of models, to see how it works")
    parser.add_argument("--requests", type=Path, help="a file of requests; default: the sixty of the replay set")
    parser.add_argument("--only", help="ids of requests, with commas")
    parser.add_argument("--workflow", choices=WORKFLOWS)
    parser.add_argument(
        "--budget", type=float, default=0.0, help="what all of it may cost, in the currency of the prices"
    )
    parser.add_argument("--budget-tokens", type=int, default=_TOKENS, help=f"default {_TOKENS:,}; 0 for no limit")
    parser.add_argument(
        "--out", type=Path, default=Path("build/compare"), help="folder; a comparison in it is continued"
    )
    return parser
