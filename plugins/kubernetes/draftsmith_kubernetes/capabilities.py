"""What a cluster can do: its kinds described once for each state of it, searched by words and meaning, or filtered.

The two tools of it are added to the plugin by `add_capability_tools`. What is described is kept until the kinds or
their definitions change; every answer says when that was. Not here: describing (`capabilities_kinds`), ranking
(`capabilities_index`).
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Protocol

from pydantic import Field

from draftsmith.plugin import Plugin, PluginError
from draftsmith_kubernetes.capabilities_filter import CapabilityFilter, matching
from draftsmith_kubernetes.capabilities_index import Found, Index
from draftsmith_kubernetes.capabilities_kinds import ApiResource, KindDescription, describe
from draftsmith_kubernetes.capabilities_words import cleaned

Told = dict[str, Any]
_CHECK_SECONDS: Final = 120.0
_FEW: Final = 8
_MANY: Final = 20
_WITH_FIELDS: Final = 5
_SHORT: Final = 100
_MOST_NAMED: Final = 40


@dataclass(frozen=True)
class ClusterState:
    """What the cluster says of its kinds.

    Attributes:
        definitions: CRDs, as JSON.
        lacks: why some of it could not be read; empty where all was.
    """

    resources: Sequence[ApiResource]
    definitions: Sequence[Any]
    lacks: str = ""

    @property
    def fingerprint(self) -> str:
        """The same for the same kinds with the same versions of their definitions."""
        facts = [repr(one) for one in self.resources] + [_version(one) for one in self.definitions]
        return hashlib.sha256("\n".join(sorted(facts)).encode()).hexdigest()


class CapabilitySource(Protocol):
    """Where the state of the cluster comes from."""

    async def read(self) -> ClusterState:
        """Read it.

        Raises:
            PluginError: the cluster cannot be asked.
        """
        ...


def _version(definition: Any) -> str:
    metadata = definition.get("metadata") if isinstance(definition, dict) else None
    named = metadata if isinstance(metadata, dict) else {}
    return f"{named.get('name')} {named.get('uid')} {named.get('resourceVersion')}"


@dataclass
class _Kept:
    fingerprint: str
    index: Index
    lacks: str
    described_at: float
    checked_at: float
    outdated_because: str = ""


class Capabilities:
    """The described kinds of one cluster."""

    def __init__(self, source: CapabilitySource, now: Callable[[], float] = time.time) -> None:
        self._source, self._now = source, now
        self._kept: _Kept | None = None
        self._lock = asyncio.Lock()

    async def search(self, query: str, limit: int) -> Told:
        """Kinds by words and meaning."""
        kept = await self._current()
        read = kept.index.read(query)
        if not read.terms and not read.meanings:
            raise PluginError(
                "empty_query", "Say what is needed in a few words, such as 'relational database' or 'queue'."
            )
        found = kept.index.search(read, limit)
        told: Told = {"said": _said(found, query), "results": _told(found)}
        if read.read_as:
            told["read_as"] = dict(read.read_as)
        if read.meanings:
            told["meaning"] = sorted(read.meanings)
        return told | self._about(kept)

    async def query(self, wanted: CapabilityFilter, limit: int) -> Told:
        """Kinds that fit a filter exactly."""
        kept = await self._current()
        found = matching(kept.index.kinds, wanted)
        told: Told = {"said": f"{len(found)} of {len(kept.index.kinds)} kinds of this cluster fit the filter."}
        if not found:
            told["said"] = f"No kind of this cluster fits the filter; {len(kept.index.kinds)} were looked at."
            told["there_are"] = _there_are(kept.index.kinds)
        told |= {"results": _told(found[:limit]), "in_all": len(found)}
        return told | self._about(kept)

    def _about(self, kept: _Kept) -> Told:
        described_at = datetime.fromtimestamp(kept.described_at, UTC).isoformat(timespec="seconds")
        told: Told = {"described_at": described_at, "age_seconds": max(0, round(self._now() - kept.checked_at))}
        if kept.lacks:
            told["incomplete"] = kept.lacks
        if kept.outdated_because:
            told["outdated_because"] = kept.outdated_because
        return told

    async def _current(self) -> _Kept:
        async with self._lock:
            kept, now = self._kept, self._now()
            if kept is not None and now - kept.checked_at < _CHECK_SECONDS and not kept.outdated_because:
                return kept
            try:
                state = await self._source.read()
            except PluginError as error:
                if kept is None:
                    raise
                kept.outdated_because = f"{error.code}: {error}"
                return kept
            # Of a large cluster it takes a while, during which other calls are answered.
            fingerprint = await asyncio.to_thread(lambda: state.fingerprint)
            if kept is None or kept.fingerprint != fingerprint or kept.lacks != state.lacks:
                index = await asyncio.to_thread(lambda: Index(describe(state.resources, state.definitions)))
                kept = _Kept(fingerprint, index, state.lacks, now, now)
            kept.checked_at, kept.outdated_because = now, ""
            self._kept = kept
            return kept


def _said(found: Sequence[Found], query: str) -> str:
    if not found:
        return (
            "No kind of this cluster fits that, by its words or by what it is for. Other words may; or there is none."
        )
    return f"{len(found)} kinds, best first; the score is the part of the query that a kind explains."


def _told(found: Sequence[Found | KindDescription]) -> list[Told]:
    """Kinds as they stand in answers; later ones in short, so that an answer is not too long to be read whole."""
    return [_one(each, is_short=at >= _WITH_FIELDS) for at, each in enumerate(found)]


def _one(each: Found | KindDescription, *, is_short: bool) -> Told:
    one = each.kind if isinstance(each, Found) else each
    told: Told = {"score": each.score, "reason": each.reason} if isinstance(each, Found) else {}
    told |= {
        "kind": one.kind,
        "group": one.group,
        "name": one.name,
        "provider": one.provider,
        "namespaced": one.namespaced,
        "capabilities": list(one.capabilities),
        "beside": list(one.beside),
        "description": cleaned(one.description, _SHORT) if is_short else one.description,
        "complexity": one.complexity,
        "fields": [] if is_short else list(one.fields),
    }
    return {name: value for name, value in told.items() if value or name in ("group", "namespaced")}


def _there_are(kinds: Sequence[KindDescription]) -> Told:
    """What filters of this cluster can find, the most frequent first."""
    capabilities = Counter(name for one in kinds for name in one.capabilities)
    providers = Counter(one.provider for one in kinds)
    return {
        "capabilities": [name for name, _ in capabilities.most_common(_MOST_NAMED)],
        "providers": [name for name, _ in providers.most_common(_MOST_NAMED)],
    }


def add_capability_tools(plugin: Plugin, source: CapabilitySource) -> None:
    """Add the tools that find kinds by what they are for."""
    capabilities = Capabilities(source)

    @plugin.tool(read_only=True)
    async def search_capabilities(
        query: Annotated[str, Field(max_length=500)], limit: Annotated[int, Field(ge=1, le=_MANY)] = _FEW
    ) -> Told:
        """Find the kinds of this cluster that serve a need, by words and by meaning, such as relational storage.

        Use it first where somebody asks what the cluster offers for something, or which kind is a database, before you
        list objects of a kind; use query_capabilities where you know capability, provider or group. `limit`: how many.
        In the answer `score` is from 0 to 1 and `reason` says what a kind was found by; a low score is a hint, not a
        finding. `beside` is what its group is for. `age_seconds` belongs in what you tell. An empty list means that
        nothing fits.
        """
        return await capabilities.search(query, limit)

    @plugin.tool(read_only=True)
    async def query_capabilities(
        filter: CapabilityFilter,  # noqa: A002  # the name that callers of this tool know
        limit: Annotated[int, Field(ge=1, le=_MANY)] = _MANY,
    ) -> Told:
        """Find the kinds of this cluster that fit all fields of a filter exactly, such as capability cache.

        Use it to count or to list by capability, provider, group, kind, scope or complexity; use search_capabilities
        where you have a need in words. A filter that is wrong is answered with what would be right. `in_all` is how
        many fit, of which `limit` are told. No result is an answer: `there_are` then says which capabilities and
        providers exist.
        """
        return await capabilities.query(filter, limit)
