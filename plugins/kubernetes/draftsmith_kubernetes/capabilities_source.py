"""The state of the cluster's kinds, read with kubectl: discovery, and definitions (CRDs) page by page."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import quote

from draftsmith.plugin import PluginError
from draftsmith_kubernetes.capabilities import ClusterState
from draftsmith_kubernetes.capabilities_kinds import ApiResource
from draftsmith_kubernetes.kinds import Kinds
from draftsmith_kubernetes.kubectl import Kubectl

_DEFINITIONS: Final = "customresourcedefinitions.apiextensions.k8s.io"
_PATH: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_PAGE: Final = 50
_MOST_PAGES: Final = 100


class KubectlSource:
    """Implements `capabilities.CapabilitySource`."""

    def __init__(self, kinds: Kinds, kubectl: Kubectl) -> None:
        self._kinds, self._kubectl = kinds, kubectl

    async def read(self) -> ClusterState:
        """Read kinds and definitions; without the right to read these, kinds are described by their names alone."""
        listed = await self._kinds.all()
        # Kinds that answer reviews and the like have nothing that could be listed.
        resources = [
            ApiResource(one.group, one.kind, one.plural, one.is_namespaced, one.short_names)
            for one in listed
            if "list" in one.verbs
        ]
        lacks = [self._kinds.incomplete] if self._kinds.incomplete else []
        definitions: list[Any] = []
        if _DEFINITIONS not in self._kubectl.settings.cluster_kinds:
            lacks.append(
                "The settings do not allow reading definitions (CRDs), so kinds are known by their names alone."
            )
        else:
            try:
                definitions, is_whole = await self._read_definitions()
                if not is_whole:
                    lacks.append(f"The first {len(definitions):,} definitions (CRDs) were read; there are more.")
            except PluginError as error:
                if error.code not in ("forbidden", "not_found", "too_large"):
                    raise
                lacks.append(f"Definitions (CRDs) cannot be read, so kinds are known by their names alone: {error}")
        return ClusterState(resources, definitions, " ".join(lacks))

    async def _read_definitions(self) -> tuple[list[Any], bool]:
        """The definitions, and whether these are all."""
        found: list[Any] = []
        path = f"{_PATH}?limit={_PAGE}"
        for _ in range(_MOST_PAGES):
            page = await self._kubectl.raw(path)
            if not isinstance(page, dict) or not isinstance(page.get("items"), list):
                raise PluginError("unreadable", "What the cluster answered is no list of definitions.")
            found += page["items"]
            metadata = page.get("metadata")
            token = metadata.get("continue") if isinstance(metadata, dict) else None
            if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]{1,4000}", token):
                return found, True
            path = f"{_PATH}?limit={_PAGE}&continue={quote(token, safe='')}"
        return found, False
