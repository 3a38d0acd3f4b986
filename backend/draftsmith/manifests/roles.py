"""What is drawn of something that runs, by its role, and the properties that say what it was drawn from.

Types and kinds are those of `model.vocabulary`. Who reads a cluster and who reads files draw by the same tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NODE_TYPES: Final[Mapping[str, str]] = {
    "service": "service",
    "database": "database",
    "cache": "cache",
    "queue": "queue",
    "search": "search",
    "storage": "storage",
    "gateway": "gateway",
    "worker": "worker",
    "job": "scheduler",
    "monitoring": "monitoring",
    "other": "other",
}
"""Types of nodes by role."""
EDGE_KINDS: Final[Mapping[str, str]] = {
    "queue": "async",
    "database": "data",
    "cache": "data",
    "storage": "data",
    "search": "data",
    "stream": "async",
}
"""Kinds of edges by the role or the type of their target; to others they are `sync`."""
NAMESPACE, IMAGE, REPLICAS, PORTS = "namespace", "image", "replicas", "ports"
"""Properties of nodes."""
HOW_KNOWN: Final[Mapping[str, str]] = {
    "environment": "by its environment",
    "argument": "by its arguments",
    "configMap": "by a ConfigMap",
    "service": "through a Service",
    "ingress": "through an Ingress",
    "networkPolicy": "allowed by a policy",
}
"""What a line is called of which it is not known what flows; by the evidence for it."""
ALLOWED_ALONE: Final = frozenset({"networkPolicy"})
"""Evidence that a connection is allowed, which does not say that it is used."""
