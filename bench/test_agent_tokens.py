"""Tokens of what agents are offered and of reading a workspace (docs/performance.md, Agents)."""

from __future__ import annotations

from bench.conftest import Report
from tests.agents.tokens import measured


async def test_tokens_of_tools_and_of_reading(redis_url: str, report: Report) -> None:
    """The list is sent with every conversation, and the sample is what people try first; neither may grow unnoticed."""
    costs = await measured(redis_url)
    print(f"\n{costs.count} tools: {costs.tools} tokens; as listed {costs.listed}")
    for what, pages in costs.reading.items():
        print(f"read_workspace of {what}: {pages} tokens by page")
    report("tokens of the tools of agents", costs.tools, "<=", 5_500)
    report("tokens of read_workspace of the sample", sum(costs.reading["the sample"]), "<=", 4_000)
    report("tokens of read_workspace of 300 nodes", sum(costs.reading["300 nodes"]), "<=", 14_000)
