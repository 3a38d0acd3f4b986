"""The objects of a cluster by words and meaning, or by an exact filter: what `workloads` reads, kept for a minute.

Of each object its kind, namespace, name, labels and annotations are told, masked and cut. They are listed when
somebody asks; nothing is watched. The two tools of it are added by `add_resource_tools`. Not here: reading the cluster
(`inventory`), ranking (`capabilities_index`).
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

from draftsmith.manifests.masking import without_secrets
from draftsmith.manifests.objects import READ, Object, part
from draftsmith.plugin import Plugin, PluginError
from draftsmith_kubernetes.capabilities_filter import name_fields
from draftsmith_kubernetes.capabilities_index import Found, Index
from draftsmith_kubernetes.capabilities_kinds import ApiResource, KindDescription, capabilities_in, describe, widened
from draftsmith_kubernetes.capabilities_words import cleaned, terms_of
from draftsmith_kubernetes.inventory import read_inventory
from draftsmith_kubernetes.kinds import Kind, Kinds
from draftsmith_kubernetes.kubectl import Kubectl
from draftsmith_kubernetes.names import check_namespace

Told = dict[str, Any]
_KEPT_SECONDS: Final = 60.0
_MOST: Final = 5_000
_FEW: Final = 8
_MANY: Final = 50
_MOST_PAIRS: Final = 40
_MOST_NAMED: Final = 40
_MOST_INCOMPLETE: Final = 20
_KEY_CHARS: Final = 320  # a prefix of 253 and a name of 63
_VALUE_CHARS: Final = 200
Pairs = Annotated[
    dict[Annotated[str, Field(max_length=_KEY_CHARS)], Annotated[str, Field(max_length=300)]], Field(max_length=20)
]


@dataclass(frozen=True)
class Resource:
    """One object.

    Attributes:
        api: `plural.group` of its kind.
    """

    kind: str
    api: str
    namespace: str
    name: str
    labels: Mapping[str, str]
    annotations: Mapping[str, str]

    def told(self) -> Told:
        """The object as it stands in answers."""
        return {name: value for name, value in asdict(self).items() if value}


class ResourceFilter(BaseModel):
    """What an object must be; fields that are left out ask nothing.

    Attributes:
        kind: as people or api_resources name it.
        labels, annotations: all of these, each with this value.
    """

    model_config = ConfigDict(extra="forbid")

    kind: Annotated[str | None, Field(max_length=300)] = None
    namespace: Annotated[str | None, Field(max_length=63)] = None
    name: Annotated[str | None, Field(max_length=253)] = None
    labels: Pairs | None = None
    annotations: Pairs | None = None

    @model_validator(mode="before")
    @classmethod
    def _name_fields(cls, value: Any) -> Any:
        return name_fields(cls, value)


@dataclass
class _Kept:
    """What was read at `read_at`; `index` finds what is at the same place of `resources`."""

    resources: Sequence[Resource]
    index: Index
    incomplete: Sequence[str]
    read_at: float
    outdated_because: str = ""


@dataclass
class Resources:
    """The objects of the namespaces that may be read.

    Attributes:
        now: the time in seconds.
    """

    kubectl: Kubectl
    kinds: Kinds
    now: Callable[[], float] = time.time
    _kept: _Kept | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def search(self, query: str, limit: int) -> Told:
        """Objects by words and meaning."""
        kept = await self._current()
        read = kept.index.read(query)
        if not read.terms and not read.meanings:
            raise PluginError("empty_query", "Say what is looked for in a few words, such as 'orders database'.")
        found = kept.index.search(read, limit)
        said = f"{len(found)} objects, best first; the score is the part of the query that an object explains."
        told: Told = {"said": said if found else "No object fits that, by its words or by what it is for."}
        told["results"] = [_scored(one, kept.resources[one.place]) for one in found]
        return told | ({"read_as": dict(read.read_as)} if read.read_as else {}) | self._about(kept)

    async def query(self, wanted: ResourceFilter, limit: int) -> Told:
        """Objects that fit a filter exactly."""
        kept = await self._current()
        kind = await self._checked(wanted)
        everything = kept.resources
        found = [one for one in everything if _fits(one, wanted, kind)]
        told: Told = {"said": f"{len(found)} of {len(everything)} objects fit the filter.", "in_all": len(found)}
        if not found:
            told["there_are"] = _there_are(everything, wanted, kind)
        return told | {"results": [one.told() for one in found[:limit]]} | self._about(kept)

    async def _checked(self, wanted: ResourceFilter) -> Kind | None:
        """The kind that a filter names, if it names one; whatever else is wrong with it is refused.

        Raises:
            PluginError: `empty_filter`, `unknown_kind`, `ambiguous_kind`, `kind_not_read`, `unknown_namespace`.
        """
        if not wanted.model_dump(exclude_none=True):
            raise PluginError("empty_filter", f"Give at least one of: {', '.join(ResourceFilter.model_fields)}.")
        if wanted.namespace is not None:
            check_namespace(self.kubectl.settings, wanted.namespace)
        kind = None if wanted.kind is None else await self.kinds.find(wanted.kind)
        if kind is not None and kind.full_name not in READ:
            message = (
                f"{kind.kind} is not among what is looked at here; list it with get. There are: {', '.join(READ)}."
            )
            raise PluginError("kind_not_read", message)
        return kind

    def _about(self, kept: _Kept) -> Told:
        at = datetime.fromtimestamp(kept.read_at, UTC).isoformat(timespec="seconds")
        told: Told = {"read_at": at, "age_seconds": max(0, round(self.now() - kept.read_at))}
        if kept.incomplete:
            told["incomplete"] = list(kept.incomplete[:_MOST_INCOMPLETE])
        return told | ({"outdated_because": kept.outdated_because} if kept.outdated_because else {})

    async def _current(self) -> _Kept:
        async with self._lock:
            kept, now = self._kept, self.now()
            if kept is not None and 0 <= now - kept.read_at < _KEPT_SECONDS and not kept.outdated_because:
                return kept
            try:
                self._kept = await self._read(now)
            except PluginError as error:
                if kept is None:
                    raise
                kept.outdated_because = f"{error.code}: {error}"
                return kept
            return self._kept

    async def _read(self, now: float) -> _Kept:
        inventory = await read_inventory(self.kubectl, self.kinds, self.kubectl.settings.namespaces)
        by_name = {one.full_name: one for one in await self.kinds.all()}
        pairs = [(by_name[name], one) for name, objects in inventory.objects.items() for one in objects]
        incomplete = list(inventory.incomplete)
        if len(pairs) > _MOST:
            incomplete.insert(0, f"The first {_MOST:,} of {len(pairs):,} objects are looked at.")
        # Of a large cluster it takes a while, during which other calls are answered.
        return await asyncio.to_thread(lambda: _kept(pairs[:_MOST], incomplete, now))


def _kept(pairs: Sequence[tuple[Kind, Object]], incomplete: Sequence[str], now: float) -> _Kept:
    kinds = {one.full_name: one for one, _ in pairs}
    listed = [ApiResource(one.group, one.kind, one.plural, one.is_namespaced) for one in kinds.values()]
    described = {one.name: one for one in describe(listed, ())}
    resources = [_resource(kind, one) for kind, one in pairs]
    return _Kept(resources, Index([_described(one, described[one.api]) for one in resources]), incomplete, now)


def _resource(kind: Kind, one: Object) -> Resource:
    metadata = part(one, "metadata")
    told = without_secrets({"metadata": {"labels": metadata.get("labels"), "annotations": metadata.get("annotations")}})
    labels, annotations = _pairs(told["metadata"]["labels"]), _pairs(told["metadata"]["annotations"])
    name, namespace = cleaned(metadata.get("name"), 253), cleaned(metadata.get("namespace"), 63)
    return Resource(kind.kind, kind.full_name, namespace, name, labels, annotations)


def _described(one: Resource, kind: KindDescription) -> KindDescription:
    """An object described as kinds are: for what its kind is for, and for what its name and its labels say."""
    said = capabilities_in(terms_of(" ".join([one.name, *one.labels.values()])))
    own = tuple(dict.fromkeys([*kind.narrow, *said]))
    return replace(
        kind,
        narrow=own,
        capabilities=widened(own),
        short_names=(one.name,),
        description=" ".join([one.namespace, *chain.from_iterable(one.labels.items())]),
        text=" ".join(chain.from_iterable(one.annotations.items())),
    )


def _pairs(value: Any) -> dict[str, str]:
    """Labels or annotations, at most so many, cut."""
    pairs = list(value.items())[:_MOST_PAIRS] if isinstance(value, Mapping) else []
    return {cleaned(key, _KEY_CHARS): cleaned(text, _VALUE_CHARS) for key, text in pairs}


def _scored(found: Found, one: Resource) -> Told:
    return {"score": found.score, "reason": found.reason, **one.told(), "is_for": list(found.kind.capabilities)}


def _fits(one: Resource, wanted: ResourceFilter, kind: Kind | None) -> bool:
    return (
        (kind is None or one.api == kind.full_name)
        and wanted.namespace in (None, one.namespace)
        and wanted.name in (None, one.name)
        and all(one.labels.get(key) == value for key, value in (wanted.labels or {}).items())
        and all(one.annotations.get(key) == value for key, value in (wanted.annotations or {}).items())
    )


def _there_are(everything: Sequence[Resource], wanted: ResourceFilter, kind: Kind | None) -> Told:
    """What filters can find, the most frequent first: of the kind and namespace that are wanted, if there are any."""
    near = [
        one
        for one in everything
        if (kind is None or one.api == kind.full_name) and wanted.namespace in (None, one.namespace)
    ]
    labels = Counter(f"{key}={value}" for one in near or everything for key, value in one.labels.items())
    names = [f"{one.namespace}/{one.name}" for one in near]
    kinds = Counter(one.api for one in everything)
    told = {"kinds": [name for name, _ in kinds.most_common(_MOST_NAMED)], "names": names[:_MOST_NAMED]}
    return told | {"labels": [name for name, _ in labels.most_common(_MOST_NAMED)]}


def add_resource_tools(plugin: Plugin, kubectl: Kubectl, kinds: Kinds) -> None:
    """Add the tools that find objects by words and by filters."""
    resources = Resources(kubectl, kinds)

    @plugin.tool(read_only=True)
    async def search_resources(
        query: Annotated[str, Field(max_length=500)], limit: Annotated[int, Field(ge=1, le=_MANY)] = _FEW
    ) -> Told:
        """Find objects of the cluster by words and by what they are for, such as the database of the orders.

        Use it where somebody asks what there is of something; use query_resources where you know kind, namespace, name
        or labels, and get_resource to read one whole. It looks at workloads and what belongs to them, not at every
        kind: `search_capabilities` says which kinds there are. `score` is from 0 to 1, and `reason` says what an object
        was found by; a low score is a hint. `age_seconds` belongs in what you tell.
        """
        return await resources.search(query, limit)

    @plugin.tool(read_only=True)
    async def query_resources(
        filter: ResourceFilter,  # noqa: A002  # the name that callers of this tool know
        limit: Annotated[int, Field(ge=1, le=_MANY)] = _MANY,
    ) -> Told:
        """List objects of the cluster that fit a filter exactly: kind, namespace, name, labels, annotations, or some.

        Use it to count or to list; use search_resources where you have words. `labels` and `annotations` are objects,
        such as {"app": "orders"}. A filter that is wrong is answered with what would be right. `in_all` is how many
        fit, of which `limit` are told. No result is an answer: `there_are` then says what could be asked for.
        """
        return await resources.query(filter, limit)
