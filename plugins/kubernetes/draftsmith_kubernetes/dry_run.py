"""Applying a manifest as a dry run on the server: checked by everything that admission checks, and not stored.

kubectl is always given `--server-side --dry-run=server`; there is no way from here to an apply that is stored. Fields
that another manager owns are taken over in the trial, as nothing of it stays; else nearly each would be a conflict.
"""

from __future__ import annotations

import asyncio
import difflib
import json
from collections.abc import Mapping
from typing import Any, Final

import yaml

from draftsmith.manifests.masking import without_secrets
from draftsmith.plugin import PluginError
from draftsmith_kubernetes.bounds import cut_text
from draftsmith_kubernetes.kinds import Kind, Kinds
from draftsmith_kubernetes.kubectl import Kubectl, failed, read_json
from draftsmith_kubernetes.names import check_name, check_namespace

Told = dict[str, Any]
_MOST_OBJECTS: Final = 10
_MANAGER: Final = "draftsmith-dry-run"
_NOTE: Final = (
    "A dry run: nothing was changed in the cluster. Applying is left to the team's own pipeline. Fields that others "
    "set and the manifest leaves out stay as they are in this trial."
)
_BY_SERVER: Final = ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation", "selfLink")


async def dry_run(kubectl: Kubectl, kinds: Kinds, manifest: str) -> Told:
    """Try a manifest of one or more objects.

    Raises:
        PluginError: `invalid_manifest`, or one of an object's kind or namespace. What the server refuses is a result.
    """
    tried = []
    for one in read_manifest(manifest):
        kind = await kinds.find(f"{one['apiVersion']}/{one['kind']}")
        if not kind.is_namespaced:
            raise PluginError("refused_kind", f"{kind.kind} is not in a namespace; this plugin does not try those.")
        meta = one["metadata"]
        meta["namespace"] = check_namespace(kubectl.settings, str(meta.get("namespace") or ""))
        tried.append((kind, one))
    results = await asyncio.gather(*(_try(kubectl, kind, one) for kind, one in tried))
    accepted = sum(one["accepted"] for one in results)
    refused = len(results) - accepted
    return {"dry_run": True, "accepted": accepted, "refused": refused, "note": _NOTE, "objects": list(results)}


def read_manifest(manifest: str) -> list[dict[str, Any]]:
    """The objects of a manifest, lists taken apart.

    Raises:
        PluginError: `invalid_manifest` with the reason.
    """
    try:
        # Aliases could stand for something of any size; no manifest needs them.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(manifest, yaml.SafeLoader)):
            raise PluginError("invalid_manifest", "The manifest holds an alias (*name); write it out.")
        documents = [one for one in yaml.safe_load_all(manifest) if one is not None]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PluginError("invalid_manifest", f"The manifest is no YAML: {str(error)[:300]}") from None
    found: list[dict[str, Any]] = []
    for one in documents:
        is_list = isinstance(one, dict) and one.get("kind") == "List" and isinstance(one.get("items"), list)
        found += one["items"] if is_list else [one]
    if not 0 < len(found) <= _MOST_OBJECTS:
        raise PluginError("invalid_manifest", f"A manifest has 1 to {_MOST_OBJECTS} objects; this has {len(found)}.")
    for index, one in enumerate(found):
        is_object = isinstance(one, dict) and isinstance(one.get("metadata"), dict)
        if not is_object or not all(isinstance(one.get(key), str) for key in ("apiVersion", "kind")):
            raise PluginError("invalid_manifest", f"Object {index + 1} needs apiVersion, kind and metadata.")
        if not isinstance(one["metadata"].get("name"), str):
            raise PluginError("invalid_manifest", f"Object {index + 1} needs metadata.name.")
        check_name(one["metadata"]["name"])
    return found


async def _try(kubectl: Kubectl, kind: Kind, one: Mapping[str, Any]) -> Told:
    """One object: whether it would be taken, what would change, or why it is refused."""
    meta = one["metadata"]
    told: Told = {"object": f"{one['kind']}/{meta['name']}", "namespace": meta["namespace"]}
    content = json.dumps(one, default=str).encode()
    context = kubectl.settings.apply_context
    where = f"--namespace={meta['namespace']}"
    now = await kubectl.run("get", kind.full_name, meta["name"], where, "--output=json", "--ignore-not-found")
    options = ["--server-side", "--dry-run=server", "--force-conflicts", f"--field-manager={_MANAGER}", "--output=json"]
    output = await kubectl.run("apply", *options, where, "--filename=-", stdin=content, context=context)
    if output.failure:
        error = failed(output.failure)
        if error.code in ("cluster_away", "unauthorized"):
            raise error
        return {**told, "accepted": False, "code": error.code, "reason": error.message}
    before = _plain(read_json(now.stdout.decode("utf-8", "replace"))) if now.stdout.strip() else ""
    after = _plain(read_json(output.stdout.decode("utf-8", "replace")))
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "now", "after", lineterm="", n=2)
    told |= {"accepted": True, "action": "change" if before else "unknown" if now.failure else "create"}
    return told | cut_text("\n".join(lines) or "nothing would change", kubectl.settings.answer_chars // 2)


def _plain(one: Any) -> str:
    """An object as YAML, without secrets and without what the server alone writes."""
    told = without_secrets(one)
    if isinstance(told, dict) and isinstance(told.get("metadata"), dict):
        for key in _BY_SERVER:
            told["metadata"].pop(key, None)
    return str(yaml.safe_dump(told, sort_keys=True, allow_unicode=True, width=120))
