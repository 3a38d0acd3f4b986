"""A small shop with hard names, for the tests of the built-in commands."""

from __future__ import annotations

from draftsmith.model.workspace import Workspace
from tests.builders import edge, group, node, workspace_of

TEXT = """# Shop

A shop in two halves.

## Storage

Orders are kept in one database. The cache is warm after 30 seconds.

* Backups run at night.
* Restores are tried monthly.

### Retention

Rows are kept for 90 days.

## Risks and Gaps

1. The cache may lose carts.
2. The bank may be slow.

## Rollout

First staff, then everybody.

## Orders

What orders are.
"""


def builtin_shop() -> Workspace:
    """Ten nodes, two groups, two connections from Cart to Orders, two nodes of one name, names full of grammar."""
    return workspace_of(
        group("core", 0, 0, label="Core"),
        group("front", 900, 0, label="Front of house"),
        node("web", 0, 400, type="web", label="Web shop"),
        node("gateway", 30, 60, type="gateway", label="API gateway", parent="front"),
        node("orders", 30, 60, label="Orders", technology="Kotlin 2", parent="core"),
        node("cart", 30, 200, label="Cart", parent="core"),
        node("search", 400, 400, label="Search and Browse"),
        node("orders-db", 800, 400, type="database", label="Orders DB", technology="PostgreSQL 18"),
        node("events", 1200, 400, type="stream", label="Event stream", technology="Kafka"),
        node("bank", 0, 800, type="external", label='Connect to "Bank"'),
        node("replica-a", 400, 800, type="database", label="Replica"),
        node("replica-b", 800, 800, type="database", label="Replica"),
        node("batch", 1200, 800, type="worker", label="Batch 2"),
        edge("web", "gateway", label="HTTPS"),
        edge("gateway", "orders", label="place order"),
        edge("gateway", "cart"),
        edge("cart", "orders", label="check out"),
        edge("cart", "orders", label="notify", kind="async"),
        edge("orders", "orders-db", label="rows", kind="data"),
        edge("orders", "events", label="order.*", kind="async"),
        edge("events", "search", kind="async"),
        edge("orders", "bank", label="charge"),
        text=TEXT,
    )
