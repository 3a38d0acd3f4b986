"""The kinds that the API server has, as `kubectl api-resources` lists them, found by what people call them.

What is passed to kubectl is always a name from this list.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from draftsmith.plugin import PluginError
from draftsmith_kubernetes.kubectl import Kubectl, failed

_KEPT_SECONDS: Final = 120
_COLUMNS: Final = ("NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND", "VERBS")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of objects.

    Attributes:
        plural: its name in paths, such as `deployments`.
        api_version: its group and version, such as `apps/v1`, or `v1`.
        verbs: what the API can do with it, such as `get`, `list`, `patch`.
    """

    plural: str
    short_names: tuple[str, ...]
    api_version: str
    is_namespaced: bool
    kind: str
    verbs: tuple[str, ...]

    @property
    def group(self) -> str:
        """Its group; empty for the core."""
        return self.api_version.rpartition("/")[0]

    @property
    def version(self) -> str:
        """Its version, such as `v1`."""
        return self.api_version.rpartition("/")[2]

    @property
    def full_name(self) -> str:
        """`plural.group`, or `plural` in the core: how it is named in settings and to kubectl."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    def told(self) -> dict[str, Any]:
        """The kind as it stands in answers."""
        return {
            "kind": self.kind,
            "name": self.full_name,
            "api_version": self.api_version,
            "namespaced": self.is_namespaced,
            "short_names": list(self.short_names),
            "verbs": list(self.verbs),
        }

    def is_called(self, name: str) -> bool:
        """Whether this is a name of it: the kind, plural or short name, also with its group or its api version."""
        wanted = name.lower()
        own = {self.kind.lower(), self.plural, *self.short_names}
        version = self.api_version.lower()
        return wanted in own or any(
            wanted in (f"{one}.{self.group}", f"{one}.{self.version}.{self.group}", f"{version}/{one}") for one in own
        )


class Kinds:
    """The kinds of the cluster, read when they are needed and kept for a while."""

    def __init__(self, kubectl: Kubectl) -> None:
        self._kubectl = kubectl
        self._kept: tuple[Kind, ...] = ()
        self._read_at = float("-inf")
        self.incomplete = ""

    async def all(self) -> Sequence[Kind]:
        """All of them; `incomplete` says which the API server could not list.

        Raises:
            PluginError: none could be read.
        """
        if time.monotonic() - self._read_at > _KEPT_SECONDS:
            output = await self._kubectl.run("api-resources", "-o", "wide")
            kinds = read_table(output.stdout.decode("utf-8", "replace"))
            if not kinds:
                raise failed(output.failure or "The API server lists no kinds.")
            self.incomplete = await self._missing(kinds, output.failure)
            self._kept, self._read_at = kinds, time.monotonic()
        return self._kept

    async def _missing(self, kinds: Iterable[Kind], failure: str) -> str:
        """What is not listed, as where an extension of the API is away; newer kubectls leave it out silently."""
        if failure:
            return failed(failure).message
        try:
            listed = await self._kubectl.raw("/apis")
        except PluginError as error:
            return f"It is not known whether all kinds are listed: {error.message}"
        groups = {str(one.get("name")) for one in listed.get("groups", [])} if isinstance(listed, dict) else set()
        away = ", ".join(sorted(groups - {one.group for one in kinds}))
        return f"The API server has groups that list no kinds now: {away}." if away else ""

    async def find(self, name: str) -> Kind:
        """Find one by what people call it: `Deployment`, `deploy`, `clusters.postgresql.cnpg.io`.

        Raises:
            PluginError: `unknown_kind` with close names, or `ambiguous_kind` with the full names of all it could be.
        """
        kinds = await self.all()
        found = [one for one in kinds if one.is_called(name.strip())]
        by_name = {one.full_name: one for one in found}
        if len(by_name) > 1:
            # Those of Kubernetes itself have the short name, as kubectl does it.
            core = [one for one in by_name.values() if "." not in one.group]
            if len(core) != 1:
                raise PluginError("ambiguous_kind", f"'{name}' may be: {', '.join(sorted(by_name))}.")
            return core[0]
        if not by_name:
            close = _close(name, kinds)
            hint = f" Close to it: {', '.join(close)}." if close else ""
            raise PluginError("unknown_kind", f"The cluster has no kind '{name[:100]}'.{hint}")
        return next(iter(by_name.values()))


def read_table(text: str) -> tuple[Kind, ...]:
    """Read what `kubectl api-resources -o wide` prints; columns are told by where their titles stand."""
    lines = text.splitlines()
    if not lines:
        return ()
    title, *rows = lines
    # Before 1.20 the third column was the group, and newer ones have a column of categories.
    starts = {word: match.start() for word in _COLUMNS if (match := re.search(rf"\b{word}\b", title))}
    if len(starts) < len(_COLUMNS):
        return ()
    places = [match.start() for match in re.finditer(r"\S+", title)]
    ends = dict(zip(places, [*places[1:], None], strict=True))
    return tuple(
        _read_row({word: row[start : ends[start]].strip() for word, start in starts.items()}) for row in rows if row
    )


def _read_row(cells: dict[str, str]) -> Kind:
    return Kind(
        cells["NAME"],
        tuple(one for one in cells["SHORTNAMES"].split(",") if one),
        cells["APIVERSION"],
        cells["NAMESPACED"] == "true",
        cells["KIND"],
        tuple(one for one in re.split(r"[,\s]+", cells["VERBS"].strip("[]")) if one),
    )


def _close(name: str, kinds: Iterable[Kind]) -> list[str]:
    by_word = {word: kind.full_name for kind in kinds for word in (kind.kind.lower(), kind.plural)}
    return list(dict.fromkeys(by_word[word] for word in get_close_matches(name.lower(), by_word, 4)))
