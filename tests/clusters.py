"""Readings of small clusters for tests: what a plugin returns as `workloads/1`."""

from __future__ import annotations

from typing import Any

ORDERS, DB, EDGE = "shop/Deployment/orders", "shop/StatefulSet/db", "shop/Deployment/edge"
STRIPE = "outside/api.stripe.com"


def workload(
    name: str, role: str = "service", *, namespace: str = "shop", kind: str = "", **more: Any
) -> dict[str, Any]:
    kind = kind or ("StatefulSet" if role in ("database", "queue", "cache") else "Deployment")
    return {
        "id": f"{namespace}/{kind}/{name}", "namespace": namespace, "kind": kind, "name": name, "application": None,
        "role": role, "technology": None, "images": [f"ghcr.io/acme/{name}:1.0.0"],
        "replicas": {"desired": 2, "ready": 2}, "ports": [{"port": 8080, "protocol": "TCP", "name": "http"}],
        "description": "", **more,
    }  # fmt: skip


def connection(source: str, target: str, label: str = "", *kinds: str, port: int = 8080) -> dict[str, Any]:
    evidence = [{"kind": kind, "text": f"{source} names {target}"} for kind in kinds or ("environment",)]
    return {
        "source": source, "target": target, "port": port, "protocol": "TCP", "label": label, "evidence": evidence,
    }  # fmt: skip


def outside(host: str, named_by: str) -> dict[str, Any]:
    evidence = [{"kind": "environment", "text": f"PAYMENT_URL of {named_by} names {host}"}]
    return {"id": f"outside/{host}", "host": host, "named_by": named_by, "evidence": evidence}


def reading(*workloads: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "format": "workloads/1", "cluster": "prod", "read_at": "2026-11-24T15:00:00Z",
        "namespaces": sorted({one["namespace"] for one in workloads} or {"shop"}), "incomplete": [],
        "workloads": list(workloads), "connections": [], "outside": [], **more,
    }  # fmt: skip


def shop_reading(**more: Any) -> dict[str, Any]:
    """A gateway, orders and its database, and a host that orders pays with."""
    database = workload("db", "database", technology="PostgreSQL 16.4", images=["docker.io/postgres:16.4"])
    database["replicas"] = {"desired": 1, "ready": 1}
    return reading(
        workload("edge", "gateway", technology="nginx 1.27"),
        workload("orders", replicas={"desired": 3, "ready": 2}),
        database,
        **{
            "connections": [
                connection(EDGE, ORDERS, "HTTP requests", "ingress", "service"),
                connection(ORDERS, DB, "PostgreSQL queries", port=5432),
            ],
            "outside": [outside("api.stripe.com", ORDERS)],
            **more,
        },
    )
