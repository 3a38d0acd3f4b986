"""The requests in their order, each of both sides, until all are answered or the budget is used up."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from typing import Any, Final

from tests.replay.cases import Case
from tests.replay.comparing.asking import asking
from tests.replay.comparing.journal import Journal, Row
from tests.replay.comparing.sides import Side
from tests.replay.comparing.verdicts import STOPPING

_ERRORS_IN_A_ROW: Final = 3


@dataclass(frozen=True)
class Budget:
    """What a comparison may use, all that its journal holds included; 0 for no limit.

    Attributes:
        money: in the currency of the prices.
        tokens: sent and received.
    """

    money: float = 0.0
    tokens: int = 0

    def refusal_or_none(self, rows: Sequence[Row], side: str) -> str | None:
        """Why the side is not asked once more: what is left is less than its costliest request so far.

        One request may still use more than any before; it is bounded by ASSISTANT_RUN_TOKENS.
        """
        for name, limit, amounts in (
            ("--budget", self.money, _spent(rows, _money)),
            ("--budget-tokens", self.tokens, _spent(rows, _tokens)),
        ):
            largest = max(amounts.get(side, ()), default=0)
            used = sum(map(sum, amounts.values()))
            if limit and (used >= limit or used + largest > limit):
                return (
                    f"Stopped by {name} {limit:g}: {used:,.6g} are used, and the next request may take {largest:,.6g}."
                )
        return None


def _spent(rows: Iterable[Row], amount: Callable[[Row], float]) -> dict[str, list[float]]:
    spent: dict[str, list[float]] = {}
    for row in rows:
        spent.setdefault(row["side"], []).append(amount(row))
    return spent


def _money(row: Row) -> float:
    return float(row["cost"] or 0)


def _tokens(row: Row) -> float:
    return int(row["tokens"]["input"]) + int(row["tokens"]["output"])


def head_of(sides: Sequence[Side], cases: Sequence[Case], *, standins: bool) -> dict[str, Any]:
    """What a comparison is of: it goes on only where all of this is the same."""
    words = json.dumps([asdict(case) for case in cases], sort_keys=True)
    return {
        "sides": {side.letter: side.to_json() for side in sides},
        "requests": {"count": len(cases), "hash": hashlib.sha256(words.encode()).hexdigest()[:12]},
        "standins": standins,
    }


async def compare(
    sides: Sequence[Side],
    cases: Sequence[Case],
    journal: Journal,
    budget: Budget,
    store_url: str,
    say: Callable[[str], None],
) -> str:
    """Ask what is not answered yet; why it stopped before the end, or an empty text.

    Sides take turns in being asked first, so that a provider that grows slower meanwhile does so for both.
    """
    done, in_a_row = journal.judged(), 0
    async with AsyncExitStack() as stack:
        askings = {side.letter: await stack.enter_async_context(asking(side, store_url)) for side in sides}
        for number, case in enumerate(cases):
            order = sides if number % 2 == 0 else list(reversed(sides))
            for side in order:
                if (case.id, side.letter) in done:
                    continue
                refusal = budget.refusal_or_none(journal.rows, side.letter)
                if refusal is not None:
                    return refusal
                row = journal.add(await askings[side.letter].ask(case))
                task = asyncio.current_task()
                if task is not None and task.cancelling():  # by Ctrl-C; `wait_for` of Python 3.11 may lose it
                    raise asyncio.CancelledError
                say(_line_of_row(row, number + 1, len(cases), journal.rows))
                in_a_row = in_a_row + 1 if row["verdict"] == "error" else 0
                if row["code"] in STOPPING or in_a_row >= _ERRORS_IN_A_ROW:
                    return f"Stopped: {side.letter} cannot be asked ({row['code']}): {row['said']}"
    return ""


def _line_of_row(row: Row, number: int, of: int, rows: Sequence[Row]) -> str:
    tokens: Mapping[str, int] = row["tokens"]
    counted = f"{tokens['input']:>7,} in ({tokens['cache_read']:,} cached) {tokens['output']:>6,} out"
    known = [_money(one) for one in rows if one["cost"] is not None]
    so_far = f"{sum(map(_tokens, rows)):,.0f} tokens" + (f", {sum(known):.4f}" if known else "")
    why = f"  {row['code']}" if row["code"] else ""
    name = f"{row['case']:<20} {row['verdict']:<7}"
    return f"{number:>3}/{of} {row['side']}  {name} {counted} {row['seconds']:6.1f} s  so far {so_far}{why}"
