"""What one hostile request costs another client, and how much memory: a table of its own.

Alone on two cores another client waits 100 ms at most, and the processes of the server hold 300 MB more than when they
are idle. `HOSTILE_ROWS=limits` measures only the groups whose name contains that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bench import hostile_groups as groups
from bench.conftest import Report
from bench.hostile_table import BESIDE_MS, MEMORY_MIB, Bench, Group, Measured, run_group, shown, table
from bench.hostile_typing import typing
from tests.standin.server import Standin, serve

_ROWS: list[Measured] = []
_GROUPS: list[Callable[[], Group]] = [
    groups.cut_key, *(lambda name=name: groups.marks(name, *groups.MARKS[name]) for name in groups.MARKS),
    lambda: groups.lines(120_000), lambda: groups.lines(250_000), groups.hits, groups.many_edits, groups.many_moves,
    groups.many_appends, groups.many_layouts, groups.wide, groups.unfinished, groups.unread, groups.recover,
    groups.at_the_limits, groups.hostile_images, groups.hostile_files, groups.flowcharts,
]  # fmt: skip
_ONLY = os.environ.get("HOSTILE_ROWS", "")


@pytest.fixture(scope="module", autouse=True)
def _table() -> Iterator[None]:
    yield
    text = table(_ROWS)
    print(f"\n\n{text}\n")
    folder = Path("build")
    folder.mkdir(exist_ok=True)
    (folder / "hostile.txt").write_text(f"{text}\n", "utf-8")


async def measure(group: Group, report: Report) -> dict[str, Any]:
    """Measure a group, whose lines are printed as they come; what was noted."""
    if _ONLY not in group.name:
        pytest.skip("not among HOSTILE_ROWS")
    rows, facts = await run_group(group)
    _ROWS.extend(rows)
    print("\n" + table(rows))
    report(f"{group.name}: longest wait beside, ms", max(row.beside_ms for row in rows), "<=", BESIDE_MS)
    report(f"{group.name}: memory above idle, MB", max(row.memory_mib for row in rows), "<=", MEMORY_MIB)
    return facts


@pytest.mark.parametrize("made", _GROUPS, ids=lambda _: "")
async def test_others_hardly_wait(made: Callable[[], Group], report: Report) -> None:
    await measure(made(), report)


async def test_typing_costs_what_changes(report: Report) -> None:
    """A key in a megabyte costs at most twice a key in 20 KB, with headings and without."""
    kept = await measure(typing(), report)
    for form in ("with headings", "without headings"):
        small, large = kept.get(f"{20 << 10} {form}"), kept.get(f"{1 << 20} {form}")
        ratio = large / max(small, 0.01) if small and large else float("inf")  # one took too long
        report(f"a key in 1 MB / in 20 KB {form}, CPU", ratio, "<=", 2)


async def test_a_foreign_page_spends_no_key(report: Report) -> None:
    """What an `<img>` of another site can ask for does not reach the provider."""
    standin = Standin([])
    name = "GET assistant?check=true from another site"
    headers = (("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image"))

    async def act(bench: Bench) -> str:
        standin.checked.clear()
        answer = await bench.send("GET", "/api/v1/assistant?check=true", headers=headers)
        return f"{shown(answer)}, provider asked {len(standin.checked)} x"

    async with serve(standin) as url:
        settings = {"ANTHROPIC_API_KEY": standin.key, "ANTHROPIC_BASE_URL": url}
        await measure(Group(name, groups.document(groups.PROSE), [(name, act)], settings), report)
    report("foreign page: times that the provider was asked", len(standin.checked), "<=", 0)
