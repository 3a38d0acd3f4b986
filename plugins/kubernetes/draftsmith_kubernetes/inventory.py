"""All objects that say what runs in some namespaces, by one call of kubectl for each; what cannot be read is told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from typing import Final

from draftsmith.manifests.objects import READ, Inventory, Object, part
from draftsmith.plugin import PluginError
from draftsmith_kubernetes.kinds import Kinds
from draftsmith_kubernetes.kubectl import Kubectl, failed, read_json

_BULKY: Final = frozenset({"pods", "replicasets.apps", "jobs.batch"})
"""What a namespace may have thousands of, while nearly all of them belong to something else that is read, too."""
_MOST_REASON: Final = 300


async def read_inventory(kubectl: Kubectl, kinds: Kinds, namespaces: Sequence[str]) -> Inventory:
    """Read all of it.

    Raises:
        PluginError: nothing of a namespace can be read, as where the cluster is away.
    """
    inventory = Inventory(namespaces)
    by_name = {one.full_name: one for one in await kinds.all() if "list" in one.verbs and one.is_namespaced}
    wanted = [name for name in READ if name in by_name]
    if kinds.incomplete:
        inventory.incomplete.append(f"Some kinds are not listed: {kinds.incomplete[:_MOST_REASON]}")
    by_kind = {(by_name[name].api_version, by_name[name].kind): name for name in wanted}
    read = await asyncio.gather(*(_read(kubectl, wanted, namespace) for namespace in namespaces))
    for namespace, (found, incomplete) in zip(namespaces, read, strict=True):
        inventory.incomplete += incomplete
        for one in found:
            name = by_kind.get((str(one.get("apiVersion")), str(one.get("kind"))))
            if name is not None and part(one, "metadata").get("namespace") == namespace:
                inventory.objects.setdefault(name, []).append(one)
    return inventory


async def _read(kubectl: Kubectl, wanted: Sequence[str], namespace: str) -> tuple[Iterable[Object], list[str]]:
    """The objects of a namespace, and what could not be read."""
    try:
        return await _list(kubectl, wanted, namespace)
    except PluginError as error:
        if error.code != "too_large":
            raise
    found, incomplete = await _list(kubectl, [name for name in wanted if name not in _BULKY], namespace)
    left = ", ".join(sorted(_BULKY))
    said = f"{namespace}: this is too much to read at once; {left} without an owner are left out."
    return found, [said, *incomplete]


async def _list(kubectl: Kubectl, wanted: Sequence[str], namespace: str) -> tuple[Iterable[Object], list[str]]:
    output = await kubectl.run("get", ",".join(wanted), f"--namespace={namespace}", "--output=json")
    text = output.stdout.decode("utf-8", "replace")
    incomplete: list[str] = []
    if output.failure:
        # What may be read is printed, and each kind that may not is a line of its own.
        if not text.strip():
            raise failed(output.failure)
        lines = dict.fromkeys(re.sub(r"\s+", " ", line).strip() for line in output.failure.splitlines())
        incomplete = [f"{namespace}: {failed(line).message[:_MOST_REASON]}" for line in lines if line][:20]
    read = read_json(text)
    items = read.get("items") if isinstance(read, dict) else None
    return [one for one in items if isinstance(one, dict)] if isinstance(items, list) else [], incomplete
