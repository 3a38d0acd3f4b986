"""The shop that the examples in the prompts speak of: small, with something of everything."""

from __future__ import annotations

from draftsmith.model.workspace import Workspace
from tests.builders import edge, node, workspace_of

TEXT = """Status: Draft

# Shop

A shop that sells things.

## Goals

- Place an order in under 900 ms
- Survive the loss of one zone

## Components

Two services and a worker. Sessions are kept in Memcached; the [Fax worker](#node/fax-worker) goes soon.

### Orders

Orders keeps every order, stored in Orders DB. Nothing else writes there.

**Timeout:** 30 seconds

### Payments

Payments runs in two instances and talks to the card provider. It retries twice.

### Mailer

Mailer reads its templates through Memcached.

## Capacity

| Service | Instances | Requests/s |
|---|---|---|
| Orders | 3 | 120 |
| Payments | 2 | 40 |

## Security

## Configuration

```yaml
orders:
  timeout: 30
  retries: 2
```

## Rollout

- [ ] Load test
- [x] Runbook

### Stage one

Staff only.

### Risks

Mails may come twice.

## Risks

The card provider is a single point of failure.

## Open questions

1. Do we need a second card provider?
2. Do we keep carts for 30 days?
"""


def shop() -> Workspace:
    """The shop as it is before anybody changes it."""
    return workspace_of(
        node("core", type="group", label="Core"),
        node("web-shop", type="web", label="Web shop", technology="Next.js 15"),
        node("api-gateway", 300, type="gateway", label="API gateway", technology="Envoy 1.33"),
        node("orders", 600, label="Orders", technology="Python 3.12", parent="core", properties={"owner": "Ann"}),
        node("payments", 600, 200, label="Payments", technology="Python 3.12", parent="core"),
        node("inventory", 1200, 400, label="Inventory", technology="Go 1.24"),
        node("orders-db", 1200, type="database", label="Orders DB", technology="PostgreSQL 17"),
        node("session-store", 300, 400, type="cache", label="Session store", technology="Memcached"),
        node("mailer", 1200, 200, type="worker", label="Mailer"),
        node("card-provider", 1500, 200, type="external", label="Card provider", technology="Stripe API"),
        node("legacy-proxy", 600, 600, type="server", label="Legacy proxy"),
        node("fax-worker", 900, 600, type="worker", label="Fax worker"),
        node("metrics", 1500, type="monitoring", label="Metrics", technology="Prometheus"),
        edge("web-shop", "api-gateway", label="shop requests"),
        edge("api-gateway", "orders", label="order requests"),
        edge("api-gateway", "session-store", label="sessions", kind="data"),
        edge("api-gateway", "legacy-proxy", label="old requests"),
        edge("legacy-proxy", "inventory", label="stock queries"),
        edge("legacy-proxy", "fax-worker", label="faxes", kind="async"),
        edge("orders", "orders-db", label="orders", kind="data"),
        edge("orders", "payments", label="charges"),
        edge("orders", "inventory", label="reservations"),
        edge("orders", "mailer", label="mails to send"),
        edge("orders", "metrics", label="latency", kind="data"),
        edge("payments", "card-provider", label="charges"),
        edge("payments", "card-provider", label="refunds"),
        text=TEXT,
    )
