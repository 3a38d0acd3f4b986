"""The figures of a comparison: over the requests that both sides were judged in, as JSON and as a table with words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, Final

from tests.replay.comparing.journal import Row
from tests.replay.comparing.pairs import SignTest, less_of, right_of

_TOKENS: Final = ("input", "cache_read", "cache_write", "output")
_VERDICTS: Final = ("right", "wrong", "refused")
_PARTS: Final = ("edit", "decline", "ask", "generate", "investigate", "recommend")

Pair = tuple[Row, Row]


def result_of(
    head: Mapping[str, Any], judged: Mapping[tuple[str, str], Row], rows: Sequence[Row], stopped: str
) -> dict[str, Any]:
    """All figures.

    Args:
        head: what is compared.
        judged: answers by request and side.
        rows: all that was asked, errors included.
        stopped: why it stopped before the end; empty if it did not.
    """
    names = [case for case, side in judged if side == "A" and (case, "B") in judged]
    pairs = [(judged[name, "A"], judged[name, "B"]) for name in names]
    tests = _tests(pairs)
    return {
        **head,
        "stopped": stopped,
        "pairs": len(pairs),
        "errors": {side: sum(row["side"] == side and row["verdict"] == "error" for row in rows) for side in "AB"},
        "figures": {side: _figures([pair[place] for pair in pairs]) for place, side in enumerate("AB")},
        "parts": {
            part: {side: _counts([pair[place] for pair in some]) for place, side in enumerate("AB")}
            for part in _PARTS
            if (some := [pair for pair in pairs if pair[0]["part"] == part])
        },
        "tests": {name: {"a": test.a, "b": test.b, "p": test.p, "is_difference": test.is_difference}
                  for name, (test, _) in tests.items()},
        "words": {name: test.words(what) for name, (test, what) in tests.items()},
    }  # fmt: skip


def _tests(pairs: Sequence[Pair]) -> dict[str, tuple[SignTest, str]]:
    """Right or not over all pairs; cost and time over those that both did right, or refusing would be the cheapest."""
    right = right_of((a["verdict"] == "right", b["verdict"] == "right") for a, b in pairs)
    both = [(a, b) for a, b in pairs if a["verdict"] == b["verdict"] == "right"]
    tests = {"right": (right, "Right where the other was not")}
    if all(row["cost"] is not None for pair in both for row in pair):
        tests["cost"] = (less_of((a["cost"], b["cost"]) for a, b in both), "Less cost where both were right")
    else:
        tests["tokens"] = (less_of((_sum(a), _sum(b)) for a, b in both), "Fewer tokens where both were right")
    tests["seconds"] = (less_of((a["seconds"], b["seconds"]) for a, b in both), "Faster where both were right")
    return tests


def _sum(row: Row) -> int:
    return int(row["tokens"]["input"]) + int(row["tokens"]["output"])


def _counts(rows: Sequence[Row]) -> dict[str, int]:
    return {"of": len(rows), **{verdict: sum(row["verdict"] == verdict for row in rows) for verdict in _VERDICTS}}


def _figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Sums over rows; a cost is unknown where any of it is, and per accepted change where there is none."""
    costs = [row["cost"] for row in rows]
    cost = None if None in costs or not costs else sum(costs)
    changes = [row for row in rows if row["part"] in ("edit", "generate")]
    accepted = sum(bool(row["accepted"]) for row in changes)
    of_changes = None if cost is None or not accepted else sum(row["cost"] for row in changes) / accepted
    return {
        **_counts(rows),
        "proposed": sum(bool(row["proposed"]) for row in rows),
        "accepted": accepted,
        "calls": sum(row["calls"] for row in rows),
        **{name: sum(row["tokens"][name] for row in rows) for name in _TOKENS},
        "seconds_median": median([row["seconds"] for row in rows]) if rows else None,
        "cost": cost,
        "cost_per_accepted_change": of_changes,
        "tokens_per_accepted_change": sum(map(_sum, changes)) // accepted if accepted else None,
    }


def table(result: Mapping[str, Any], currency: str) -> str:
    """The result for people, as Markdown."""
    a, b = (result["figures"][side] for side in "AB")
    lines = [
        "",
        *(["**Stand-ins answered, no model: these figures say nothing about any.**", ""] if result["standins"] else []),
    ]
    lines += [f"{side}: {_name(result['sides'][side])}" + ("  " if side == "A" else "") for side in "AB"]
    lines += ["", f"| Of {result['pairs']} requests | A | B |", "|---|---|---|"]
    rows: list[tuple[str, str, str]] = [(name, _shown(a, name), _shown(b, name)) for name in (*_VERDICTS, "proposed")]
    rows += [("errors, not counted", *(str(result["errors"][side]) for side in "AB"))]
    rows += [(f"right: {part}", *(f"{some[side]['right']} of {some[side]['of']}" for side in "AB"))
             for part, some in result["parts"].items()]  # fmt: skip
    rows += [(words, f"{a[name]:,}", f"{b[name]:,}") for name, words in _AMOUNTS.items()]
    rows += [("seconds, median", *(_number(one["seconds_median"], 1) for one in (a, b)))]
    rows += [("tokens per accepted change", *(_whole(one["tokens_per_accepted_change"]) for one in (a, b)))]
    rows += [(f"{words}, {currency}", *(_number(one[name], 4) for one in (a, b))) for name, words in _COSTS.items()]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    lines += ["", *(f"* {words}" for words in result["words"].values())]
    if result["stopped"]:
        lines += ["", result["stopped"], "The same command goes on from here."]
    return "\n".join(lines)


_AMOUNTS: Final = {
    "calls": "model calls",
    "input": "tokens in",
    "cache_read": "of them read from the cache",
    "output": "tokens out",
}
_COSTS: Final = {"cost": "cost", "cost_per_accepted_change": "cost per accepted change"}


def _name(side: Mapping[str, Any]) -> str:
    models = side["model"] if side["model"] == side["ask_model"] else f"{side['model']} and {side['ask_model']}"
    prompts = hashlib.sha256("".join(side["prompts"].values()).encode()).hexdigest()[:8]
    return f"{side['provider']} {models}, edit mode {side['edit_mode']}, effort {side['effort']}, prompts {prompts}"


def _shown(figures: Mapping[str, Any], name: str) -> str:
    share = f" ({100 * figures[name] / figures['of']:.0f} %)" if name == "right" and figures["of"] else ""
    return f"{figures[name]}{share}"


def _number(value: float | None, digits: int) -> str:
    return "unknown" if value is None else f"{value:,.{digits}f}"


def _whole(value: int | None) -> str:
    return "none" if value is None else f"{value:,}"
