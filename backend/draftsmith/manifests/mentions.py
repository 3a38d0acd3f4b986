"""What a workload says that it talks to: hosts in its environment, its arguments, its ConfigMaps and its own fields.

Of Secrets only names are read: one that an operator makes for those that connect to what it runs names that thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from draftsmith.manifests.addresses import (
    Address,
    addresses_in,
    addresses_in_arguments,
    addresses_in_file,
    expand,
    is_host_key,
)
from draftsmith.manifests.masking import walk_texts
from draftsmith.manifests.objects import Inventory, Object, name_of, namespace_of, part, parts
from draftsmith.manifests.running import KubernetesWorkload

_ENVIRONMENT: Final = "environment"
_ARGUMENT: Final = "argument"
_CONFIG_MAP: Final = "configMap"
_MOST_VALUE: Final = 200_000


@dataclass(frozen=True, slots=True)
class Mention:
    """A host, or a Secret, that a workload names.

    Attributes:
        kind: of the evidence.
        place: where it stands, as the beginning of a sentence: `DB_HOST of Deployment orders`.
        secret: the name of a Secret, where it is one; `address` has no host then.
    """

    kind: str
    place: str
    address: Address
    secret: str = ""


class ConfigMaps:
    """The ConfigMaps of an inventory."""

    def __init__(self, inventory: Inventory) -> None:
        self._by_name = {
            (namespace_of(one), name_of(one)): _texts_by_key(part(one, "data")) for one in inventory.of("configmaps")
        }

    def data(self, namespace: str, name: str) -> Mapping[str, str]:
        """What one holds; empty where there is none."""
        return self._by_name.get((namespace, name), {})


def mentions_of(workload: KubernetesWorkload, maps: ConfigMaps, spend: Callable[[int], None]) -> Iterator[Mention]:
    """Everything that a workload names.

    Args:
        spend: is told how many characters are looked through of a value into which others were written.
    """
    for container in (*parts(workload.pod, "initContainers"), *parts(workload.pod, "containers")):
        yield from _of_container(workload, container, maps, spend)
    yield from _of_volumes(workload, maps)
    if workload.custom is not None and not workload.custom.has_template:
        for path, text in walk_texts(part(workload.source, "spec"), "spec"):
            key = path.rpartition(".")[2].partition("[")[0]
            for address in addresses_in(text, key) if is_host_key(key) or "://" in text else ():
                yield Mention(_ARGUMENT, f"{path} of {workload.title}", address)


def _of_container(
    workload: KubernetesWorkload, container: Object, maps: ConfigMaps, spend: Callable[[int], None]
) -> Iterator[Mention]:
    values, places, secrets = _environment(workload, container, maps)
    for name, value in values.items():
        kind, place = places[name]
        for address in addresses_in(_written_out(value, values, spend), name):
            yield Mention(kind, place, address)
    for place, secret in secrets:
        yield Mention(_ENVIRONMENT, place, Address(""), secret)
    given = [*_texts(container.get("command")), *_texts(container.get("args"))]
    for flag, address in addresses_in_arguments([_written_out(one, values, spend) for one in given]):
        place = f"The argument {flag}" if flag else "An argument"
        yield Mention(_ARGUMENT, f"{place} of {workload.title}", address)


def _written_out(value: str, values: Mapping[str, str], spend: Callable[[int], None]) -> str:
    """A value with the variables that it names; a few of these may make a long text of every other one."""
    written = expand(value, values)
    if written != value:
        spend(len(written))
    return written


def _environment(
    workload: KubernetesWorkload, container: Object, maps: ConfigMaps
) -> tuple[dict[str, str], dict[str, tuple[str, str]], list[tuple[str, str]]]:
    """Values by name, where each comes from, and the Secrets that are named, with the place."""
    values: dict[str, str] = {}
    places: dict[str, tuple[str, str]] = {}
    secrets: list[tuple[str, str]] = []
    for source in parts(container, "envFrom"):
        config = str(part(source, "configMapRef").get("name") or "")
        for key, value in maps.data(workload.namespace, config).items():
            name = f"{source.get('prefix') or ''}{key}"
            values[name] = value
            places[name] = (_CONFIG_MAP, f"{key} of ConfigMap {config}, the environment of {workload.title},")
        secret = str(part(source, "secretRef").get("name") or "")
        if secret:
            secrets.append((f"The environment of {workload.title}", secret))
    for variable in parts(container, "env"):
        name, given, origin = str(variable.get("name")), variable.get("value"), part(variable, "valueFrom")
        if isinstance(given, str) and len(given) < _MOST_VALUE:
            values[name], places[name] = given, (_ENVIRONMENT, f"{name} of {workload.title}")
        reference = part(origin, "configMapKeyRef")
        key, config = str(reference.get("key")), str(reference.get("name") or "")
        data = maps.data(workload.namespace, config)
        if key in data:
            values[name] = data[key]
            places[name] = (_CONFIG_MAP, f"{key} of ConfigMap {config}, {name} of {workload.title},")
        secret = str(part(origin, "secretKeyRef").get("name") or "")
        if secret:
            secrets.append((f"{name} of {workload.title}", secret))
    return values, places, secrets


def _of_volumes(workload: KubernetesWorkload, maps: ConfigMaps) -> Iterator[Mention]:
    for volume in parts(workload.pod, "volumes"):
        sources = [volume, *parts(volume, "projected", "sources")]
        names = [str(part(one, "configMap").get("name") or "") for one in sources]
        for name in dict.fromkeys(filter(None, names)):
            for key, text in maps.data(workload.namespace, name).items():
                for address in addresses_in_file(text):
                    yield Mention(_CONFIG_MAP, f"{key} of ConfigMap {name}, which {workload.title} mounts,", address)


def _texts_by_key(data: Mapping[str, object]) -> Mapping[str, str]:
    """What a ConfigMap holds: the texts that are not too long."""
    return {str(key): value for key, value in data.items() if isinstance(value, str) and len(value) < _MOST_VALUE}


def _texts(value: Any) -> list[str]:
    texts = value if isinstance(value, list) else []
    return [one for one in texts if isinstance(one, str) and len(one) < _MOST_VALUE]
