"""Objects, what kubectl describes of them, events and logs: of the configured namespaces alone, masked and cut."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import yaml

from draftsmith.manifests.masking import mask_text, mask_values, secrets_of, without_secrets
from draftsmith.plugin import PluginError
from draftsmith_kubernetes.bounds import cut_list, cut_text
from draftsmith_kubernetes.kinds import Kind, Kinds
from draftsmith_kubernetes.kubectl import Kubectl
from draftsmith_kubernetes.names import check_name, check_namespace, check_selector

Told = dict[str, Any]
_MOST_EVENTS: Final = 60
_WITH_LOGS: Final = frozenset({"pods", "deployments.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch"})
_LOG_NOTE: Final = "What looks like a password, a key or a token is masked. A secret that looks like other text is not."


class Reader:
    """Reads one cluster."""

    def __init__(self, kubectl: Kubectl, kinds: Kinds) -> None:
        self._kubectl, self._kinds, self.settings = kubectl, kinds, kubectl.settings

    async def place(self, kind: str, namespace: str) -> tuple[Kind, list[str]]:
        """The kind that this names, and the options of kubectl for where its objects are.

        Raises:
            PluginError: there is none, it may not be read, or its namespace may not.
        """
        found = await self._kinds.find(kind)
        if found.is_namespaced:
            return found, [f"--namespace={check_namespace(self.settings, namespace)}"]
        if found.full_name not in self.settings.cluster_kinds:
            known = ", ".join(self.settings.cluster_kinds) or "none"
            message = f"{found.kind} is not in a namespace; of such kinds this plugin may read: {known}."
            raise PluginError("refused_kind", message)
        return found, []

    async def table(self, kind: str, namespace: str, selector: str) -> Told:
        """A table of objects, as kubectl prints it."""
        found, where = await self.place(kind, namespace)
        chosen = [f"--selector={check_selector(selector)}"] if selector else []
        printed = await self._kubectl.text("get", found.full_name, *where, *chosen, "--output=wide")
        rows = max(0, len(printed.splitlines()) - 1)
        told = {"kind": found.kind, "objects": rows, **self._cut(mask_text(printed))}
        return told if rows else {"kind": found.kind, "objects": 0, "text": "There are none."}

    async def object(self, kind: str, name: str, namespace: str) -> Told:
        """One object as YAML without managedFields."""
        found, where = await self.place(kind, namespace)
        one = await self._object(found, name, where)
        text = yaml.safe_dump(without_secrets(one), sort_keys=False, allow_unicode=True, width=120)
        return {"kind": found.kind, "name": name, **self._cut(text)}

    async def describe(self, kind: str, name: str, namespace: str) -> Told:
        """What kubectl describes of an object, with its events."""
        found, where = await self.place(kind, namespace)
        secrets = secrets_of(await self._object(found, name, where))
        printed = await self._kubectl.text("describe", found.full_name, name, *where)
        return {"kind": found.kind, "name": name, **self._cut(mask_text(mask_values(printed, secrets)))}

    async def events(self, namespace: str, name: str, only_warnings: bool) -> Told:
        """Events, newest first."""
        where = check_namespace(self.settings, namespace)
        if name:
            check_name(name)
        listed = await self._kubectl.json("get", "events", f"--namespace={where}", "--output=json")
        told = [_event(one) for one in listed.get("items", [])]
        kept = [
            one
            for one in told
            if (not name or one["object"].partition("/")[2] == name) and (not only_warnings or one["type"] == "Warning")
        ]
        kept.sort(key=lambda one: one["last_seen"], reverse=True)
        return {"namespace": where, **cut_list(kept, _MOST_EVENTS, "events")}

    async def logs(self, kind: str, name: str, namespace: str, container: str, lines: int, previous: bool) -> Told:
        """The last lines of a container."""
        found, where = await self.place(kind, namespace)
        if found.full_name not in _WITH_LOGS:
            raise PluginError("refused_kind", f"{found.kind} has no logs; {', '.join(sorted(_WITH_LOGS))} have.")
        options = [f"--tail={min(lines, self.settings.log_lines)}", f"--limit-bytes={self.settings.answer_chars * 4}"]
        if container:
            options.append(f"--container={check_name(container, 'container')}")
        if previous:
            options.append("--previous")
        target = f"{found.full_name}/{check_name(name)}"
        printed = await self._kubectl.text("logs", target, *where, *options)
        cut = cut_text(mask_text(printed), self.settings.answer_chars, from_end=True)
        return {"of": target, "lines": len(cut["text"].splitlines()), **cut, "masking": _LOG_NOTE}

    async def _object(self, kind: Kind, name: str, where: list[str]) -> Mapping[str, Any]:
        read = await self._kubectl.json("get", kind.full_name, check_name(name), *where, "--output=json")
        if not isinstance(read, Mapping):
            raise PluginError("unreadable", "What the cluster answered is no object.")
        return read

    def _cut(self, text: str) -> Told:
        return cut_text(text, self.settings.answer_chars)


def _event(one: Mapping[str, Any]) -> Told:
    of = one.get("involvedObject") or {}
    series = one.get("series") or {}
    last = series.get("lastObservedTime") or one.get("lastTimestamp") or one.get("eventTime")
    return {
        "last_seen": last or one.get("metadata", {}).get("creationTimestamp") or "",
        "type": one.get("type", ""),
        "reason": one.get("reason", ""),
        "object": f"{of.get('kind', '')}/{of.get('name', '')}",
        "count": series.get("count") or one.get("count") or 1,
        "message": mask_text(re.sub(r"\s+", " ", str(one.get("message", ""))))[:500],
    }
