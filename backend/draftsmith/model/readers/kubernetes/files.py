"""Objects of Kubernetes in files: YAML of several documents, JSON, lists in these, each with its place.

What comes of it is the inventory that the plugin `kubernetes` makes of a cluster (`draftsmith.manifests`), so that
files and clusters are read by the same rules. Objects that say no namespace are in `default`, as kubectl applies them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from draftsmith.manifests.objects import READ, RUNNING, Inventory, Object, parts
from draftsmith.model.readers.reading import SourceFile, UnreadableSource, UnreadPart
from draftsmith.model.readers.yaml_text import YamlMapping, read_yaml

MAX_RUNNING: Final = 2_000
"""Objects that run, of one set; as many as what runs in a cluster may have."""
DEFAULT: Final = "default"
CLAIMS: Final = "persistentvolumeclaims"
_INGRESSES: Final = "ingresses.networking.k8s.io"
_DEEPEST_LIST: Final = 5
_GROUPS_BEFORE: Final[Mapping[str, Sequence[str]]] = {"extensions": ("apps", "networking.k8s.io")}
"""Groups of old versions of the API, with those where their kinds are now."""
_KNOWN: Final = frozenset((*READ, CLAIMS))
_SAID_BESIDE: Final[Mapping[str, str]] = {
    "ConfigMap": "its values are not taken over; hosts of Services in them are lines",
    "Secret": "nothing of a Secret is taken over but its name, at what uses it",
    "Kustomization": "it is not applied; read what `kubectl kustomize` makes of it",
    "HelmRelease": "charts are not rendered; read what `helm template` makes of it",
}
_TEMPLATE: Final = "it is a template with `{{` left in it; of a chart, read what `helm template` makes"


@dataclass(frozen=True, slots=True)
class PlacedObject:
    """An object with the file and the line where it is written."""

    content: Object
    path: str
    line: int


@dataclass(slots=True)
class ManifestFiles:
    """What the files of a set hold.

    Attributes:
        claims: PersistentVolumeClaims by namespace and name.
        namespaces: those that objects say.
        uids: those that objects have.
        unread: what is not drawn.
        failure: of the first file that could not be read to its end.
    """

    inventory: Inventory = field(default_factory=lambda: Inventory([]))
    claims: dict[tuple[str, str], Object] = field(default_factory=dict)
    namespaces: set[str] = field(default_factory=set)
    uids: set[str] = field(default_factory=set)
    unread: list[UnreadPart] = field(default_factory=list)
    failure: UnreadableSource | None = None


def read_files(files: Sequence[SourceFile]) -> ManifestFiles:
    """Read the objects of some files.

    Raises:
        UnreadableSource: they hold more that runs than can be drawn.
    """
    found = ManifestFiles()
    seen: dict[tuple[str, str, str], str] = {}
    running = 0
    for file in files:
        for one in _objects_of(file, found):
            resource = _resource_of(one.content)
            kind = resource or f"{_text(one.content.get('apiVersion'))} {_text(one.content.get('kind'))}"
            key = (kind, _metadata(one, "namespace"), _metadata(one, "name"))
            if key in seen:
                _list(found, one, f"it is in {seen[key]} already")
                continue
            seen[key] = one.path
            running += resource in RUNNING
            if running > MAX_RUNNING:
                raise UnreadableSource(f"more than {MAX_RUNNING:,} objects run", one.path, one.line)
            _take(found, one, resource)
    found.inventory.namespaces = list(dict.fromkeys(namespace for _, namespace, _ in seen))
    return found


def _take(found: ManifestFiles, one: PlacedObject, resource: str) -> None:
    if resource == CLAIMS:
        found.claims[_metadata(one, "namespace"), _metadata(one, "name")] = one.content
    elif resource:
        found.inventory.objects.setdefault(resource, []).append(_as_in_cluster(one, resource, found.uids))
    kind = _text(one.content.get("kind"))
    if kind in _SAID_BESIDE:
        _list(found, one, _SAID_BESIDE[kind])
    elif not resource and kind != "Namespace":
        _list(found, one, f"objects of kind {kind[:60]} are not drawn")


def _objects_of(file: SourceFile, found: ManifestFiles) -> Iterator[PlacedObject]:
    stream = read_yaml(file)
    for value, line in stream.documents:
        yield from _objects_in(value, file.path, line, found, 0)
    for key, line in stream.repeated:
        found.unread.append(
            UnreadPart(file.path, f"line {line}", key[:200], "the key stands there twice; the last one counts")
        )
    failure = stream.failure
    if failure is not None:
        if b"{{" in file.content:
            failure = UnreadableSource(_TEMPLATE, file.path, failure.line)
        found.failure = found.failure or failure
        found.unread.append(UnreadPart(file.path, f"line {failure.line or 1}", "", f"from here on: {failure.reason}"))


def _objects_in(value: Any, path: str, line: int, found: ManifestFiles, depth: int) -> Iterator[PlacedObject]:
    """The object that a value is, or those of a list."""
    if value is None:
        return
    if not isinstance(value, YamlMapping) or not _text(value.get("kind")) or not _text(value.get("apiVersion")):
        found.unread.append(UnreadPart(path, f"line {line}", "", "it is no object of Kubernetes"))
        return
    items = value.get("items")
    if _text(value.get("kind")).endswith("List") and isinstance(items, list):
        for item in items if depth < _DEEPEST_LIST else ():
            yield from _objects_in(item, path, item.line if isinstance(item, YamlMapping) else line, found, depth + 1)
        return
    metadata = value.get("metadata")
    named = metadata if isinstance(metadata, YamlMapping) else YamlMapping(line)
    name = _text(named.get("name")) or _text(named.get("generateName")).rstrip("-")
    if not name and value.get("kind") not in _SAID_BESIDE:
        text = _text(value.get("kind"))
        found.unread.append(UnreadPart(path, f"line {value.line}", text[:200], "the object has no name"))
        return
    namespace = _text(named.get("namespace"))
    found.namespaces.add(namespace)
    said = {**named, "name": name, "namespace": namespace or DEFAULT}
    yield PlacedObject({**value, "metadata": said}, path, value.line)


def _as_in_cluster(one: PlacedObject, resource: str, uids: set[str]) -> Object:
    """An object as a cluster would have it: with an id of its own, and an Ingress in today's form."""
    metadata = dict(one.content["metadata"])
    uid = _text(metadata.get("uid"))
    if not uid or uid in uids:  # a copy has that of what it was copied from
        uid = "/".join((resource, metadata["namespace"], metadata["name"]))
    uids.add(uid)
    metadata["uid"] = uid
    found = {**one.content, "metadata": metadata}
    spec = found.get("spec")
    if resource == _INGRESSES and isinstance(spec, Mapping):
        found["spec"] = _todays_ingress(spec)
    return found


def _todays_ingress(spec: Object) -> Object:
    """The `spec` of an Ingress; before `networking.k8s.io/v1` it named Services by `serviceName`."""
    rules = []
    for rule in parts(spec, "rules"):
        paths = [{**path, "backend": _todays_backend(path.get("backend"))} for path in parts(rule, "http", "paths")]
        rules.append({**rule, "http": {"paths": paths}})
    default = spec.get("defaultBackend", spec.get("backend"))
    return {**spec, "rules": rules, "defaultBackend": _todays_backend(default)}


def _todays_backend(backend: Any) -> Any:
    if not isinstance(backend, Mapping) or "serviceName" not in backend:
        return backend
    port = backend.get("servicePort")
    return {"service": {"name": backend["serviceName"], "port": {"number" if isinstance(port, int) else "name": port}}}


def _resource_of(one: Object) -> str:
    """The name `plural.group` of its kind; empty if it is none of those that are drawn or looked into."""
    kind = _text(one.get("kind")).lower()
    group = _text(one.get("apiVersion")).rpartition("/")[0]
    plurals = (kind, f"{kind}s", f"{kind}es", f"{kind[:-1]}ies")
    for candidate in (group, *_GROUPS_BEFORE.get(group, ())):
        for plural in plurals:
            name = f"{plural}.{candidate}" if candidate else plural
            if name in _KNOWN:
                return name
    return ""


def _list(found: ManifestFiles, one: PlacedObject, reason: str) -> None:
    text = "/".join(
        part for part in (_text(one.content.get("kind")), _metadata(one, "namespace"), _metadata(one, "name")) if part
    )
    found.unread.append(UnreadPart(one.path, f"line {one.line}", text[:200], reason))


def _metadata(one: PlacedObject, key: str) -> str:
    return _text(one.content["metadata"].get(key))


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
