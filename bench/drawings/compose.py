"""Reads a compose file: services and volumes are nodes, networks of a service's own are groups."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from bench.drawings.graph import Graph

_TYPES = (
    ("database", r"postgres|mysql|mariadb|mongo|mssql|oracle|sql-edge"),
    ("cache", r"redis|memcached"),
    ("queue", r"kafka|redpanda|rabbit|nats|zookeeper"),
    ("gateway", r"nginx|traefik|proxy|caddy|haproxy"),
    ("monitoring", r"prometheus|grafana"),
    ("web", r"front|web|react|vue|angular"),
)


def read_compose(name: str, file: Path) -> Graph:
    """The graph of a compose file."""
    graph = Graph(name)
    services: dict[str, dict[str, Any]] = (yaml.safe_load(file.read_text("utf-8")) or {}).get("services") or {}
    ids = {service: graph.node(service, _type(service, body), parent=_network(graph, body))
           for service, body in services.items()}  # fmt: skip
    for service, body in services.items():
        for other in _names(body.get("depends_on")):
            graph.edge(ids[service], ids.get(other, ""), "depends on", "dependency")
        for link in _names(body.get("links")):
            graph.edge(ids[service], ids.get(link.split(":")[0], ""), "links to")
        for other in services:
            if re.search(rf"(^|[=/@\s]){re.escape(other)}($|[:/\s])", _environment(body), re.MULTILINE):
                graph.edge(ids[service], ids[other], "is set to use")
        for volume in _volumes(body):
            graph.edge(ids[service], graph.node(f"volume {volume}", "storage", volume), "stores", "data")
        for port in body.get("ports") or ():
            graph.edge(graph.node("outside", "client", "Outside"), ids[service], str(port))
    return graph.without_empty_groups()


def _type(service: str, body: dict[str, Any]) -> str:
    text = f"{service} {body.get('image', '')}".lower()
    return next((type_ for type_, words in _TYPES if re.search(words, text)), "service")


def _network(graph: Graph, body: dict[str, Any]) -> str | None:
    """The group of the network in which a service is, if that is one."""
    networks = _names(body.get("networks"))
    return graph.node(f"network {networks[0]}", "group", networks[0]) if len(networks) == 1 else None


def _names(given: Iterable[Any] | None) -> list[str]:
    return [str(one) for one in given or ()]


def _environment(body: dict[str, Any]) -> str:
    given = body.get("environment") or ()
    return "\n".join(str(one) for one in (given.values() if isinstance(given, dict) else given))


def _volumes(body: dict[str, Any]) -> list[str]:
    """The named ones; what begins with a path is a folder of whoever starts it."""
    given = body.get("volumes") or ()
    sources = [one.get("source", "") if isinstance(one, dict) else str(one).split(":")[0] for one in given]
    return [source for source in sources if re.fullmatch(r"\w[\w-]*", source)]
