"""Names of designs and of clusters as words that can be compared: `OrdersSvc`, `orders-service`, `Orders service`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from draftsmith.model.ids import slug

_BORDER: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])")
"""Inside `OrdersService`, and not inside `PostgreSQL`."""
_SAME: Final = {
    "svc": "service",
    "services": "service",
    "microservice": "service",
    "db": "database",
    "mq": "queue",
    "gw": "gateway",
    "app": "application",
    "postgres": "postgresql",
    "pg": "postgresql",
    "mongo": "mongodb",
    "k8s": "kubernetes",
    "authn": "auth",
    "authentication": "auth",
}
GENERIC: Final = frozenset({"service", "api", "application", "server", "deployment", "component", "the"})
"""Words that say what something is, not which one."""
FAMILIES: Final = {
    "database": "database",
    "cache": "cache",
    "queue": "queue",
    "stream": "queue",
    "storage": "storage",
    "search": "search",
    "gateway": "gateway",
    "load_balancer": "gateway",
    "external": "external",
    "cdn": "external",
    "other": "",
}
"""By node type; all others are `compute`. Empty: it may be anything."""
FAMILY_WORDS: Final = frozenset({"database", "cache", "queue", "stream", "storage", "search", "cluster"})


def family_of(node_type: str) -> str:
    """What kind of thing a node type is, as far as a cluster can tell them apart."""
    return FAMILIES.get(node_type, "compute")


def plain(text: str) -> str:
    """A name without letter case and punctuation; empty if no letter or digit of it is left."""
    found = slug(text[:200])
    return found if found else unicodedata.normalize("NFKC", text).casefold().strip()


def words_in(text: str) -> list[str]:
    """The words of a name, in order, abbreviations written out."""
    return [_SAME.get(one, one) for one in plain(_BORDER.sub(" ", text[:200])).split("-") if one]


def key_of(words: Iterable[str]) -> str:
    """What two names share that have the same words."""
    return " ".join(sorted(set(words)))


def core_of(words: Iterable[str], besides: Iterable[str] = ()) -> list[str]:
    """The words that say which one it is: without general ones and those in `besides`; all if none would be left."""
    all_words = list(words)
    dropped = GENERIC | FAMILY_WORDS
    core = [one for one in all_words if one not in dropped] or all_words
    rest = set(besides)
    return [one for one in core if one not in rest] or core
